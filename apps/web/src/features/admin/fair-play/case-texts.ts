import { addCoins, formatCoins, formatNaira, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import type {
  FairPlayCaseKind,
  FairPlayCaseState,
  FairPlayCaseView,
  FairPlayRefusal,
} from "@holo/protocol/admin/fair-play-cases.ts";
import { readCoins } from "../../../lib/api/coins.ts";
import type { BadgeKind } from "../../../ui/feedback/badge.tsx";

export type CaseAct = "note" | "clear" | "propose" | "confirm" | "withdraw" | "accept" | "refuse";

export const KIND_NAMES: Readonly<Record<FairPlayCaseKind, string>> = {
  flow: "Coins moved through games",
  engine: "Moves like a program's",
  dispute: "Disputed deposit",
  listed: "Noticed, not held",
  review: "Random check",
};

export const KIND_TEXTS: Readonly<Record<FairPlayCaseKind, string>> = {
  flow: "These coins may have been lost on purpose. The signals are no proof: check flow and games first.",
  engine:
    "These coins were won with moves that look like a program's. A strong day looks the same: check the games first.",
  dispute:
    "A payer's bank disputes the deposit that these coins stem from. Whoever won them fairly keeps them, so they can't be forfeited.",
  listed: "Something stands out, but too little to hold coins. Nothing waits.",
  review:
    "Picked by chance, to learn how often we miss something. Nothing waits, and nothing was suspected. Look at the player's games and payments.",
};

export const STATE_BADGES: Readonly<Record<FairPlayCaseState, { readonly word: string; readonly kind: BadgeKind }>> = {
  open: { word: "Open", kind: "pending" },
  released: { word: "Sent by itself", kind: "done" },
  cleared: { word: "Cleared", kind: "active" },
  forfeited: { word: "Forfeited", kind: "lost" },
  closed: { word: "Closed", kind: "plain" },
};

/** What clearing pays to whom. */
export function formatClear({ held, kind }: Pick<FairPlayCaseView, "held" | "kind">): string {
  const sent = held.map(({ player, kobo }) => `${formatNaira(toKobo(BigInt(kobo)))} to ${player.username}`);
  const first = sent.length === 0 ? "Ends the case." : `Sends ${sent.join(", ")} now, unless another case holds it.`;
  switch (kind) {
    case "flow":
    case "engine":
    case "listed":
      return `${first} The games aren't checked again.`;
    case "dispute":
      return `${first} No one's coins wait for this dispute any more.`;
    case "review":
      return first;
  }
}

/** What an accepted appeal pays to whom. */
export function formatAccept({ acts, player }: Pick<FairPlayCaseView, "acts" | "player">): string {
  const taken = acts.findLast(({ type }) => type === "forfeited")?.given ?? [];
  const sum = taken.reduce((total, { coins }) => addCoins(total, readCoins(coins)), ZERO_COINS);
  return `Accepting pays ${formatCoins(sum)} HC to ${player.username} from our revenue. Those who got coins back keep them.`;
}

/** Why a button is not there. */
export const REFUSAL_TEXTS: Readonly<Record<FairPlayRefusal, string>> = {
  own_matter: "This is about you, or you're part of it. Someone else has to decide it.",
  case_over: "This case has ended.",
  forfeit_proposed: "A forfeit was proposed. Confirm or withdraw that first.",
  never_forfeited: "Coins of such a case are never forfeited.",
  two_members_needed: "Only two members together can forfeit coins, and you're the only one.",
  proposal_over: "No proposal is waiting.",
  second_member_needed: "You proposed it. Another member has to confirm it.",
  nothing_to_forfeit: "None of these coins are in the player's wallet any more.",
  no_appeal: "The player hasn't appealed.",
  appeal_answered: "This appeal has been answered.",
  third_member_needed: "You decided this case. Someone else has to answer the appeal.",
};

const LINK_NAMES: Readonly<Record<string, string>> = {
  bank_account: "bank account",
  card: "card",
  device: "device",
  network: "network",
};

export function formatLinks(kinds: readonly string[]): string {
  return kinds.map((kind) => LINK_NAMES[kind] ?? kind).join(", ");
}
