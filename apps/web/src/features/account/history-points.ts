import { MICRO_PER_HC } from "@holo/kernel/money.ts";
import type { BalancePointView, WinRatePointView } from "@holo/protocol/views.ts";
import type { PlotPoint } from "../../ui/plot-path.ts";

/** Holocoins for drawing; what is read stays exact. */
export function toBalancePoints(points: readonly BalancePointView[]): readonly PlotPoint[] {
  return points.map(({ at, balance }) => ({ at, value: Number(balance) / Number(MICRO_PER_HC) }));
}

export interface RatePoint extends PlotPoint {
  readonly games: number;
}

/** Percent of the games completed by then. */
export function toRatePoints(points: readonly WinRatePointView[]): readonly RatePoint[] {
  return points.map(({ at, wins, games }) => ({ at, games, value: (wins / games) * 100 }));
}
