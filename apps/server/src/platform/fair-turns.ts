import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { clearTimeout, setTimeout } from "./runtime.ts";

export interface Job {
  /** `end` gives the place to the next job. */
  start(end: () => void): void;
  refuse(): void;
}

interface FairTurnsOptions {
  readonly atOnceMax: number;
  /** Beyond it the newest job of the source with the most gives way. */
  readonly waitingMax: number;
  /** How long a place stays empty after a job. Default: not at all. */
  readonly pauseMs?: number;
  /** A job that takes longer waits for something else and gives its place away. Default: never. */
  readonly heldMs?: number | undefined;
}

/** Runs a few jobs at a time. Sources take turns, so that none with many jobs delays another. */
export class FairTurns {
  readonly #options: FairTurnsOptions;
  /** In the order of their next turn. */
  readonly #waiting = new Map<string, Job[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(options: FairTurnsOptions) {
    this.#options = options;
  }

  add(source: string, job: Job): void {
    const own = this.#waiting.get(source);
    if (own === undefined) this.#waiting.set(source, [job]);
    else own.push(job);
    this.#waitingCount += 1;
    this.#startWaiting();
    if (this.#waitingCount > this.#options.waitingMax) this.#takeNewestOfLongest().refuse();
  }

  run<Value>(source: string, work: () => Promise<Value>): Promise<Result<Value, "too_many_requests">> {
    return new Promise((resolve, reject) => {
      this.add(source, {
        start: (end) =>
          void work()
            .then((value) => resolve(ok(value)), reject)
            .finally(end),
        refuse: () => resolve(refuse("too_many_requests")),
      });
    });
  }

  #startWaiting(): void {
    while (this.#running < this.#options.atOnceMax) {
      const job = this.#takeNext();
      if (job === undefined) return;
      this.#start(job);
    }
  }

  #start(job: Job): void {
    const { pauseMs, heldMs } = this.#options;
    let isHeld = true;
    const free = (): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.#running -= 1;
      this.#startWaiting();
    };
    const timer = heldMs === undefined ? undefined : setTimeout(free, heldMs);
    this.#running += 1;
    job.start(pauseMs === undefined ? free : () => void setTimeout(free, pauseMs));
  }

  #takeNext(): Job | undefined {
    const next = this.#waiting.entries().next();
    if (next.done === true) return undefined;
    const [source, jobs] = next.value;
    const job = jobs.shift();
    this.#waiting.delete(source);
    if (jobs.length > 0) this.#waiting.set(source, jobs);
    this.#waitingCount -= 1;
    return job;
  }

  #takeNewestOfLongest(): Job {
    let [longest, jobs]: [string, Job[]] = ["", []];
    for (const [source, own] of this.#waiting) if (own.length >= jobs.length) [longest, jobs] = [source, own];
    const job = jobs.pop()!;
    if (jobs.length === 0) this.#waiting.delete(longest);
    this.#waitingCount -= 1;
    return job;
  }
}

/** An IPv4 address, or the /48 of an IPv6 address, which one customer has. */
export function toTurnSource(address: string): string {
  return address.endsWith("::/64") ? address.split(":").slice(0, 3).join(":") : address;
}
