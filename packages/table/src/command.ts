import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Delivery } from "./clock.ts";
import type { OfferAnswer, RematchLapse } from "./entry.ts";

/** What can be asked of a table that exists. A player's command carries an id; the house's (clocks, outages) does not. */
export type TableCommand =
  | { readonly type: "join"; readonly id: CommandId; readonly player: PlayerId }
  | { readonly type: "cancel"; readonly id: CommandId; readonly player: PlayerId }
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
  | { readonly type: "offer_draw"; readonly id: CommandId; readonly player: PlayerId }
  | {
      readonly type: "request_takeback";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** Of the position that a takeback leaves, where it comes of this; absent where nothing was measured. */
      readonly delivery?: Delivery;
    }
  | {
      readonly type: "answer_draw" | "answer_takeback";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The version of the entry that made the offer: an answer that comes late meets no other one. */
      readonly offer: number;
      readonly answer: OfferAnswer;
      /** The board that is agreed to: an acceptance that crosses a move is refused, and can be given again on what stands. */
      readonly atVersion: number;
      readonly delivery?: Delivery;
    }
  | {
      readonly type: "offer_rematch";
      readonly id: CommandId;
      readonly player: PlayerId;
      /** The fee as it is shown to both. */
      readonly feeBps: number;
      /** The id of the game that comes of it, where it crosses the other's offer. */
      readonly nextGameId: GameId;
    }
  | {
      readonly type: "answer_rematch";
      readonly id: CommandId;
      readonly player: PlayerId;
      readonly offer: number;
      readonly answer: Exclude<OfferAnswer, "decline_all">;
      /** The id of the game that comes of an acceptance. */
      readonly nextGameId: GameId;
    }
  /** Something ran out: a waiting game, a first move, a clock, the time to come back, an offered rematch. */
  | { readonly type: "expire"; readonly delivery: Delivery }
  /** Somebody of the house, who is none of its players, ends a broken game; both get their entry back. */
  | { readonly type: "cancel_by_house"; readonly note: string }
  /** The node was away between these instants. */
  | { readonly type: "credit"; readonly outageFromAt: Instant; readonly outageToAt: Instant }
  /** A player's connection watches the table again. */
  | { readonly type: "return"; readonly seat: Seat }
  /** There can be no rematch any more, or not this one. `seat` is whose doing it is, null where it is nobody's. */
  | { readonly type: "lapse_rematch"; readonly reason: Exclude<RematchLapse, "time">; readonly seat: Seat | null };

/** Refusals of the table, in the order in which they are checked where more than one would fit. */
const TABLE_REFUSALS = [
  "command_id_reused",
  "game_over",
  "not_a_player",
  "own_game",
  "seat_taken",
  "not_started",
  "stale_version",
  "not_your_turn",
  "illegal_move",
  "time_up",
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
  /** Of the house's own commands: nothing has run out. */
  "not_due",
] as const;
export type TableRefusal = (typeof TABLE_REFUSALS)[number];
