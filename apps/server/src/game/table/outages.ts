import { type Instant, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { Outage } from "@holo/table/clock.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Cancel, TimerWheel } from "../../platform/time/timer-wheel.ts";

/** The newest outages that concerned everyone, oldest first. */
export async function loadOutages(queries: Queries, since: Instant = toInstant(0)): Promise<readonly Outage[]> {
  const { rows } = await sql<{ from_at: Date; to_at: Date; cause: Outage["cause"] }>`
    select from_at, to_at, cause from outages where to_at > ${toTimestamp(since)}
    order by to_at desc limit 1000`.execute(queries);
  return rows
    .map(({ from_at, to_at, cause }) => ({ fromAt: fromTimestamp(from_at), toAt: fromTimestamp(to_at), cause }))
    .reverse();
}

interface OutageStore {
  /** Stores the outage, repeatedly until the database has it. */
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
    const { fromAt, toAt, cause } = outage;
    try {
      await sql`
        insert into outages (from_at, to_at, cause) values (${toTimestamp(fromAt)}, ${toTimestamp(toAt)}, ${cause})
        on conflict do nothing`.execute(queries);
    } catch (err) {
      log.warn({ err, outage }, "an outage could not be stored; trying again");
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
