import { useCallback, useMemo, useState } from "react";
import { type HistoryStep, stepPly } from "./history.ts";

export interface GameHistory {
  /** The ply that is shown; the newest is the current position. */
  readonly ply: number;
  readonly count: number;
  readonly isPast: boolean;
  /** How many moves were made since an earlier position is shown. */
  readonly newCount: number;
  /** Shows the position after a ply; the newest returns to the current position. */
  readonly show: (ply: number) => void;
  readonly step: (step: HistoryStep) => void;
  readonly leave: () => void;
}

interface EarlierPly {
  readonly ply: number;
  /** The number of plies when the current position was left. */
  readonly countThen: number;
}

/**
 * Which position the viewer looks at. An earlier one stays, whatever is played.
 * @param count plies on the board
 */
export function useGameHistory(count: number): GameHistory {
  const [earlier, setEarlier] = useState<EarlierPly | null>(null);
  // A takeback may remove the position that is shown.
  if (earlier !== null && earlier.ply >= count) setEarlier(null);
  const past = earlier !== null && earlier.ply < count ? earlier : null;
  const ply = past?.ply ?? count;

  const show = useCallback(
    (to: number) => setEarlier((now) => (to >= count ? null : { ply: to, countThen: now?.countThen ?? count })),
    [count],
  );
  const step = useCallback((to: HistoryStep) => show(stepPly(ply, count, to)), [show, ply, count]);
  const leave = useCallback(() => setEarlier(null), []);
  const isPast = past !== null;
  const newCount = past === null ? 0 : Math.max(0, count - past.countThen);
  return useMemo(
    () => ({ ply, count, isPast, newCount, show, step, leave }),
    [ply, count, isPast, newCount, show, step, leave],
  );
}
