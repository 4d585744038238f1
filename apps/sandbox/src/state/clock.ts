import { type Instant, toInstant } from "@holo/kernel/instant.ts";

/** Where the sandbox's time stands to the machine's. Kept with the state. */
export interface ClockState {
  /** Added to the machine's time; while `frozenAt` stands, nothing is. */
  readonly offsetMs: number;
  readonly frozenAt: number | null;
}

/** The sandbox's own time: it goes with the machine's until a test moves it or stops it. */
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
