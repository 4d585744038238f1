import type { StatsView } from "@holo/protocol/platform.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";

interface StatsStore {
  save(stats: StatsView): void;
  close(): Promise<void>;
}

interface StatsStoreDeps {
  readonly queries: Queries;
  readonly time: Pick<Time, "now">;
  readonly log: Log;
  readonly isShared: boolean;
}

export function openStatsStore({ queries, time, log, isShared }: StatsStoreDeps): StatsStore {
  let next: StatsView | null = null;
  let writing: Promise<void> | null = null;
  let last: StatsView = { playersOnline: 0, gamesPlaying: 0 };

  async function write(): Promise<void> {
    while (next !== null) {
      last = next;
      next = null;
      try {
        await upsertStats(queries, last, time.now());
      } catch (err) {
        // The counts are a copy: the next ones are written again.
        log.warn({ err }, "the counts of players and games could not be stored");
      }
    }
    writing = null;
  }

  function keep(stats: StatsView): void {
    next = stats;
    writing ??= write();
  }

  return {
    save: keep,
    async close() {
      await writing;
      if (isShared) return;
      keep({ ...last, playersOnline: 0 });
      await writing;
    },
  };
}

async function upsertStats(queries: Queries, { playersOnline, gamesPlaying }: StatsView, at: number): Promise<void> {
  await sql`
    insert into realtime_stats (players_online, games_playing, updated_at) values (${playersOnline}, ${gamesPlaying}, ${at})
    on conflict (id) do update set players_online = excluded.players_online, games_playing = excluded.games_playing,
      updated_at = excluded.updated_at`.execute(queries);
}
