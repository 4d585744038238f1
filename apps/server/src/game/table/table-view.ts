import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import type { TableState } from "@holo/table/state.ts";
import type { SendableRecord } from "../log/log-record.ts";

/** A game in memory, as what is sent about it needs it. Only its `Table` changes it. */
export interface TableView {
  readonly gameId: GameId;
  readonly rules: GameRules<unknown>;
  readonly state: TableState<unknown>;
  readonly records: readonly SendableRecord[];
  readonly players: BySeat<PlayerView, PlayerView | null>;
  /** When each player left the table; null while present. */
  readonly awaySinceAt: BySeat<Instant | null>;
}
