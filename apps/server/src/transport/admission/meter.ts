import type { RateLimit } from "../../platform/rate-limiter.ts";

export interface Source {
  /** The session or device of a signed cookie, else the network address. */
  readonly key: string;
  readonly address: string;
  /** Whether a signed cookie names it. It is then never refused for its address. */
  readonly isKnown: boolean;
}

/** The budgets of all sources. */
interface Budgets {
  readonly limits: { readonly perConnectionOfKnown: RateLimit; readonly perConnectionOfStranger: RateLimit };
  trySpend(source: Source, cost: number): boolean;
  charge(source: Source, cost: number): void;
}

/**
 * What one connection may cost: a bucket of its own, so that a flooder loses its connection first,
 * and behind it the budget of its source.
 */
export class Meter {
  readonly #budgets: Budgets;
  readonly #nowMs: () => number;
  #source: Source;
  #tokens: number;
  #countedMs: number;
  #isFined = false;

  constructor(budgets: Budgets, source: Source, nowMs: () => number) {
    this.#budgets = budgets;
    this.#nowMs = nowMs;
    this.#source = source;
    this.#tokens = this.#limit.burst;
    this.#countedMs = nowMs();
  }

  get source(): Source {
    return this.#source;
  }

  /** A request has named its sender. */
  set source(source: Source) {
    const { burst } = this.#limit;
    this.#source = source;
    this.#tokens += this.#limit.burst - burst;
  }

  get #limit(): RateLimit {
    const { perConnectionOfKnown, perConnectionOfStranger } = this.#budgets.limits;
    return this.#source.isKnown ? perConnectionOfKnown : perConnectionOfStranger;
  }

  trySpend(cost: number): boolean {
    return this.trySpendOwn(cost) && this.#budgets.trySpend(this.#source, cost);
  }

  /** For bytes, which cost the connection alone. */
  trySpendOwn(cost: number): boolean {
    const { burst, refillMs } = this.#limit;
    const nowMs = this.#nowMs();
    this.#tokens = Math.min(burst, this.#tokens + (nowMs - this.#countedMs) / refillMs) - cost;
    this.#countedMs = nowMs;
    return this.#tokens >= 0;
  }

  /** Takes a cost that is known only afterwards. */
  charge(cost: number): void {
    this.#tokens -= cost;
    this.#budgets.charge(this.#source, cost);
  }

  /** What a flood costs its source, once for each connection. */
  fine(cost: number): void {
    if (!this.#isFined) this.#budgets.charge(this.#source, cost);
    this.#isFined = true;
  }
}
