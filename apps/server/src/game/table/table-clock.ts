import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Delivery } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { type Deadline, toDeadline } from "@holo/table/deadline.ts";
import { setImmediate } from "../../platform/runtime.ts";
import type { OutageMeter } from "../../platform/time/outage-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Cancel, TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Arrival, QueuedCommand } from "./queued-command.ts";
import type { TableView } from "./table-view.ts";

export interface ClockDeps {
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly outages: OutageMeter;
}

interface ClockOwner {
  /** The longest network time of the player to move: a move in flight precedes the flag. */
  lagMs(): number;
  /** Asked at a deadline: false while something is unsure that would come before it. */
  mayExpire(): Promise<boolean>;
  onDue(): void;
  /** The player to move has `SHORT_MS` left, or had less when their turn began. */
  onShort(): void;
}

/** Added to a deadline, so that the rounding of a timer never costs the last millisecond. */
const TIMER_SLACK_MS = 1;

const RECHECK_MS = 500;

/** So little time is short (ruling 45): about as long as it takes to come back to a phone. */
const SHORT_MS = MINUTE_MS;

/**
 * The timer of a table: it fires at the next deadline, never early. Another one tells of short
 * time.
 */
export class TableClock {
  readonly #deps: ClockDeps;
  readonly #table: Pick<TableView, "rules" | "state">;
  readonly #owner: ClockOwner;
  #sentAt: Delivery["sentAt"] = null;
  #lostMsBefore = 0;
  #cancelTimer: Cancel | null = null;
  #cancelShort: Cancel | null = null;
  #isClosed = false;

  constructor(deps: ClockDeps, table: Pick<TableView, "rules" | "state">, owner: ClockOwner) {
    this.#deps = deps;
    this.#table = table;
    this.#owner = owner;
  }

  schedule(): void {
    this.cancel();
    const due = this.#toDeadline();
    if (due === null) return;
    const inMs = due.at - this.#deps.time.now();
    this.#setTimer(Math.max(0, inMs + TIMER_SLACK_MS));
    if (due.type === "time") this.#setShort(Math.max(0, inMs - SHORT_MS));
  }

  scheduleIfIdle(): void {
    if (this.#cancelTimer === null) this.schedule();
  }

  cancel(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#cancelShort?.();
    this.#cancelShort = null;
  }

  /** Permanent: commands that still end in the queue schedule no timer. */
  close(): void {
    this.cancel();
    this.#isClosed = true;
  }

  /** The position was stored and sent: the player to move can think from now on. */
  markTurnStarted(): void {
    this.#sentAt = this.#deps.time.now();
    this.#lostMsBefore = this.#deps.outages.lostMs();
  }

  /** The table was loaded: earlier losses are credited by instants, not by measurement. */
  markLoaded(): void {
    this.#sentAt = null;
    this.#lostMsBefore = this.#deps.outages.lostMs();
  }

  markCredited(lostMs: number): void {
    this.#lostMsBefore = Math.max(this.#lostMsBefore, lostMs);
  }

  /** How the newest position reached the player to move, for charging their answer. */
  #measureDelivery({ lostMs, lagMs }: Pick<Arrival, "lostMs" | "lagMs">): Delivery {
    return { sentAt: this.#sentAt, lagMs, stallMs: Math.max(0, lostMs - this.#lostMsBefore) };
  }

  /** Measured only now: a record before it in the queue may have begun another turn. */
  measure({ command, at, thinkMs, ...arrival }: QueuedCommand): TableCommand {
    if (!("delivery" in command) || command.delivery === undefined) return command;
    const delivery = this.#measureDelivery(arrival);
    // What this server lost itself meanwhile is in both: a union is never counted twice.
    const takenMs = Math.max(delivery.stallMs, command.delivery.stallMs);
    if (command.type === "credit") return { ...command, delivery: { ...delivery, lagMs: 0, stallMs: takenMs } };
    if (thinkMs === undefined) return { ...command, delivery };
    // The lesser of both measurements: the way between two servers costs no one time.
    const elapsedMs = at - this.turnStartAt() - delivery.stallMs;
    return { ...command, delivery: { ...delivery, stallMs: delivery.stallMs + Math.max(0, elapsedMs - thinkMs) } };
  }

  /** Since when the player to move can think. */
  turnStartAt(): number {
    const startedAt = this.#table.state.clock.turnStartedAt ?? this.#deps.time.now();
    return Math.max(startedAt, this.#sentAt ?? startedAt);
  }

  /** For a command that no connection carries. */
  arriveNow(): Arrival {
    return { at: this.#deps.time.now(), lostMs: this.#deps.outages.lostMs(), lagMs: this.#owner.lagMs() };
  }

  #setTimer(inMs: number): void {
    if (this.#isClosed) return;
    const { wheel, time } = this.#deps;
    this.#cancelTimer = wheel.schedule(time.monotonicMs() + inMs, () => this.#fire());
  }

  #setShort(inMs: number): void {
    if (this.#isClosed) return;
    const { wheel, time } = this.#deps;
    this.#cancelShort = wheel.schedule(time.monotonicMs() + inMs, () => this.#owner.onShort());
  }

  #toDeadline(): Deadline | null {
    return toDeadline(this.#table.rules, this.#table.state, this.#measureDelivery(this.arriveNow()));
  }

  #fire(): void {
    this.#cancelTimer = null;
    // The credit of an outage comes before any flag (ruling 16).
    if (!this.#deps.outages.isServed()) return this.#setTimer(RECHECK_MS);
    const due = this.#toDeadline();
    if (due === null) return;
    if (due.at > this.#deps.time.now()) return this.schedule();
    this.#owner.mayExpire().then(
      (may) => this.#expire(may),
      () => this.#expire(false),
    );
  }

  #expire(may: boolean): void {
    // A record or a credit has set another timer meanwhile.
    if (this.#cancelTimer !== null || this.#isClosed) return;
    if (!may) return this.#setTimer(RECHECK_MS);
    const due = this.#toDeadline();
    if (due === null || due.at > this.#deps.time.now()) return this.schedule();
    // Timers run before sockets are read: a move that has arrived must come first.
    setImmediate(() => this.#owner.onDue());
  }
}
