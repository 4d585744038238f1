import type { LiveFiguresView } from "@holo/protocol/admin/overview.ts";
import { MOVE_SECONDS } from "../../game/game.ts";
import { loadOpenPaymentTotals } from "../../payments/payments.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";
import { openRecentHistogram } from "../../platform/metrics/recent-histogram.ts";
import type { Links } from "../../platform/servers/links.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { DailyFigures } from "./daily-figures.ts";
import { type OwnFigures, openServerFigures } from "./server-figures.ts";

/** Current activity of all servers. */
export interface LiveFigures {
  load(): Promise<LiveFiguresView>;
  stop(): void;
}

interface LiveFiguresDeps {
  readonly queries: Queries;
  /** Null: there is no other server. */
  readonly links: Pick<Links, "isConnected" | "broadcast" | "onMessage"> | null;
  readonly log: Log;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly metrics: Metrics;
  readonly dailyFigures: DailyFigures;
}

export function openLiveFigures(deps: LiveFiguresDeps): LiveFigures {
  const { queries, time, wheel, metrics, dailyFigures } = deps;
  const moves = openRecentHistogram({ metrics, name: MOVE_SECONDS, time, wheel });
  const servers = openServerFigures({ ...deps, measure });

  async function measure(): Promise<OwnFigures> {
    const [connections, memoryBytes, recent] = await Promise.all([
      metrics.readValue("holo_connections"),
      metrics.readValue("process_resident_memory_bytes"),
      moves.read(),
    ]);
    return {
      connections,
      memoryBytes,
      movesPerSecond: Math.round(recent.perSecond * 100) / 100,
      moveP99Ms: recent.p99Seconds === null ? null : Math.round(recent.p99Seconds * 10_000) / 10,
    };
  }

  return {
    async load() {
      const [playersOnline, gamesPlaying, gamesWaiting, measured, perDay, underWay] = await Promise.all([
        metrics.readValue("holo_players_online"),
        metrics.readValue("holo_games_playing"),
        metrics.readValue("holo_games_waiting"),
        servers.load(),
        dailyFigures.load(),
        loadOpenPaymentTotals(queries),
      ]);
      const today = perDay.at(-1);
      return {
        at: time.now(),
        playersOnline,
        gamesPlaying,
        gamesWaiting,
        ...measured,
        depositsTodayKobo: Number(today?.deposits ?? 0n),
        withdrawalsTodayKobo: Number(today?.withdrawals ?? 0n),
        pendingDeposits: { count: underWay.deposits.count, kobo: Number(underWay.deposits.kobo) },
        pendingWithdrawals: { count: underWay.withdrawals.count, kobo: Number(underWay.withdrawals.kobo) },
      };
    },
    stop() {
      servers.stop();
      moves.stop();
    },
  };
}
