import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { TEST_VISITOR } from "../testing/test-gate.ts";
import { SocketConnection } from "./connection.ts";
import { SendBudget } from "./send-budget.ts";

type Socket = ConstructorParameters<typeof SocketConnection>[0];

/** A socket like that of `ws`, whose other side reads only on request. */
function makeSocket() {
  const told = { sent: 0, terminated: 0 };
  const socket = {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send(frame: string) {
      told.sent += 1;
      socket.bufferedAmount += frame.length;
    },
    ping: () => undefined,
    terminate() {
      told.terminated += 1;
      socket.readyState = 3;
    },
  };
  return { socket, told };
}

const FRAME = "x".repeat(100_000);

test("a reader that lets a megabyte pile up is dropped, and sent nothing more", () => {
  const { socket, told } = makeSocket();
  const connection = new SocketConnection(socket as unknown as Socket, new PassThrough(), TEST_VISITOR, 0);
  for (let i = 0; i < 30; i += 1) connection.send(FRAME);
  expect(told).toEqual({ sent: 11, terminated: 1 });
  expect(connection.isOpen).toBe(false);
});

test("a reader that keeps up is sent everything", () => {
  const { socket, told } = makeSocket();
  const connection = new SocketConnection(socket as unknown as Socket, new PassThrough(), TEST_VISITOR, 0);
  for (let i = 0; i < 30; i += 1) {
    connection.send(FRAME);
    socket.bufferedAmount = 0;
  }
  expect(told).toEqual({ sent: 30, terminated: 0 });
});

test("readers who let much pile up together are dropped, the longest slow ones first", () => {
  const whole = new SendBudget(1_000_000);
  const ofAddress = new SendBudget(450_000, whole);
  const open = (budget: SendBudget) => {
    const { socket, told } = makeSocket();
    const owner = { ...TEST_VISITOR, budget };
    return { socket, told, connection: new SocketConnection(socket as unknown as Socket, new PassThrough(), owner, 0) };
  };
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
