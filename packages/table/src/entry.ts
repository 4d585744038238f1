import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { DrawReason, GameType, Promotion, Seat, Square, WinReason } from "@holo/rules/rules.ts";
import type { Stake } from "./stakes.ts";

/** The format of entries written today. Older formats stay readable for ever. */
export const ENTRY_FORMAT = 1;

export type EndReason =
  | WinReason
  | DrawReason
  | "resignation"
  /** The loser's time ran out. */
  | "time"
  /** Time ran out against a side that cannot mate by any series of legal moves (ruling 14). */
  | "time_without_material";

/** Who cancelled an active game or let it lapse; the other is told why (ruling 15). */
export type CancelReason =
  /** A player pressed Cancel. */
  | "player"
  /** Nobody joined within 30 minutes. */
  | "not_joined"
  /** A first move was not made within 60 s. */
  | "first_move"
  /** A player did not come back after an outage of ours (ruling 16). */
  | "void";

export interface Created {
  readonly type: "created";
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
  readonly player: PlayerId;
}

export interface Joined {
  readonly type: "joined";
  readonly player: PlayerId;
}

export interface Moved {
  readonly type: "moved";
  readonly path: readonly Square[];
  readonly promotion?: Promotion;
  /** What the move cost its player, after the network's share. */
  readonly chargedMs: number;
  /** Both clocks after the move; facts, never computed again. */
  readonly remainingMs: readonly [number, number];
}

export interface Ended {
  readonly type: "ended";
  readonly winner: Seat | null;
  readonly reason: EndReason;
  readonly remainingMs: readonly [number, number];
}

export interface Cancelled {
  readonly type: "cancelled";
  readonly reason: CancelReason;
  /** Who pressed Cancel, or who missed the first move; null where it was nobody's doing. */
  readonly seat: Seat | null;
}

/** An outage of ours was made good (ruling 16). */
export interface ClockCredited {
  readonly type: "clock_credited";
  readonly outageFromAt: Instant;
  readonly outageToAt: Instant;
  readonly remainingMs: readonly [number, number];
  /** After more than 60 s of outage a clock runs again only once its owner is back. */
  readonly awaiting: boolean;
}

/** A player whom the table waited for after an outage is back. */
export interface Returned {
  readonly type: "returned";
  readonly seat: Seat;
}

export type TableEvent = Created | Joined | Moved | Ended | Cancelled | ClockCredited | Returned;

/** One row of a game's log: what one command brought about. */
export interface Entry {
  /** Numbered from 1 without gaps. */
  readonly version: number;
  readonly at: Instant;
  /** Whose command it was; 0 is the house (clocks, outages). */
  readonly by: Seat | 0;
  readonly events: readonly TableEvent[];
  /** Sent only to the player whose command it was. */
  readonly commandId?: CommandId;
  /** The network's share that was not charged, in the record of the game once it ended (ruling 16). */
  readonly lagMs?: number;
}
