import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { APPEAL_DAYS } from "@holo/protocol/fair-play-terms.ts";

export type CaseKind = "flow" | "engine" | "dispute" | "listed" | "review";
/** `released`: its time was over; `closed`: what it was about has ended. */
export type CaseState = "open" | "released" | "cleared" | "forfeited" | "closed";

export type ActType =
  | "note"
  | "proposed"
  | "withdrawn"
  | "cleared"
  | "forfeited"
  | "released"
  | "closed"
  | "message"
  | "appealed"
  | "appeal_answered";

interface Known {
  readonly kind: CaseKind;
  readonly state: CaseState;
  /** Up to when its coins are held; null: it holds none. */
  readonly untilAt: Instant | null;
  readonly endedAt: Instant | null;
}

interface Act {
  readonly id: bigint;
  readonly type: ActType;
  /** Null: the server itself. */
  readonly byId: PlayerId | null;
  /** A proposal of a member who has left the staff. */
  readonly isLapsed?: boolean;
  /** Whom a forfeit paid. */
  readonly given?: readonly { readonly playerId: PlayerId }[];
}
type Acts = readonly Act[];

/** How long a machine may hold coins (ruling 44). */
export const HELD_MS = 72 * HOUR_MS;
/** Of a player, to one case. */
const MESSAGES_MAX = 10;

/** A hold whose time is over has ended, whether or not that is written yet. */
export function toStateAt({ state, untilAt }: Pick<Known, "state" | "untilAt">, now: Instant): CaseState {
  return state === "open" && untilAt !== null && now >= untilAt ? "released" : state;
}

/** The proposal that waits for another member; null for none. It lapses with its member's role. */
export function findProposal<One extends Act>(acts: readonly One[]): One | null {
  const last = acts.findLast(({ type }) => type === "proposed" || type === "withdrawn");
  return last?.type === "proposed" && last.isLapsed !== true ? last : null;
}

/** Who proposed a forfeit, also one that was withdrawn, and who confirmed it. */
function findDeciders(acts: Acts): readonly (PlayerId | null)[] {
  return acts.filter(({ type }) => type === "proposed" || type === "forfeited").map(({ byId }) => byId);
}

export function decideClear(known: Known, acts: Acts, now: Instant): "case_over" | "forfeit_proposed" | null {
  if (toStateAt(known, now) !== "open") return "case_over";
  return findProposal(acts) === null ? null : "forfeit_proposed";
}

export function decideProposal(
  known: Known,
  acts: Acts,
  { now, members }: { readonly now: Instant; readonly members: number },
): "never_forfeited" | "case_over" | "forfeit_proposed" | "two_members_needed" | null {
  if (known.kind !== "flow" && known.kind !== "engine") return "never_forfeited";
  if (toStateAt(known, now) !== "open") return "case_over";
  if (findProposal(acts) !== null) return "forfeit_proposed";
  return members < 2 ? "two_members_needed" : null;
}

/** `proposalId`: what the member saw; null for the one that waits. */
export function decideWithdrawal(
  known: Known,
  acts: Acts,
  { now, proposalId }: { readonly now: Instant; readonly proposalId: bigint | null },
): "case_over" | "proposal_over" | null {
  if (toStateAt(known, now) !== "open") return "case_over";
  const proposal = findProposal(acts);
  return proposal !== null && (proposalId === null || proposal.id === proposalId) ? null : "proposal_over";
}

export function decideConfirmation(
  known: Known,
  acts: Acts,
  by: { readonly memberId: PlayerId; readonly now: Instant; readonly proposalId: bigint | null },
): "case_over" | "proposal_over" | "second_member_needed" | null {
  const refused = decideWithdrawal(known, acts, by);
  if (refused !== null) return refused;
  return findProposal(acts)?.byId === by.memberId ? "second_member_needed" : null;
}

/** Until when the player may appeal; null: there is nothing to appeal against, or it was done. */
export function toAppealUntil({ state, endedAt }: Known, acts: Acts): Instant | null {
  if (state !== "forfeited" || endedAt === null || acts.some(({ type }) => type === "appealed")) return null;
  return addMs(endedAt, APPEAL_DAYS * DAY_MS);
}

export function decideAppeal(
  known: Known,
  acts: Acts,
  now: Instant,
): "unknown_case" | "appeal_made" | "appeal_over" | null {
  if (known.state !== "forfeited") return "unknown_case";
  const untilAt = toAppealUntil(known, acts);
  if (untilAt === null) return "appeal_made";
  return now <= untilAt ? null : "appeal_over";
}

export function decideAnswer(
  acts: Acts,
  memberId: PlayerId,
): "no_appeal" | "appeal_answered" | "third_member_needed" | "own_matter" | null {
  if (!acts.some(({ type }) => type === "appealed")) return "no_appeal";
  if (acts.some(({ type }) => type === "appeal_answered")) return "appeal_answered";
  const isPaid = acts.some(
    ({ type, given }) => type === "forfeited" && given?.some((one) => one.playerId === memberId),
  );
  if (isPaid) return "own_matter";
  return findDeciders(acts).includes(memberId) ? "third_member_needed" : null;
}

export function decideMessage(
  known: Known,
  acts: Acts,
  { playerId, now }: { readonly playerId: PlayerId; readonly now: Instant },
): "fair_play_over" | "fair_play_messages_full" | null {
  if (toStateAt(known, now) !== "open") return "fair_play_over";
  const sent = acts.filter(({ type, byId }) => type === "message" && byId === playerId);
  return sent.length < MESSAGES_MAX ? null : "fair_play_messages_full";
}
