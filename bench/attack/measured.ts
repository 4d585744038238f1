import { formatNumber } from "../report.ts";
import { median, quantile } from "../statistics.ts";

/** Honest moves while a server was flooded, or was not. */
export interface Measured {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
  readonly megabytes: number;
  readonly sent: number;
  /** Questions to /readyz without an answer. */
  readonly unready: number;
  readonly othersShare: number;
}

export function toMeasured(
  acknowledgedMs: readonly number[],
  rest: Pick<Measured, "megabytes" | "sent" | "unready" | "othersShare">,
): Measured {
  const [p50Ms, p99Ms, worstMs] = [0.5, 0.99, 1].map((q) => quantile(acknowledgedMs, q)) as [number, number, number];
  return { p50Ms, p99Ms, worstMs, ...rest };
}

/**
 * Of several rounds: a pause in one of them is its p99, and says nothing about the others.
 * `worstMs` is of all moves.
 */
export function combineRounds(rounds: readonly Measured[]): Measured {
  const list = (key: keyof Measured): readonly number[] => rounds.map((round) => round[key]);
  return {
    p50Ms: median(list("p50Ms")),
    p99Ms: median(list("p99Ms")),
    worstMs: Math.max(...list("worstMs")),
    megabytes: Math.max(...list("megabytes")),
    sent: list("sent").reduce((sum, one) => sum + one, 0),
    unready: list("unready").reduce((sum, one) => sum + one, 0),
    othersShare: Math.max(...list("othersShare")),
  };
}

export const RATIO_MAX = 3;

function toRatio(measured: Measured, quiet: Measured): number {
  return measured.p99Ms / quiet.p99Ms;
}

/** The ratio to the quiet p99; `RATIO_MAX` at most where the floor is as slow under the flood. */
export function toJudgedRatio(measured: Measured, quiet: Measured, floor: Measured): number {
  const ratio = toRatio(measured, quiet);
  return measured.p99Ms <= floor.p99Ms ? Math.min(ratio, RATIO_MAX) : ratio;
}

export function formatFlood(quiet: Measured, floor: Measured, flooded: readonly Measured[], credits: number): string {
  const all = [quiet, floor, ...flooded];
  const join = (toNumber: (one: Measured) => number, digits?: number): string =>
    flooded.map((one) => formatNumber(toNumber(one), digits)).join("/");
  return [
    `p99 quiet ${formatNumber(quiet.p99Ms)}, floor ${formatNumber(floor.p99Ms)}`,
    `flooded ${join(({ p99Ms }) => p99Ms)} ms`,
    `worst ${formatNumber(quiet.worstMs)}, ${formatNumber(floor.worstMs)}, ${join(({ worstMs }) => worstMs)} ms`,
    `p50 ${formatNumber(quiet.p50Ms)} -> ${join(({ p50Ms }) => p50Ms)} ms`,
    `to quiet ${join((one) => toRatio(one, quiet), 1)}, floor ${formatNumber(toRatio(floor, quiet), 1)}`,
    `${formatNumber(Math.max(...flooded.map(({ megabytes }) => megabytes)))} MB`,
    `${credits} credits`,
    `/readyz unanswered ${flooded.reduce((sum, { unready }) => sum + unready, 0)}`,
    `others ${formatNumber(Math.max(...all.map(({ othersShare }) => othersShare)) * 100)} %`,
    `sent ${formatNumber(floor.sent)} | ${join(({ sent }) => sent)}`,
  ].join("; ");
}
