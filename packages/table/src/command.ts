import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Delivery, Outage } from "./clock.ts";
import type { OfferAnswer, Pairing, RematchLapse } from "./log-record.ts";

export type TableCommand =
  | {
      readonly type: "join";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** `invitation`: the player used the creator's link. */
      readonly pairing: Exclude<Pairing, "rematch">;
    }
  | {
      readonly type: "cancel";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The player saw a waiting game; one that has begun is not cancelled. */
      readonly whileWaiting?: boolean | undefined;
    }
  | { readonly type: "resign"; readonly id: CommandId; readonly player: PlayerId }
  | {
      readonly type: "move";
      readonly id: CommandId;
      readonly player: PlayerId;
      readonly atVersion: number;
      readonly path: readonly Square[];
      readonly promotion?: Promotion;
      readonly delivery: Delivery;
    }
  | {
      readonly type: "offer_draw" | "request_takeback";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The opponent's moves that the player had seen. Absent: not checked. */
      readonly opponentMoves?: number | undefined;
      /** Measured for the position that it may end or leave; absent without a measurement. */
      readonly delivery?: Delivery;
    }
  | {
      readonly type: "answer_draw" | "answer_takeback";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The version of the offer's record, so that a late answer never reaches another offer. */
      readonly offer: number;
      readonly answer: OfferAnswer;
      /** The board that is agreed to: an acceptance that crosses a move is refused. */
      readonly atVersion: number;
      readonly delivery?: Delivery;
    }
  | {
      readonly type: "offer_rematch";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The fee as shown to both. */
      readonly feeBps: number;
      /** The id of the new game if this crosses the opponent's offer. */
      readonly nextGameId: GameId;
    }
  | {
      readonly type: "answer_rematch";
      readonly id: CommandId;
      readonly player: PlayerId;
      readonly offer: number;
      readonly answer: Exclude<OfferAnswer, "decline_all">;
      readonly nextGameId: GameId;
    }
  /** A deadline passed: for joining, the first move, a clock, a return, a rematch offer. */
  | { readonly type: "expire"; readonly delivery: Delivery }
  | { readonly type: "cancel_by_staff"; readonly note: string }
  /** Its creator joins another waiting game. */
  | { readonly type: "pair_elsewhere" }
  | {
      readonly type: "credit";
      readonly outage: Outage;
      /** What a measured outage took from the turn, as `stallMs`. Absent: all of it. */
      readonly delivery?: Delivery;
    }
  | { readonly type: "return"; readonly seat: Seat }
  /** The offered rematch became impossible. `seat` is the player who caused it, null for none. */
  | { readonly type: "lapse_rematch"; readonly reason: Exclude<RematchLapse, "time">; readonly seat: Seat | null };

/** In the order in which they are checked. */
const TABLE_REFUSALS = [
  "command_id_reused",
  /** Also for a game by invitation, to players without the invitation. */
  "unknown_game",
  "game_over",
  "not_a_player",
  "own_game",
  "seat_taken",
  "not_started",
  "stale_version",
  "not_your_turn",
  "illegal_move",
  "time_up",
  "already_started",
  "too_late_to_cancel",
  "too_early_to_resign",
  "too_early_to_draw",
  "too_early_to_take_back",
  "not_over",
  "offer_stands",
  "offers_refused",
  "asked_too_soon",
  "takebacks_spent",
  "rematch_declined",
  "rematch_spent",
  "rematch_started",
  "fee_changed",
  "no_offer",
  "own_offer",
  /** For commands of the platform: no deadline has passed. */
  "not_due",
] as const;
export type TableRefusal = (typeof TABLE_REFUSALS)[number];
