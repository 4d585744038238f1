import type { Seat } from "@holo/rules/rules.ts";
import { useCallback, useMemo } from "react";
import { classes } from "../../../ui/text/classes.ts";
import { isTimed, type TableViewModel, toName, toRemainingMs, withoutPending } from "../view-model.ts";
import { LOW_TIME_MS, toClockTick } from "./ticking.ts";
import { TickingText } from "./ticking-text.tsx";
import { useUnsent } from "./use-unsent.ts";

/**
 * One player's clock. It is lit while it is their turn, and while their move may not have arrived.
 */
export function Clock({ viewModel: drawn, seat }: { readonly viewModel: TableViewModel; readonly seat: Seat }) {
  const isUnsent = useUnsent(drawn);
  const viewModel = useMemo(() => (isUnsent ? withoutPending(drawn) : drawn), [drawn, isUnsent]);
  const isLit = viewModel.turn === seat;
  const isRunning =
    isLit &&
    isTimed(viewModel) &&
    viewModel.shown.table.clock.turnStartedAt !== null &&
    viewModel.shown.pending === null;
  const tick = useCallback(
    (now: number) => toClockTick(toRemainingMs(viewModel, seat, now), isRunning),
    [viewModel, seat, isRunning],
  );
  const markLow = useCallback(
    (element: HTMLElement, now: number) => {
      const isLow = isTimed(viewModel) && toRemainingMs(viewModel, seat, now) < LOW_TIME_MS;
      element.parentElement?.toggleAttribute("data-low", isLow);
    },
    [viewModel, seat],
  );
  return (
    <div className={classes("clock", isLit && "lit")} role="timer" aria-label={`Clock of ${toName(viewModel, seat)}`}>
      <TickingText tick={tick} onWritten={markLow} />
    </div>
  );
}
