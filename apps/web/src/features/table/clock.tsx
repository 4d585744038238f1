import type { Seat } from "@holo/rules/rules.ts";
import { useCallback, useMemo } from "react";
import { classes } from "../../ui/classes.ts";
import { isTimed, type Scene, toName, toRemainingMs, withoutPending } from "./scene.ts";
import { toClockTick } from "./ticking.ts";
import { TickingText } from "./ticking-text.tsx";
import { useUnsent } from "./use-unsent.ts";
import "./clock.css";

/** From here on a clock is low (specification 4). */
export const LOW_TIME_MS = 60_000;

/** One player's clock. Whose turn it is can be read from across the room: that one is lit, also while their move may not have arrived. */
export function Clock({ scene: drawn, seat }: { readonly scene: Scene; readonly seat: Seat }) {
  const isUnsent = useUnsent(drawn);
  const scene = useMemo(() => (isUnsent ? withoutPending(drawn) : drawn), [drawn, isUnsent]);
  const isLit = scene.turn === seat;
  const isRunning =
    isLit && isTimed(scene) && scene.shown.table.clock.turnStartedAt !== null && scene.shown.pending === null;
  const tick = useCallback(
    (now: number) => toClockTick(toRemainingMs(scene, seat, now), isRunning),
    [scene, seat, isRunning],
  );
  const markLow = useCallback(
    (element: HTMLElement, now: number) => {
      const isLow = isTimed(scene) && toRemainingMs(scene, seat, now) < LOW_TIME_MS;
      element.parentElement?.toggleAttribute("data-low", isLow);
    },
    [scene, seat],
  );
  return (
    <div className={classes("clock", isLit && "lit")} role="timer" aria-label={`Clock of ${toName(scene, seat)}`}>
      <TickingText tick={tick} onWritten={markLow} />
    </div>
  );
}
