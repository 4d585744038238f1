import { type Instant, toInstant } from "@holo/kernel/instant.ts";

/** The difference between the sandbox's clock and the machine's. Part of the state. */
export interface ClockState {
  /** Added to the machine's time, unless `frozenAt` is set. */
  readonly offsetMs: number;
  readonly frozenAt: number | null;
}

/** Follows the machine's clock until a test sets or freezes it. */
export interface Clock {
  now(): Instant;
  set(at: number): void;
  freeze(isFrozen: boolean): void;
  isFrozen(): boolean;
}

export function openClock(holder: { clock: ClockState }): Clock {
  const now = (): Instant => toInstant(holder.clock.frozenAt ?? Date.now() + holder.clock.offsetMs);
  return {
    now,
    set(at) {
      const { frozenAt } = holder.clock;
      holder.clock = { offsetMs: at - Date.now(), frozenAt: frozenAt === null ? null : at };
    },
    freeze(isFrozen) {
      const at = now();
      holder.clock = { offsetMs: at - Date.now(), frozenAt: isFrozen ? at : null };
    },
    isFrozen: () => holder.clock.frozenAt !== null,
  };
}
