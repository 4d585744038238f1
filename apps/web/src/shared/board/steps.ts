export type HistoryStep = "first" | "previous" | "next" | "last";

export const HISTORY_KEYS: Readonly<Record<string, HistoryStep>> = {
  Home: "first",
  ArrowLeft: "previous",
  ArrowRight: "next",
  End: "last",
};

export function stepPly(ply: number, count: number, step: HistoryStep): number {
  const to = { first: 0, previous: ply - 1, next: ply + 1, last: count }[step];
  return Math.min(count, Math.max(0, to));
}
