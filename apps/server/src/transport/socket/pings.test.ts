import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { WebSocket } from "ws";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { TEST_VISITOR } from "../testing/test-gate.ts";
import { SocketConnection } from "./connection.ts";
import { openPings } from "./pings.ts";

class NotedSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  pings = 0;
  isTerminated = false;
  ping(): void {
    this.pings += 1;
  }
  terminate(): void {
    this.isTerminated = true;
  }
}

function open() {
  const time = makeTestTime();
  const wheel = openTimerWheel({ time, log: openTestLog() });
  let stalledMs = 0;
  const pings = openPings(time, wheel, { stalledMs: () => stalledMs, stop: () => undefined });
  const socket = new NotedSocket();
  const connection = new SocketConnection(
    socket as unknown as WebSocket,
    new PassThrough(),
    TEST_VISITOR,
    time.monotonicMs(),
  );
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
    stall(ms: number): void {
      stalledMs += ms;
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
  expect(at.socket.isTerminated).toBe(false);
});

test("closes a connection that is silent for more than nine seconds", () => {
  const at = open();
  at.pass(8_900);
  expect(at.socket.isTerminated).toBe(false);
  at.pass(2_700);
  expect(at.socket.isTerminated).toBe(true);
});

test("does not count time in which the process was stalled as silence", () => {
  const at = open();
  at.pass(100);
  at.pings.notePong(at.connection);
  at.stall(20_000);
  at.pass(2_600);
  expect(at.socket.isTerminated).toBe(false);
});
