import { connect } from "node:net";
import type { Flood, Target } from "./flood.ts";

/** Bytes that a connection takes without a login, as fast as they can be sent. */

const BACK_OFF_MS = 50;
const WRITTEN_AT_ONCE = 64 * 1024;

/** Sends `opening`, awaits the answer if one is due, and repeats `bytes` until it is closed. */
function floodStream(toOpening: (target: Target) => string, bytes: Buffer, hasAnswer = false): Flood {
  const repeated = Buffer.concat(Array.from({ length: Math.ceil(WRITTEN_AT_ONCE / bytes.length) }, () => bytes));
  return async ({ target, localAddress, isStopped, count }) => {
    while (!isStopped()) {
      const isClosedByServer = await new Promise<boolean>((resolve) => {
        const socket = connect({ host: target.host, port: target.port, localAddress });
        let hasSent = false;
        const pump = (): void => {
          hasSent = true;
          while (!socket.destroyed && socket.write(repeated));
        };
        const timer = setInterval(() => {
          if (isStopped()) socket.destroy();
        }, BACK_OFF_MS);
        socket.on("connect", () => {
          socket.write(toOpening(target));
          if (!hasAnswer) pump();
        });
        socket.on("data", () => {
          if (!hasSent) pump();
        });
        socket.on("drain", pump);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          clearInterval(timer);
          resolve(!isStopped());
        });
      });
      if (isClosedByServer) count();
      await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
    }
  };
}

const toHandshake = ({ origin }: Target): string =>
  [
    "GET /socket HTTP/1.1",
    "Host: a",
    `Origin: ${origin}`,
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    "\r\n",
  ].join("\r\n");

const floodFrames = (frame: Buffer, first: Buffer = Buffer.alloc(0)): Flood =>
  floodStream((target) => toHandshake(target), Buffer.concat([first, frame]), true);

/** The first bytes of a WebSocket frame: FIN and opcode, or with RSV1 for a compressed text. */
const FIRST = {
  fragment: 0x01,
  next: 0x00,
  text: 0x81,
  binary: 0x82,
  close: 0x88,
  ping: 0x89,
  pong: 0x8a,
  zipped: 0xc1,
};
const MASK = 0x80;

/** A masked frame of at most 125 bytes; the key is zero, so the content is as written. */
function toFrame(first: keyof typeof FIRST, content = ""): Buffer {
  return Buffer.concat([Buffer.from([FIRST[first], MASK | content.length, 0, 0, 0, 0]), Buffer.from(content)]);
}

const toPost = (header: string) => (): string =>
  `POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;
const toChunkedPost = toPost("Transfer-Encoding: chunked");
const toNothing = (): string => "";
const LONG = "x".repeat(125);
const SMALL_HELLO = Buffer.concat([Buffer.from([0x16, 0x03, 0x01, 0x00, 0x7d, 0x01]), Buffer.alloc(124)]);

export const STREAMS = {
  pongs: floodFrames(toFrame("pong")),
  "long pongs": floodFrames(toFrame("pong", LONG)),
  pings: floodFrames(toFrame("ping")),
  "empty texts": floodFrames(toFrame("text")),
  "empty binary frames": floodFrames(toFrame("binary")),
  "empty fragments": floodFrames(toFrame("next"), toFrame("fragment")),
  "fragmented texts": floodFrames(Buffer.concat([toFrame("fragment", "{"), toFrame("next"), toFrame("next", "}")])),
  "frames after a close": floodFrames(Buffer.concat([toFrame("close"), toFrame("pong")])),
  "compressed frames": floodFrames(toFrame("zipped", LONG)),
  "lines without a request": floodStream(toNothing, Buffer.from("\r\n")),
  "line feeds without a request": floodStream(toNothing, Buffer.from("\n")),
  "lines before requests": floodStream(toNothing, Buffer.from("\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")),
  "endless headers": floodStream(() => "GET / HTTP/1.1\r\nHost: a\r\n", Buffer.from("A:b\r\n")),
  "endless target": floodStream(() => "GET /", Buffer.from("a")),
  "small chunks": floodStream(toChunkedPost, Buffer.from("1\r\nx\r\n")),
  "chunk extensions": floodStream(toChunkedPost, Buffer.from("1;a=b;c=d;e=f\r\nx\r\n")),
  "chunk trailers": floodStream(() => `${toChunkedPost()}0\r\n`, Buffer.from("A:b\r\n")),
  "ends of heads in a body": floodStream(toPost("Content-Length: 1000000000"), Buffer.from("\r\n\r\n")),
  "requests behind bodies": floodStream(toNothing, Buffer.from(`${toPost("Content-Length: 2")()}{}`)),
  "TLS records": floodStream(toNothing, SMALL_HELLO),
} as const satisfies Readonly<Record<string, Flood>>;
