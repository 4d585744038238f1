import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Promotion, Seat, Square } from "@holo/rules/rules.ts";
import type { Delivery } from "./clock.ts";

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
  /** Something ran out: a waiting game, a first move, a clock, the time to come back. */
  | { readonly type: "expire"; readonly delivery: Delivery }
  /** The node was away between these instants. */
  | { readonly type: "credit"; readonly outageFromAt: Instant; readonly outageToAt: Instant }
  /** A player's connection watches the table again. */
  | { readonly type: "return"; readonly seat: Seat };

/** Refusals of the table, in the order in which they are checked where more than one would fit. */
export const TABLE_REFUSALS = [
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
  /** Of the house's own commands: nothing has run out. */
  "not_due",
] as const;
export type TableRefusal = (typeof TABLE_REFUSALS)[number];

/** What a command asks for as text, to tell a repeat from an id used again for something else. */
export function formatContent(command: TableCommand): string {
  return command.type === "move" ? formatMoveContent(command.path, command.promotion) : command.type;
}

export function formatMoveContent(path: readonly Square[], promotion: Promotion | undefined): string {
  return `move ${path.join("-")}${promotion ?? ""}`;
}
