import type { Log } from "../log.ts";
import { clearInterval, setInterval } from "../runtime.ts";
import type { Time } from "./time.ts";

export type Cancel = () => void;

export interface TimerWheel {
  /**
   * Calls `fire` once, at the first tick at or after `atMs` of the monotonic clock. A past time
   * fires at the next tick.
   */
  schedule(atMs: number, fire: () => void): Cancel;
  /**
   * Fires all due timers in order. Called by the wheel; tests call it after advancing the clock.
   */
  tick(): void;
  readonly size: number;
  stop(): void;
}

interface TimerWheelDeps {
  readonly time: Time;
  readonly log: Log;
  readonly tickMs?: number;
}

interface Timer {
  readonly dueTick: number;
  readonly fire: () => void;
}

/** One turn takes 16 s; a later timer stays in its slot for further turns. */
const SLOTS = 1_024;

/** One runtime timer for all clocks and pings: scheduling and cancelling are O(1). */
export function openTimerWheel({ time, log, tickMs = 16 }: TimerWheelDeps): TimerWheel {
  const slots = Array.from({ length: SLOTS }, () => new Set<Timer>());
  let size = 0;
  let doneTick = Math.floor(time.monotonicMs() / tickMs);

  const slotOf = (tick: number): Set<Timer> => slots[tick % SLOTS] as Set<Timer>;

  const fireDue = (timer: Timer): void => {
    try {
      timer.fire();
    } catch (err) {
      log.error({ err }, "a timer failed");
    }
  };

  /** Whether a timer was due. */
  const fireSlot = (slot: Set<Timer>, tick: number): boolean => {
    let hasFired = false;
    for (const timer of slot) {
      if (timer.dueTick > tick) continue;
      slot.delete(timer);
      size -= 1;
      hasFired = true;
      fireDue(timer);
    }
    return hasFired;
  };

  const findNextDueTick = (): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const slot of slots) for (const { dueTick } of slot) next = Math.min(next, dueTick);
    return next;
  };

  const tick = (): void => {
    const currentTick = Math.floor(time.monotonicMs() / tickMs);
    // Tick by tick, so that timers fire in order after a stall.
    let idleTicks = 0;
    while (doneTick < currentTick) {
      doneTick += 1;
      idleTicks = fireSlot(slotOf(doneTick), doneTick) ? 0 : idleTicks + 1;
      // Nothing was due for a whole turn: the clock was moved by more than a stall.
      if (idleTicks === SLOTS) {
        doneTick = Math.min(currentTick, findNextDueTick() - 1);
        idleTicks = 0;
      }
    }
  };

  const interval = setInterval(tick, tickMs);
  interval.unref();

  return {
    schedule(atMs, fire) {
      const timer: Timer = { dueTick: Math.max(Math.ceil(atMs / tickMs), doneTick + 1), fire };
      const slot = slotOf(timer.dueTick);
      slot.add(timer);
      size += 1;
      return () => {
        if (slot.delete(timer)) size -= 1;
      };
    },
    tick,
    get size() {
      return size;
    },
    stop: () => clearInterval(interval),
  };
}
