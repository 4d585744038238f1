import type { GameId } from "@holo/kernel/ids.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Time } from "../../platform/time/time.ts";
import type { RematchLapses } from "../matchmaking/rematch-lapses.ts";
import { toPresenceFrame, toTableFrame } from "./frames.ts";
import type { TableRegistry } from "./registry.ts";
import { isPresent, seatOf, type Table, type Watcher } from "./table.ts";
import type { TableActors } from "./table-actor.ts";

/** Who looks at which table, and what its players know of each other's presence. */
export interface TablePresence {
  /** Whether a table is here already; any other is read from its log first, which for a long game takes milliseconds. */
  isServed(gameId: GameId): boolean;
  /** Shows a table from `since` on, and from now on all that happens there. False if there is no such game. */
  watch(watcher: Watcher, gameId: GameId, since: number): Promise<boolean>;
  /** They turned to something else: an offered rematch lapses with that (ruling 19). */
  unwatch(watcher: Watcher, gameId: GameId): void;
  /** Their connection is lost; they may be back in a moment. */
  dropWatcher(watcher: Watcher, gameId: GameId): void;
  /** The table waits for players from now on: who looks at it all the while is back already. */
  returnPresent(table: Table): void;
}

/** A table that is over, and that nobody looks at or asks something of, is not kept, once no rematch is offered there that could still run out. */
export function dropIdle(tables: TableRegistry, table: Table): void {
  const { status, offers } = table.state;
  const isOver = !isOpen(status) && offers.rematch.pending === null;
  const isAsked = table.isBusy || table.queue.length > 0 || table.waiters.length > 0;
  if (isOver && table.watchers.size === 0 && !isAsked) tables.drop(table);
}

export function openTablePresence(
  tables: TableRegistry,
  actors: TableActors,
  rematches: RematchLapses,
  time: Time,
): TablePresence {
  function broadcastPresence(table: Table, seat: Seat, isPresent: boolean): void {
    table.awaySinceAt[seat - 1] = isPresent ? null : time.now();
    const frame = toPresenceFrame(table, seat);
    for (const watcher of table.watchers) watcher.send(frame);
  }

  function returnAwaited(table: Table, seat: Seat): void {
    if (!table.state.clock.awaited.includes(seat)) return;
    actors.enqueue(table, { command: { type: "return", seat }, at: time.now(), answer: () => undefined });
  }

  function remove(watcher: Watcher, gameId: GameId, isLost: boolean): void {
    const table = tables.find(gameId);
    if (table === null || !table.watchers.delete(watcher)) return;
    const seat = seatOf(table, watcher.player);
    if (seat !== null && !isPresent(table, seat)) {
      broadcastPresence(table, seat, false);
      if (isLost) rematches.disconnect(table, seat);
      else rematches.leave(table, seat);
    }
    dropIdle(tables, table);
  }

  return {
    isServed: (gameId) => tables.find(gameId) !== null,
    async watch(watcher, gameId, since) {
      const table = await tables.load(gameId);
      if (table === null) return false;
      const seat = seatOf(table, watcher.player);
      const wasHere = seat === null || isPresent(table, seat);
      table.watchers.add(watcher);
      if (seat !== null && !wasHere) broadcastPresence(table, seat, true);
      watcher.send(toTableFrame(table, watcher, since, time.now()));
      if (seat !== null) returnAwaited(table, seat);
      return true;
    },
    unwatch: (watcher, gameId) => remove(watcher, gameId, false),
    dropWatcher: (watcher, gameId) => remove(watcher, gameId, true),
    returnPresent(table) {
      for (const seat of table.state.clock.awaited) if (isPresent(table, seat)) returnAwaited(table, seat);
    },
  };
}
