import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { Outage } from "@holo/table/clock.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Cancel, TimerWheel } from "../../platform/time/timer-wheel.ts";

/** The newest outages, oldest first. */
export async function loadOutages(queries: Queries): Promise<readonly Outage[]> {
  const { rows } = await sql<{ from_at: Date; to_at: Date; cause: Outage["cause"] }>`
    select from_at, to_at, cause from outages order by to_at desc limit 1000`.execute(queries);
  return rows
    .map((row) => ({ fromAt: fromTimestamp(row.from_at), toAt: fromTimestamp(row.to_at), cause: row.cause }))
    .reverse();
}

interface OutageStore {
  /** Stores the outage, again and again until the database has it. */
  save(outage: Outage): void;
  close(): Promise<void>;
}

interface OutageStoreDeps {
  readonly queries: Queries;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
}

const RETRY_MS = SECOND_MS;

export function openOutageStore({ queries, time, wheel, log }: OutageStoreDeps): OutageStore {
  const retries = new Set<Cancel>();
  const saving = new Set<Promise<void>>();

  async function save(outage: Outage): Promise<void> {
    try {
      await sql`
        insert into outages (from_at, to_at, cause)
        values (${toTimestamp(outage.fromAt)}, ${toTimestamp(outage.toAt)}, ${outage.cause})
        on conflict do nothing`.execute(queries);
    } catch (err) {
      log.warn({ err, outage }, "an outage is stored again");
      const cancel = wheel.schedule(time.monotonicMs() + RETRY_MS, () => {
        retries.delete(cancel);
        start(outage);
      });
      retries.add(cancel);
    }
  }

  function start(outage: Outage): void {
    const run = save(outage).finally(() => saving.delete(run));
    saving.add(run);
  }

  return {
    save: start,
    async close() {
      await Promise.all(saving);
      for (const cancel of retries) cancel();
    },
  };
}
