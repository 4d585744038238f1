import type { Time } from "../platform/time.ts";
import type { TimerWheel } from "../platform/timer-wheel.ts";
import type { Connection } from "./connection.ts";

/** Pings every open connection in its turn. */
export interface Pings {
  /** The first ping comes at once. */
  add(connection: Connection): void;
  remove(connection: Connection): void;
  stop(): void;
}

/** Reference: ping every 2.5 s. */
const PING_EVERY_MS = 2_500;
const TURNS = 25;

/**
 * Connections are spread over turns by when they came, and each turn is pinged as a whole: one timer for all. A timer for each would be
 * garbage that has grown old with every ping, thousands a second.
 */
export function openPings(time: Time, wheel: TimerWheel): Pings {
  const turns = Array.from({ length: TURNS }, () => new Set<Connection>());
  let turn = 0;
  let cancel = wheel.schedule(time.monotonicMs() + PING_EVERY_MS / TURNS, takeTurn);

  function takeTurn(): void {
    cancel = wheel.schedule(time.monotonicMs() + PING_EVERY_MS / TURNS, takeTurn);
    turn = (turn + 1) % TURNS;
    const nowMs = time.monotonicMs();
    for (const connection of turns[turn]!) connection.ping(nowMs);
  }

  return {
    add(connection) {
      turns[turn]!.add(connection);
      connection.ping(time.monotonicMs());
    },
    remove(connection) {
      for (const one of turns) if (one.delete(connection)) return;
    },
    stop: () => cancel(),
  };
}
