import { useCallback, useMemo, useState } from "react";
import { type RecordStep, stepThrough } from "./record.ts";

export interface TableRecord {
  /** The ply whose position is shown; the newest is the present. */
  readonly ply: number;
  readonly count: number;
  readonly isPast: boolean;
  /** How many moves have come since the past is looked at. */
  readonly newCount: number;
  /** Shows the position after so many plies; the newest leads back to the present. */
  readonly show: (ply: number) => void;
  readonly step: (step: RecordStep) => void;
  readonly leave: () => void;
}

interface Looked {
  readonly ply: number;
  /** How many plies there were when the present was left. */
  readonly countThen: number;
}

/** Which position of a game somebody looks at. Who looks at an earlier one stays there whatever is played. @param count plies on the board */
export function useRecord(count: number): TableRecord {
  const [looked, setLooked] = useState<Looked | null>(null);
  // what was taken back can no longer be looked at
  if (looked !== null && looked.ply >= count) setLooked(null);
  const past = looked !== null && looked.ply < count ? looked : null;
  const ply = past?.ply ?? count;

  const show = useCallback(
    (to: number) => setLooked((now) => (to >= count ? null : { ply: to, countThen: now?.countThen ?? count })),
    [count],
  );
  const step = useCallback((to: RecordStep) => show(stepThrough(ply, count, to)), [show, ply, count]);
  const leave = useCallback(() => setLooked(null), []);
  const isPast = past !== null;
  const newCount = past === null ? 0 : Math.max(0, count - past.countThen);
  return useMemo(
    () => ({ ply, count, isPast, newCount, show, step, leave }),
    [ply, count, isPast, newCount, show, step, leave],
  );
}
