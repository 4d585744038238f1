import { expect, test } from "vitest";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { openTestConnection } from "../testing/test-connection.ts";
import { openPings } from "./pings.ts";

function open() {
  const time = makeTestTime();
  const wheel = openTimerWheel({ time, log: openTestLog() });
  let lateMs = 0;
  const pings = openPings(time, wheel, { lateMs: () => lateMs });
  const { socket, connection } = openTestConnection({}, time.monotonicMs());
  pings.add(connection);
  return {
    socket,
    connection,
    pings,
    pass(ms: number): void {
      for (let passed = 0; passed < ms; passed += 10) {
        time.advance(10);
        wheel.tick();
      }
    },
    readNothing(ms: number): void {
      lateMs += ms;
      time.advance(ms);
      wheel.tick();
    },
  };
}

test("pings an answering connection every 2.5 s and uses its round trip as the network's share", () => {
  const at = open();
  at.pass(100);
  at.pings.notePong(at.connection);
  expect(at.connection.lagMs()).toBe(100);
  at.pass(2_600);
  expect(at.socket.pings).toBe(2);
  expect(at.socket.terminations).toBe(0);
});

test("closes a connection that is silent for more than nine seconds", () => {
  const at = open();
  at.pass(8_900);
  expect(at.socket.terminations).toBe(0);
  at.pass(2_700);
  expect(at.socket.terminations).toBe(1);
});

test("does not count time in which the server read nothing as silence", () => {
  const at = open();
  at.pass(100);
  at.pings.notePong(at.connection);
  at.readNothing(20_000);
  at.pass(2_600);
  expect(at.socket.terminations).toBe(0);
});
