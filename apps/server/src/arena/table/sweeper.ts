import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import { findRestricted } from "../../accounts/accounts.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { loadOverdue, loadWaitingPlayers } from "../log/game-store.ts";
import { dropIdle } from "./presence.ts";
import type { TableRegistry } from "./registry.ts";
import type { Table } from "./table.ts";

/** Finds what ran out where nobody watched or was left half done by who died, and lets go of tables that are over. */
export interface Sweeper {
  stop(): void;
}

export interface SweeperOptions {
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  /** Takes in what was written past a table's mailbox. */
  readonly look: (table: Table) => Promise<void>;
  readonly cancelWaiting: (playerId: PlayerId) => Promise<void>;
}

/** Only three seconds after a deadline, so that who serves the table comes first. */
const OVERDUE_AFTER_MS = 3 * SECOND_MS;
const SWEEP_EVERY_MS = 5 * SECOND_MS;

export function openSweeper(options: SweeperOptions): Sweeper {
  const { queries, tables, time, wheel, log, look, cancelWaiting } = options;
  let isStopped = false;
  let cancel = schedule();

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + SWEEP_EVERY_MS, sweep);
  }

  /** Loading a table sets its timer, which is due at once; one that is served and has another is behind its log. */
  async function loadRunOut(): Promise<void> {
    const ids = await loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS));
    await Promise.all(ids.map(bringUp));
  }

  async function bringUp(gameId: GameId): Promise<void> {
    const served = tables.find(gameId);
    if (served === null) await tables.load(gameId);
    // What is busy comes to it by itself.
    else if (!served.isBusy && served.waiters.length === 0) await look(served);
  }

  /** Who excludes themselves has their waiting game cancelled in a second step, which a crash may have kept from coming. */
  async function cancelExcluded(): Promise<void> {
    const waiting = await loadWaitingPlayers(queries);
    if (waiting.length === 0) return;
    for (const playerId of await findRestricted(queries, waiting, time.now())) await cancelWaiting(playerId);
  }

  function sweep(): void {
    for (const table of tables.all()) dropIdle(tables, table);
    Promise.all([loadRunOut(), cancelExcluded()])
      .catch((err) => log.error({ err }, "the sweeper could not look for what ran out"))
      .finally(() => {
        if (!isStopped) cancel = schedule();
      });
  }

  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}
