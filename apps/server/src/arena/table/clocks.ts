import type { Delivery } from "@holo/table/clock.ts";
import { type Deadline, toDeadline } from "@holo/table/deadline.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Cancel, TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Table } from "./table.ts";

export interface ClockDeps {
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  /** False while an outage may be in progress: its credit must come before any flag (ruling 16). */
  readonly isServed: () => boolean;
}

export interface ClockOwner {
  /** Network time of the player to move. */
  lagMs(): number;
  /** Called once a deadline has passed. */
  onDue(delivery: Delivery): void;
}

/** Added to a deadline, so that the rounding of a timer never costs the last millisecond. */
const TIMER_SLACK_MS = 1;

/** How often a flag is checked again during an outage. */
const RECHECK_MS = 500;

/** The one timer of a table: it fires at the next deadline, never early. */
export class TableClock {
  readonly #deps: ClockDeps;
  readonly #table: Pick<Table, "rules" | "state">;
  readonly #owner: ClockOwner;
  #sentAt: Delivery["sentAt"] = null;
  /** Time that the node had lost when the position was sent. */
  #stalledMsWhenSent = 0;
  #cancelTimer: Cancel | null = null;

  constructor(deps: ClockDeps, table: Pick<Table, "rules" | "state">, owner: ClockOwner) {
    this.#deps = deps;
    this.#table = table;
    this.#owner = owner;
  }

  /** Replaces the timer. Called after every record and after the players' presence changed. */
  schedule(): void {
    this.cancel();
    const due = this.#toDeadline();
    if (due === null) return;
    this.#setTimer(Math.max(0, due.at - this.#deps.time.now() + TIMER_SLACK_MS));
  }

  scheduleIfIdle(): void {
    if (this.#cancelTimer === null) this.schedule();
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** @param isSent whether the player to move has received the position */
  markPositionSent(isSent: boolean): void {
    this.#sentAt = isSent ? this.#deps.time.now() : null;
    this.#stalledMsWhenSent = this.#deps.stalls.stalledMs();
  }

  /** How the newest position reached the player to move, for charging their move or their flag. */
  measureDelivery(): Delivery {
    const stallMs = this.#deps.stalls.stalledMs() - this.#stalledMsWhenSent;
    return { sentAt: this.#sentAt, lagMs: this.#owner.lagMs(), stallMs };
  }

  #setTimer(inMs: number): void {
    const { wheel, time } = this.#deps;
    this.#cancelTimer = wheel.schedule(time.monotonicMs() + inMs, () => this.#fire());
  }

  #toDeadline(): Deadline | null {
    return toDeadline(this.#table.rules, this.#table.state, this.measureDelivery());
  }

  #fire(): void {
    this.#cancelTimer = null;
    const due = this.#toDeadline();
    if (due === null) return;
    if (due.at > this.#deps.time.now()) return this.schedule();
    if (!this.#deps.isServed()) return this.#setTimer(RECHECK_MS);
    // Timers run before sockets are read: a move that has arrived must come first.
    setImmediate(() => this.#owner.onDue(this.measureDelivery()));
  }
}
