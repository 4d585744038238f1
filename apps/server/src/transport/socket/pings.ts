import type { StallMeter } from "../../platform/time/stall-meter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { Connection } from "./connection.ts";

interface Pings {
  /** The first ping comes at once. */
  add(connection: Connection): void;
  /** False: it answers no ping. */
  notePong(connection: Connection): boolean;
  remove(connection: Connection): void;
  stop(): void;
}

/** Reference: ping every 2.5 s. */
const PING_EVERY_MS = 2_500;
const TURNS = 25;
const TURN_MS = PING_EVERY_MS / TURNS;

/**
 * Spreads connections over slots by arrival; one timer pings slot after slot. A timer per ping
 * would create thousands of long-lived objects a second.
 */
export function openPings(time: Time, wheel: TimerWheel, stalls: Pick<StallMeter, "lateMs">): Pings {
  // Time in which this server read nothing does not count as silence or network delay.
  const servedMs = (): number => time.monotonicMs() - stalls.lateMs();
  const turns = Array.from({ length: TURNS }, () => new Set<Connection>());
  let turn = 0;
  let dueMs = time.monotonicMs() + TURN_MS;
  let cancel = wheel.schedule(dueMs, takeTurn);

  function takeTurn(): void {
    // Counted from the slot's due time, so that the slot width does not accumulate.
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
