import { expect, test } from "vitest";
import { openTestConnection } from "../testing/test-connection.ts";
import { SendBudget } from "./send-budget.ts";

/** 100,000 bytes with its header. */
const FRAME = "x".repeat(99_990);

test("a reader that lets a megabyte pile up is dropped, and sent nothing more", () => {
  const { socket, connection } = openTestConnection();
  for (let i = 0; i < 30; i += 1) connection.send(FRAME);
  expect([socket.sent.length, socket.terminations]).toEqual([11, 1]);
  expect(connection.isOpen).toBe(false);
});

test("a reader that keeps up is sent everything", () => {
  const { socket, connection } = openTestConnection();
  for (let i = 0; i < 30; i += 1) {
    connection.send(FRAME);
    socket.bufferedAmount = 0;
  }
  expect([socket.sent.length, socket.terminations]).toEqual([30, 0]);
});

test("readers who let much pile up together are dropped, the longest slow ones first", () => {
  const whole = new SendBudget(1_000_000);
  const ofAddress = new SendBudget(450_000, whole);
  const open = (budget: SendBudget) => openTestConnection({ budget });
  const [first, reading, second, third] = [open(ofAddress), open(ofAddress), open(ofAddress), open(ofAddress)];
  const others = [open(new SendBudget(900_000, whole)), open(new SendBudget(900_000, whole))];
  const isOpen = () => [first, reading, second, third, ...others].map(({ connection }) => connection.isOpen);
  for (const { connection } of [first, first, second, second]) connection.send(FRAME);
  reading.connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, true, true, true, true]);
  reading.socket.bufferedAmount = 0;
  reading.connection.ping(1);
  // What was read and what was dropped no longer counts.
  third.connection.send(FRAME);
  third.connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, true, true, true, true]);
  for (const { connection } of others) for (let i = 0; i < 4; i += 1) connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, false, true, true, true]);
});
