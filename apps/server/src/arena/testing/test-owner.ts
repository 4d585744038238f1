import { randomUUID } from "node:crypto";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Database } from "../../platform/database/database.ts";
import type { OwnFence } from "../../platform/servers/fence.ts";

export interface TestOwner extends OwnFence {
  readonly serverId: string;
  /** How many writes were refused. */
  countFenced(): number;
  /** Ends the server, as another one would. */
  end(end?: Partial<TestEnd>): Promise<void>;
}

interface TestEnd {
  readonly lastBeatAt: Instant;
  readonly endedAt: Instant;
  readonly cause: "stopped" | "gone" | "stalled";
}

const NOW = 1_000 as Instant;

/** A server's row, for tests of what it may write. */
export async function addTestOwner({ pool }: Pick<Database, "pool">): Promise<TestOwner> {
  const serverId = randomUUID();
  const { rows } = await pool.query<{ start: string }>(
    `with added as (insert into servers (server_id, process, place, name, is_shared, started_at, serving_at)
       values ($1, $1, 'a test', 'test', true, now(), now()))
     select extract(epoch from pg_postmaster_start_time())::text as start`,
    [serverId],
  );
  const fence = { serverId, databaseStart: rows[0]!.start };
  let fenced = 0;
  return {
    serverId,
    fence: () => fence,
    noteFenced: () => {
      fenced += 1;
    },
    countFenced: () => fenced,
    async end({ lastBeatAt = NOW, endedAt = NOW, cause = "gone" } = {}) {
      await pool.query(
        "update servers set last_beat_at = $2, ended_at = $3, end_cause = $4 where server_id = $1 and ended_at is null",
        [serverId, lastBeatAt, endedAt, cause],
      );
    },
  };
}
