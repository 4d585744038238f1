import type { LiveFiguresView } from "@holo/protocol/admin/overview.ts";
import { MOVE_SECONDS } from "../../arena/arena.ts";
import { loadOpenPaymentTotals } from "../../payments/payments.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { openRecentHistogram } from "../../platform/metrics/recent-histogram.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { DailyFigures } from "./daily-figures.ts";

/** Current activity, from the metrics of this process; payments are those of all servers. */
export interface LiveFigures {
  load(): Promise<LiveFiguresView>;
  stop(): void;
}

interface LiveFiguresOptions {
  readonly queries: Queries;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly metrics: Metrics;
  readonly dailyFigures: DailyFigures;
}

export function openLiveFigures({ queries, time, wheel, metrics, dailyFigures }: LiveFiguresOptions): LiveFigures {
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
          dailyFigures.load(),
          loadOpenPaymentTotals(queries),
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
