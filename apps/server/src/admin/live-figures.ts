import type { LiveFiguresView } from "@holo/protocol/admin-views.ts";
import { MOVE_SECONDS } from "../arena/arena.ts";
import { loadUnderWay } from "../payments/payments.ts";
import type { Queries } from "../platform/database.ts";
import type { Metrics } from "../platform/metrics.ts";
import { openRecentHistogram } from "../platform/recent-histogram.ts";
import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import type { Days } from "./days.ts";

/** What goes on at this moment, by the counts that operators read at /metrics: of this server process alone. Money is everybody's. */
export interface LiveFigures {
  load(): Promise<LiveFiguresView>;
  stop(): void;
}

export interface LiveFiguresOptions {
  readonly queries: Queries;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly metrics: Metrics;
  readonly days: Days;
}

export function openLiveFigures({ queries, time, wheel, metrics, days }: LiveFiguresOptions): LiveFigures {
  const moves = openRecentHistogram({ metrics, name: MOVE_SECONDS, time, wheel });

  return {
    async load() {
      const [playersOnline, gamesPlaying, gamesWaiting, connections, memoryBytes, recent, perDay, underWay] =
        await Promise.all([
          metrics.readValue("holo_players_online"),
          metrics.readValue("holo_games_playing"),
          metrics.readValue("holo_games_waiting"),
          metrics.readValue("holo_connections"),
          metrics.readValue("process_resident_memory_bytes"),
          moves.read(),
          days.load(),
          loadUnderWay(queries),
        ]);
      const today = perDay.at(-1);
      return {
        at: time.now(),
        playersOnline,
        gamesPlaying,
        gamesWaiting,
        connections,
        memoryBytes,
        movesPerSecond: Math.round(recent.perSecond * 100) / 100,
        moveP99Ms: recent.p99Seconds === null ? null : Math.round(recent.p99Seconds * 10_000) / 10,
        depositsTodayKobo: Number(today?.deposits ?? 0n),
        withdrawalsTodayKobo: Number(today?.withdrawals ?? 0n),
        pendingDeposits: { count: underWay.deposits.count, kobo: Number(underWay.deposits.kobo) },
        pendingWithdrawals: { count: underWay.withdrawals.count, kobo: Number(underWay.withdrawals.kobo) },
      };
    },
    stop: moves.stop,
  };
}
