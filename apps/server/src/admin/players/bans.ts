import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { StaffConflict } from "@holo/protocol/admin/staff-conflicts.ts";
import {
  type Accounts,
  isAccountDeleted,
  loadBans,
  lockAccount,
  lockLimits,
  removeBan,
  saveBan,
} from "../../accounts/accounts.ts";
import type { Games } from "../../game/game.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { formatMailContent } from "../../platform/mail/mail-content.ts";
import type { NewMail, QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkAccount } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";

interface BanOrder {
  readonly actorId: PlayerId;
  readonly playerId: PlayerId;
  readonly reason: string;
}

interface UnbanOrder extends BanOrder {
  /** The ban that staff saw: a newer one was made for another reason. */
  readonly banId: string;
}

type BanRefusal =
  | "reason_missing"
  | "access_denied"
  | StaffConflict
  | "unknown_player"
  | "block_unchanged"
  | "ban_changed";

/** A ban stops play, chat, deposits and new registrations of the player, but not withdrawals. */
export interface Bans {
  /**
   * Bans a player, mails them, and cancels their waiting game; an active game continues. No one
   * bans themselves or the CEO, and only the CEO bans an admin.
   */
  ban(order: BanOrder): Promise<Result<null, BanRefusal>>;
  /** Ends this ban. */
  unban(order: UnbanOrder): Promise<Result<null, BanRefusal>>;
}

interface BansDeps {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly games: Pick<Games, "cancelWaiting">;
  readonly accounts: Pick<Accounts, "registrationBlocks">;
  readonly pushLimits: (playerId: PlayerId) => Promise<void>;
}

export function openBans(deps: BansDeps): Bans {
  const { database, time, publicUrl, queueMail, games, accounts, pushLimits } = deps;

  /** `banId`: the ban that ends; null: one begins. */
  async function change(given: BanOrder, banId: string | null): Promise<Result<null, BanRefusal>> {
    const order = { ...given, reason: toSingleLine(given.reason) };
    if (order.reason === "") return refuse("reason_missing");
    const changed = await transact(database, (tx) => changeIn(tx, order, banId));
    if (changed.ok) await pushLimits(order.playerId);
    return changed;
  }

  async function changeIn(tx: Tx, order: BanOrder, banId: string | null): Promise<Result<null, BanRefusal>> {
    const { actorId, playerId, reason } = order;
    const isBanning = banId === null;
    // Taking a seat and depositing lock this too, so a ban cannot interleave with them.
    await lockLimits(tx, playerId);
    const allowed = await checkAccount(tx, actorId, playerId);
    if (!allowed.ok) return allowed;
    const account = await lockAccount(tx, playerId);
    const isDeleted = await isAccountDeleted(tx, playerId);
    // A deleted account has no address left to block; its existing ban can still be lifted.
    if (account === null || (isDeleted && isBanning)) return refuse("unknown_player");
    const inForce = (await loadBans(tx, [playerId])).get(playerId);
    if ((inForce !== undefined) === isBanning) return refuse("block_unchanged");
    if (inForce !== undefined && inForce.id !== banId) return refuse("ban_changed");
    const at = time.now();
    const action = isBanning ? "player_banned" : "player_unbanned";
    const auditEventId = await recordAuditEvent(tx, {
      playerId: actorId,
      action,
      subject: playerId,
      detail: reason,
      at,
    });
    if (isBanning) {
      await saveBan(tx, { playerId, reason, auditEventId, at });
      await accounts.registrationBlocks.record(tx, playerId, at);
    } else await removeBan(tx, playerId);
    if (!isDeleted) await queueMail(tx, toBanMail({ ...account, isBanning, reason, publicUrl, at }));
    return ok(null);
  }

  return {
    async ban(order) {
      const blocked = await change(order, null);
      // After a crash the sweeper of the next start cancels it.
      if (blocked.ok) await games.cancelWaiting(order.playerId);
      return blocked;
    },
    unban: ({ banId, ...order }) => change(order, banId),
  };
}

const MAIL_LIFE_MS = 3 * 24 * 60 * MINUTE_MS;

function toBanMail(order: {
  readonly playerId: PlayerId;
  readonly email: string;
  readonly username: string;
  readonly isBanning: boolean;
  readonly reason: string;
  readonly publicUrl: string;
  readonly at: Instant;
}): NewMail {
  const { playerId, email, username, isBanning, reason, publicUrl, at } = order;
  const title = isBanning ? "Your account is blocked" : "Your account is open again";
  const content = formatMailContent({
    title,
    paragraphs: isBanning
      ? [
          `Hello ${username}. We have blocked your Holo Arena account. The reason: ${reason}`,
          "You can finish a game in progress. You can't start another, chat or deposit.",
          "Your coins are yours: the block doesn't stop withdrawals.",
        ]
      : [
          `Hello ${username}. Your Holo Arena account is no longer blocked: you can play, chat and deposit again.`,
          `The reason: ${reason}`,
        ],
    action: isBanning
      ? { text: "To your wallet", url: `${publicUrl}/wallet` }
      : { text: "To the matches", url: `${publicUrl}/matches` },
    notes: ["Is this wrong, or do you have a question? Reply to this email: a person reads it."],
  });
  const mail = { kind: "account_block", accountId: playerId, to: email, subject: title } as const;
  return { ...mail, ...content, expiresAt: addMs(at, MAIL_LIFE_MS) };
}
