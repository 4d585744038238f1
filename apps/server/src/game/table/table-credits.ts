import type { Instant } from "@holo/kernel/instant.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { NO_DELIVERY, type Outage } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { isOpen } from "@holo/table/state.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Answer } from "../answer.ts";
import type { ClaimedUnserved, Unserved } from "../log/claim-store.ts";
import type { QueuedCommand } from "./queued-command.ts";
import type { TableClock } from "./table-clock.ts";
import type { TableView } from "./table-view.ts";
import { UnservedSeats } from "./unserved.ts";

interface CreditsDeps {
  readonly time: Time;
  readonly wheel: TimerWheel;
}

interface CreditsOwner {
  isPresent(seat: Seat): boolean;
  enqueue(command: TableCommand, answer?: QueuedCommand["answer"]): void;
  /** Whether a credit waits in the queue or is being committed. */
  isCrediting(): boolean;
  /** The log has the credit of the claim. */
  onCredited(): void;
}

/** The time that the players of a table lost by outages, until their clocks have it back. */
export class TableCredits {
  readonly #deps: CreditsDeps;
  readonly #table: Pick<TableView, "rules" | "state">;
  readonly #clock: TableClock;
  readonly #owner: CreditsOwner;
  readonly #unserved = new UnservedSeats();
  /** Whether `games.unserved_from` of this game is still set. */
  #isClaimUncredited = false;
  #isClosed = false;

  constructor(deps: CreditsDeps, table: Pick<TableView, "rules" | "state">, clock: TableClock, owner: CreditsOwner) {
    this.#deps = deps;
    this.#table = table;
    this.#clock = clock;
    this.#owner = owner;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** The server before this one has ended or released the table. */
  addClaimed({ againFromAt, ...unserved }: ClaimedUnserved): void {
    this.#isClaimUncredited = true;
    const { creditedTo } = this.#table.state.clock;
    // An owner that died since may have credited the first part.
    const isCredited = creditedTo !== null && creditedTo > unserved.fromAt;
    for (const seat of [1, 2] as const) this.add(seat, isCredited ? { ...unserved, fromAt: againFromAt } : unserved);
  }

  /** The player lost their server. */
  add(seat: Seat, unserved: Unserved): void {
    const { wheel, time } = this.#deps;
    this.#unserved.add(seat, unserved);
    wheel.schedule(time.monotonicMs() + Math.max(0, unserved.until - time.now()), () => this.creditIfDue(seat));
    this.#clock.schedule();
  }

  isUnserved(seat: Seat): boolean {
    return this.#unserved.of(seat) !== null;
  }

  /** The player is back, or the longest time that is credited has passed. */
  creditIfDue(seat: Seat): void {
    if (this.#isClosed) return;
    const now = this.#deps.time.now();
    const isDue = this.#owner.isPresent(seat) || now >= (this.#unserved.of(seat)?.until ?? now);
    const credit = isDue ? this.take(seat, now) : null;
    if (credit !== null) this.#owner.enqueue(credit.command, credit.answer);
  }

  /** The credit of a player who attaches at `at`; null if it took nothing from a running clock. */
  take(seat: Seat, at: Instant): Pick<QueuedCommand, "command" | "answer"> | null {
    const unserved = this.#unserved.of(seat);
    if (unserved === null) return null;
    this.#unserved.delete(seat);
    const command = this.#toCredit(seat, unserved, at);
    if (command !== null) return { command, answer: (answer) => this.#note(answer, () => this.add(seat, unserved)) };
    this.#noteSettled();
    return null;
  }

  /** An outage that this server measured has just ended. */
  addOutage(outage: Outage): void {
    if (!isOpen(this.#table.state.status)) return;
    if (outage.cause === "restart") return this.addUnmeasured(outage);
    this.#owner.enqueue({ type: "credit", outage, delivery: NO_DELIVERY });
  }

  /** The table was not in memory during the outage. */
  addUnmeasured(outage: Outage): void {
    if (this.#table.state.changedAt >= outage.toAt) return;
    // What the players lost with their servers is part of what all lost: no time is credited twice.
    const fromAt = outage.cause === "restart" ? this.#unserved.takePartOf(outage) : outage.fromAt;
    this.#owner.enqueue({ type: "credit", outage: { ...outage, fromAt } }, (answer) => this.#note(answer));
  }

  /** `retry`: nothing was credited, as far as this server knows. The log shows what was. */
  #note(answer: Answer | null, retry: () => void = () => undefined): void {
    const isFailed = answer === null || answer.type === "unknown" || isFault(answer);
    if (!isFailed) this.#noteSettled();
    else if (!this.#isClosed) retry();
  }

  /** Once the log has what is credited, the row of the game need not keep it. */
  #noteSettled(): void {
    const isLeft = !this.#unserved.isEmpty || this.#owner.isCrediting();
    if (!this.#isClaimUncredited || isLeft || this.#isClosed) return;
    this.#isClaimUncredited = false;
    this.#owner.onCredited();
  }

  #toCredit(seat: Seat, { fromAt, until, cause }: Unserved, at: Instant): TableCommand | null {
    const { rules, state } = this.#table;
    const backAt = Math.min(at, until) as Instant;
    // A move that was on its way before a death lost no time, but the bonus is due (ruling 16).
    const toAt = cause === "restart" ? (Math.max(backAt, fromAt + 1) as Instant) : backAt;
    if (seat !== rules.toMove(state.position) || toAt <= fromAt) return null;
    const stallMs = Math.max(0, backAt - Math.max(fromAt, this.#clock.turnStartAt()));
    return { type: "credit", outage: { fromAt, toAt, cause }, delivery: { ...NO_DELIVERY, stallMs } };
  }
}

function isFault(answer: Answer): boolean {
  return answer.type === "refused" && answer.code === "something_went_wrong";
}
