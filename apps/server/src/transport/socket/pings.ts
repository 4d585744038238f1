import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Connection } from "./connection.ts";

/** Pings every open connection in its turn. */
export interface Pings {
  /** The first ping comes at once. */
  add(connection: Connection): void;
  /** Its pong came. */
  notePong(connection: Connection): void;
  remove(connection: Connection): void;
  stop(): void;
}

/** Reference: ping every 2.5 s. */
const PING_EVERY_MS = 2_500;
const TURNS = 25;
const TURN_MS = PING_EVERY_MS / TURNS;

/**
 * Connections are spread over turns by when they came, and each turn is pinged as a whole: one timer for all. A timer for each would be
 * garbage that has grown old with every ping, thousands a second.
 */
export function openPings(time: Time, wheel: TimerWheel, stalls: StallMeter): Pings {
  // Time in which this process heard nobody makes no connection silent, and no network slow.
  const servedMs = (): number => time.monotonicMs() - stalls.stalledMs();
  const turns = Array.from({ length: TURNS }, () => new Set<Connection>());
  let turn = 0;
  let dueMs = time.monotonicMs() + TURN_MS;
  let cancel = wheel.schedule(dueMs, takeTurn);

  function takeTurn(): void {
    // Counted from when the turn was due, so that the wheel's coarseness does not add up.
    dueMs = Math.max(dueMs + TURN_MS, time.monotonicMs());
    cancel = wheel.schedule(dueMs, takeTurn);
    turn = (turn + 1) % TURNS;
    const nowMs = servedMs();
    for (const connection of turns[turn]!) connection.ping(nowMs);
  }

  return {
    add(connection) {
      turns[turn]!.add(connection);
      connection.noteActivity(servedMs());
      connection.ping(servedMs());
    },
    notePong: (connection) => connection.noteActivity(servedMs()),
    remove(connection) {
      for (const one of turns) if (one.delete(connection)) return;
    },
    stop: () => cancel(),
  };
}
