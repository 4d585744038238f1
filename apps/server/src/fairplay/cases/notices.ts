import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, formatCoins, formatNaira, type Kobo } from "@holo/kernel/money.ts";
import { APPEAL_DAYS } from "@holo/protocol/fair-play-terms.ts";
import { isAccountDeleted, lockAccount } from "../../accounts/accounts.ts";
import type { Tx } from "../../platform/database/database.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";

const MAIL_LIFE_MS = 3 * DAY_MS;

interface Notice {
  readonly kind: string;
  readonly title: string;
  readonly text: string;
  readonly path: string;
  readonly action: string;
}

/** Never signals, thresholds, other players or authorities. */
export function toForfeitNotice(kobo: Kobo): Notice {
  return {
    kind: "coins_forfeited",
    title: "Coins went back to those who lost them",
    text: `Two people decided that ${formatNaira(kobo)} goes back to those who lost it: the games listed were not played fairly. You can appeal once, within ${APPEAL_DAYS} days; someone else answers.`,
    path: "/wallet",
    action: "See the games, or appeal",
  };
}

export function toGiftNotice(coins: Coins): Notice {
  return {
    kind: "coins_returned",
    title: "Coins came back to you",
    text: `You got ${formatCoins(coins)} holocoins back, from games that were not played fairly.`,
    path: "/wallet",
    action: "Open the wallet",
  };
}

export function toAnswerNotice(isAccepted: boolean, answer: string, coins: Coins): Notice {
  return {
    kind: "appeal_answered",
    title: "Your appeal has been answered",
    text: isAccepted
      ? `You were right, and we are sorry: ${formatCoins(coins)} holocoins are in your wallet again. ${answer}`
      : `Someone new looked at your games. The decision stays. ${answer}`,
    path: "/wallet",
    action: "Open the wallet",
  };
}

export interface NoticeDeps {
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly notify: (playerId: PlayerId, title: string, text: string) => void;
}

/** On the page, if it is open, and by mail. */
export async function tell(
  tx: Tx,
  afterCommit: (effect: () => void) => void,
  { publicUrl, queueMail, notify }: NoticeDeps,
  { playerId, notice, at }: { readonly playerId: PlayerId; readonly notice: Notice; readonly at: Instant },
): Promise<void> {
  const { kind, title, text, path, action } = notice;
  afterCommit(() => notify(playerId, title, text));
  const account = await lockAccount(tx, playerId);
  if (account === null || (await isAccountDeleted(tx, playerId))) return;
  const content = formatMailContent({
    title,
    paragraphs: [`Hello ${account.username}. ${text}`],
    action: { text: action, url: `${publicUrl}${path}` },
    notes: [],
  });
  const expiresAt = addMs(at, MAIL_LIFE_MS);
  await queueMail(tx, { kind, accountId: playerId, to: account.email, subject: title, ...content, expiresAt });
}
