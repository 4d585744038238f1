import type { PacedDelivery } from "../platform/paced-delivery.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";

export interface FeedTickDeps {
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly delivery: PacedDelivery;
  readonly tickMs: number;
}

/**
 * Runs once, `tickMs` after it was first scheduled. If earlier changes are still being sent, it
 * waits another tick: the next ones are sent together.
 */
export class FeedTick {
  readonly #deps: FeedTickDeps;
  readonly #run: () => void;
  #isDue = false;

  constructor(deps: FeedTickDeps, run: () => void) {
    this.#deps = deps;
    this.#run = run;
  }

  schedule(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    const { time, wheel, tickMs } = this.#deps;
    wheel.schedule(time.monotonicMs() + tickMs, () => this.#tick());
  }

  #tick(): void {
    this.#isDue = false;
    if (this.#deps.delivery.isBusy) this.schedule();
    else this.#run();
  }
}
