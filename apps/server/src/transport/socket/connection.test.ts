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
  const budget = new SendBudget(450_000);
  const [first, reading, second, third] = Array.from({ length: 4 }, () => openTestConnection({ budget }));
  const isOpen = () => [first, reading, second, third].map((one) => one!.connection.isOpen);
  for (const one of [first, first, second, second]) one!.connection.send(FRAME);
  reading!.connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, true, true]);
  reading!.socket.bufferedAmount = 0;
  reading!.connection.ping(1);
  // What was read and what was dropped no longer counts.
  third!.connection.send(FRAME);
  third!.connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, true, true]);
  third!.connection.send(FRAME);
  expect(isOpen()).toEqual([false, true, false, true]);
});
