import { toDeadline } from "@holo/table/deadline.ts";
import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import { measureDelivery, type Table } from "./table.ts";
import type { TableActors } from "./table-actor.ts";

/** Calls what runs out at the tables served here, on time and never early. */
export interface Clocks {
  /** Sets the table's one timer anew: after every entry, and when its players come or go. */
  schedule(table: Table): void;
  /** The position now lies before the player to move, or they are away (null). */
  markPositionSent(table: Table, isSent: boolean): void;
}

/** A flag waits a moment more than the deadline, so that a timer's rounding can never cost the last millisecond. */
const TIMER_SLACK_MS = 1;

/** While an outage may be going on, it is looked again so often whether a flag may fall. */
const RECHECK_MS = 500;

/** @param isServed false while an outage may be going on: its credit has to come before any flag (ruling 16) */
export function openClocks(
  time: Time,
  wheel: TimerWheel,
  stalls: StallMeter,
  isServed: () => boolean,
  actors: () => TableActors,
): Clocks {
  function expire(table: Table): void {
    table.cancelTimer = null;
    const due = toDeadline(table.rules, table.state, measureDelivery(table, stalls.stalledMs()));
    if (due === null) return;
    if (due.at > time.now()) {
      set(table);
      return;
    }
    if (!isServed()) {
      table.cancelTimer = wheel.schedule(time.monotonicMs() + RECHECK_MS, () => expire(table));
      return;
    }
    // Timers fire before sockets are read: a move that has arrived goes first.
    setImmediate(() => {
      actors().enqueue(table, {
        command: { type: "expire", delivery: measureDelivery(table, stalls.stalledMs()) },
        at: time.now(),
        // Not due any more means that a move came first, which set the timer anew.
        answer: () => {
          if (table.cancelTimer === null) set(table);
        },
      });
    });
  }

  function set(table: Table): void {
    table.cancelTimer?.();
    table.cancelTimer = null;
    const due = toDeadline(table.rules, table.state, measureDelivery(table, stalls.stalledMs()));
    if (due === null) return;
    const inMs = due.at - time.now() + TIMER_SLACK_MS;
    table.cancelTimer = wheel.schedule(time.monotonicMs() + Math.max(0, inMs), () => expire(table));
  }

  return {
    schedule: set,
    markPositionSent(table, isSent) {
      table.sentAt = isSent ? time.now() : null;
      table.stalledMsWhenSent = stalls.stalledMs();
    },
  };
}
