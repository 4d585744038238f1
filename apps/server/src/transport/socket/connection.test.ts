import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { TEST_VISITOR } from "../testing/test-gate.ts";
import { SocketConnection } from "./connection.ts";

type Socket = ConstructorParameters<typeof SocketConnection>[0];

/** A socket as `ws` has it, whose other side reads only when told. */
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
