import { addMs, SECOND_MS } from "@holo/kernel/instant.ts";
import type { Queries } from "../platform/database.ts";
import type { Log } from "../platform/log.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import { loadOverdue } from "./store.ts";
import type { Tables } from "./tables.ts";
import { dropIdle } from "./watching.ts";

/** Finds what ran out where nobody watched, and lets go of tables that are over. */
export interface Sweeper {
  stop(): void;
}

/** Only three seconds after a deadline, so that who serves the table comes first. */
const OVERDUE_AFTER_MS = 3 * SECOND_MS;
const SWEEP_EVERY_MS = 5 * SECOND_MS;

export function openSweeper(queries: Queries, tables: Tables, time: Time, wheel: TimerWheel, log: Log): Sweeper {
  let isStopped = false;
  let cancel = schedule();

  function schedule(): () => void {
    return wheel.schedule(time.monotonicMs() + SWEEP_EVERY_MS, sweep);
  }

  /** Loading a table sets its timer, which is due at once. */
  function sweep(): void {
    for (const table of tables.all()) dropIdle(tables, table);
    loadOverdue(queries, addMs(time.now(), -OVERDUE_AFTER_MS))
      .then((ids) => Promise.all(ids.map((id) => tables.load(id))))
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
