import type { Log } from "./log.ts";
import type { Time } from "./time.ts";

export type Cancel = () => void;

export interface TimerWheel {
  /** Calls `fire` once, at the first tick at or after `atMs` on the monotonic clock, never before. A past time fires at the next tick. */
  schedule(atMs: number, fire: () => void): Cancel;
  /** Fires everything that is due, the earliest first. The wheel calls it by itself; tests call it after moving time. */
  tick(): void;
  readonly size: number;
  stop(): void;
}

export interface TimerWheelOptions {
  readonly time: Time;
  readonly log: Log;
  /** How coarse the wheel is, in ms. */
  readonly tickMs?: number;
}

interface Timer {
  readonly dueTick: number;
  readonly fire: () => void;
}

/** A turn of 1,024 slots takes 16 s; a timer further off stays in its slot until its turn has come. */
const SLOTS = 1_024;

/** One timer of the runtime for all clocks and pings: to schedule and to cancel costs the same whatever their number. */
export function openTimerWheel({ time, log, tickMs = 16 }: TimerWheelOptions): TimerWheel {
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

  const fireSlot = (slot: Set<Timer>, tick: number): void => {
    for (const timer of slot) {
      if (timer.dueTick > tick) continue;
      slot.delete(timer);
      size -= 1;
      fireDue(timer);
    }
  };

  const tick = (): void => {
    const currentTick = Math.floor(time.monotonicMs() / tickMs);
    // Ticks one by one, so that after a stall timers still fire in their order.
    while (doneTick < currentTick) {
      doneTick += 1;
      fireSlot(slotOf(doneTick), doneTick);
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
