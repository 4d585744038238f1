import { Writable } from "node:stream";
import type { WebSocket } from "ws";
import { type ConnectionOwner, SocketConnection } from "../socket/connection.ts";
import { TEST_VISITOR } from "./test-admission.ts";

/** A socket like that of `ws`, whose other side reads only on request. */
class TestSocket {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  pings = 0;
  terminations = 0;
  readonly closeCodes: number[] = [];

  /** Takes a frame that is written as a whole. */
  receive(frame: Buffer): void {
    this.sent.push(String(frame.subarray(toHeaderBytes(frame[1]!))));
    this.bufferedAmount += frame.length;
  }

  ping(): void {
    this.pings += 1;
  }

  close(code: number): void {
    this.closeCodes.push(code);
    this.readyState = 3;
  }

  terminate(): void {
    this.terminations += 1;
    this.readyState = 3;
  }
}

interface TestConnection {
  readonly socket: TestSocket;
  readonly connection: SocketConnection;
}

export function openTestConnection(owner: Partial<ConnectionOwner> = {}, nowMs = 0): TestConnection {
  const socket = new TestSocket();
  const stream = new Writable({
    write(frame: Buffer, _encoding, done) {
      socket.receive(frame);
      done();
    },
  });
  const given = { ...TEST_VISITOR, ...owner };
  return { socket, connection: new SocketConnection(socket as unknown as WebSocket, stream, given, nowMs) };
}

/** RFC 6455, 5.2: a frame without a mask. */
function toHeaderBytes(length: number): number {
  if (length < 126) return 2;
  return length === 126 ? 4 : 10;
}
