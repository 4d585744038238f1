import { isOpen } from "@holo/table/state.ts";
import { useCallback, useMemo, useState } from "react";
import { type HistoryStep, stepPly } from "../../../shared/board/steps.ts";
import type { Table } from "../store/table-fold.ts";
import type { TableViewModel } from "../view-model.ts";

export function rewind(viewModel: TableViewModel, ply: number): TableViewModel {
  const { shown } = viewModel;
  const { table, positions } = shown;
  const moves = table.moves.take(ply);
  const remainingMs = moves.at(-1)?.remainingMs ?? [table.limitMs, table.limitMs];
  return {
    ...viewModel,
    position: positions[ply],
    lastMove: moves.at(-1)?.move ?? null,
    shown: { ...shown, table: { ...table, moves, clock: { ...table.clock, remainingMs } } },
  };
}

/** The mover's remaining ms after each move. Empty during a game, when only the clocks count. */
export function toTimesLeft({ status, moves }: Pick<Table, "status" | "moves">): readonly number[] {
  if (isOpen(status)) return [];
  return moves.map(({ remainingMs }, ply) => remainingMs[ply % 2 === 0 ? 0 : 1]);
}

export function formatPly(ply: number, count: number): string {
  return ply === 0 ? "The start" : `Move ${ply} of ${count}`;
}

export interface GameHistory {
  readonly ply: number;
  readonly count: number;
  readonly isPast: boolean;
  readonly newCount: number;
  readonly show: (ply: number) => void;
  readonly step: (step: HistoryStep) => void;
  readonly returnToCurrent: () => void;
}

interface EarlierPly {
  readonly ply: number;
  readonly countThen: number;
}

/**
 * The position that the viewer looks at. An earlier one stays whatever is played. `count` is the
 * plies on the board.
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
  const returnToCurrent = useCallback(() => setEarlier(null), []);
  const isPast = past !== null;
  const newCount = past === null ? 0 : Math.max(0, count - past.countThen);
  return useMemo(
    () => ({ ply, count, isPast, newCount, show, step, returnToCurrent }),
    [ply, count, isPast, newCount, show, step, returnToCurrent],
  );
}
