import { BrokenInvariant } from "@holo/kernel/assert.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { loadWallets } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import { loadLog } from "../log/game-store.ts";
import { parseRecord } from "../log/log-record.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Clocks } from "./clocks.ts";
import { toTableFrame } from "./frames.ts";
import { foldOn, type LoadPlayers, type TableRegistry } from "./registry.ts";
import { isPresent, type Table } from "./table.ts";
import type { TableActors } from "./table-actor.ts";

/** Brings a table that is behind, or that stopped, up to what the database holds. */
export interface Resync {
  /** Takes in what others wrote since, and shows it. Rejects where the database does not answer; then nothing has changed here. */
  resync(table: Table): Promise<void>;
  /** Tells its players, and who looks at the lobby, how the table stands, and the players what they have. */
  broadcastStatus(table: Table): Promise<void>;
  /**
   * Reads a table that stopped anew, however long the database is away, and goes on with what waited there: at once the first time, and
   * ever later where it stops again and again.
   */
  restart(table: Table): void;
  stop(): void;
}

export interface ResyncDeps {
  readonly queries: Queries;
  readonly loadPlayers: LoadPlayers;
  readonly tables: TableRegistry;
  readonly clocks: Clocks;
  readonly broadcast: Broadcast;
  readonly actors: TableActors;
  /** What is due to a table that was just read. */
  readonly onLoaded: (table: Table) => void;
  readonly time: Time;
  readonly log: Log;
}

/** A table that stopped is tried again so often until it can be read. */
const RESTART_MS = 500;
/** The longest that what waits at a table has to wait because it stopped again. */
const RESTART_MS_MAX = 10 * SECOND_MS;
/** A table that went on for so long is well again. */
const WELL_AFTER_MS = 60 * SECOND_MS;

/** How often a table stopped in a row, and when it did so last. */
interface Stops {
  readonly count: number;
  readonly newestMs: number;
}

export function openResync(deps: ResyncDeps): Resync {
  const { queries, loadPlayers, tables, clocks, broadcast, actors, time, log } = deps;
  const stops = new WeakMap<Table, Stops>();
  /** Tables that stopped, until they are read again. */
  const waiting = new Map<Table, NodeJS.Timeout>();
  let isStopped = false;

  async function broadcastStatus(table: Table): Promise<void> {
    broadcast.broadcastStatus(table);
    const players = table.state.players.filter((id) => id !== null);
    broadcast.sendWallets(await loadWallets(queries, players));
  }

  function restart(table: Table): void {
    table.cancelTimer?.();
    table.cancelTimer = null;
    const nowMs = time.monotonicMs();
    const before = stops.get(table);
    const count = before === undefined || nowMs - before.newestMs > WELL_AFTER_MS ? 0 : before.count + 1;
    stops.set(table, { count, newestMs: nowMs });
    if (count === 0) readAgain(table);
    else wait(table, Math.min(RESTART_MS * 2 ** (count - 1), RESTART_MS_MAX));
  }

  function wait(table: Table, ms: number): void {
    if (isStopped) return letGo(table);
    const timer = setTimeout(() => {
      waiting.delete(table);
      readAgain(table);
    }, ms);
    waiting.set(table, timer);
  }

  function letGo(table: Table): void {
    tables.drop(table);
    actors.abandon(table);
  }

  function readAgain(table: Table): void {
    tables.reload(table).then(
      () => {
        for (const watcher of table.watchers) watcher.send(toTableFrame(table, watcher, 0, time.now()));
        // The credit of an outage comes before what was asked for in the middle of it.
        const queue = table.queue.splice(0);
        deps.onLoaded(table);
        table.queue.push(...queue);
        actors.resume(table);
      },
      (err) => {
        log.error({ err, gameId: table.gameId }, "a table that stopped could not be read again");
        if (err instanceof BrokenInvariant) letGo(table);
        else wait(table, RESTART_MS);
      },
    );
  }

  return {
    async resync(table) {
      const since = table.state.version;
      const { status: statusBefore, offers: offersBefore } = table.state;
      const rows = await loadLog(queries, table.gameId, since);
      if (rows.length === 0) return;
      const known = foldOn(table, rows);
      const ids = known.state.players.filter((id) => id !== null);
      const players = await loadPlayers(ids);
      // All at once: where one of the questions fails, nothing of it has happened here.
      table.state = known.state;
      table.records = known.records;
      table.hash = known.hash;
      const [first, second] = known.state.players;
      table.players = [
        players.get(first) ?? table.players[0],
        second === null ? null : (players.get(second) ?? { id: second, username: "Player 2" }),
      ];
      const hasBegun = statusBefore === "waiting" && table.state.status === "active";
      if (hasBegun) table.awaySinceAt[1] = isPresent(table, 2) ? null : table.state.changedAt;
      clocks.markPositionSent(table, false);
      clocks.schedule(table);
      for (const watcher of table.watchers) watcher.send(toTableFrame(table, watcher, since, time.now()));
      for (const { text } of rows) broadcast.sendNotices(table, parseRecord(text));
      if (table.state.status !== statusBefore) await broadcastStatus(table);
      const { gameId } = table.state.offers.rematch;
      const rematch = gameId === null || gameId === offersBefore.rematch.gameId ? null : await tables.load(gameId);
      if (rematch !== null) await broadcastStatus(rematch);
    },
    broadcastStatus,
    restart,
    stop() {
      isStopped = true;
      for (const [table, timer] of waiting) {
        clearTimeout(timer);
        letGo(table);
      }
      waiting.clear();
    },
  };
}
