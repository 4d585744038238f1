import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { TableRegistry } from "../table/registry.ts";
import { isPresent, type Table } from "../table/table.ts";
import type { TableActors } from "../table/table-actor.ts";

/** Lets offered rematches lapse where a player leaves the table or sits down at another (ruling 19). Their time is the clocks' matter. */
export interface RematchLapses {
  leave(table: Table, seat: Seat): void;
  disconnect(table: Table, seat: Seat): void;
  /** These players have an open game now. */
  seated(playerIds: readonly (PlayerId | null)[], gameId: GameId): void;
}

/** Who reloads the page, or comes back over another network, has not left the table. */
export const LEFT_AFTER_MS = 15 * SECOND_MS;

type Lapse = Extract<TableCommand, { readonly type: "lapse_rematch" }>;

export function openRematchLapses(
  tables: TableRegistry,
  actors: () => TableActors,
  time: Time,
  wheel: TimerWheel,
): RematchLapses {
  function lapse(table: Table, reason: Lapse["reason"], seat: Seat): void {
    if (table.state.offers.rematch.pending === null) return;
    const command: Lapse = { type: "lapse_rematch", reason, seat };
    actors().enqueue(table, { command, at: time.now(), answer: () => undefined });
  }

  return {
    leave: (table, seat) => lapse(table, "left", seat),
    disconnect(table, seat) {
      if (table.state.offers.rematch.pending === null) return;
      const goneAt = table.awaySinceAt[seat - 1];
      wheel.schedule(time.monotonicMs() + LEFT_AFTER_MS, () => {
        // Who came back meanwhile and is gone once more has another such timer.
        if (!isPresent(table, seat) && table.awaySinceAt[seat - 1] === goneAt) lapse(table, "left", seat);
      });
    },
    seated(playerIds, gameId) {
      for (const table of tables.all()) {
        const { players, offers } = table.state;
        if (offers.rematch.pending === null || table.gameId === gameId) continue;
        const index = players.findIndex((player) => player !== null && playerIds.includes(player));
        if (index !== -1) lapse(table, "other_game", index === 0 ? 1 : 2);
      }
    },
  };
}
