import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import { type ServerFrame, serverFrame } from "@holo/protocol/socket/server-frames.ts";
import { WebSocket } from "ws";

export interface TestClient {
  readonly frames: readonly ServerFrame[];
  readonly extensions: string;
  send(frame: ClientFrame | string | Buffer): void;
  waitFor<Frame extends ServerFrame = ServerFrame>(fits: (frame: ServerFrame) => boolean): Promise<Frame>;
  closed(): Promise<number>;
  close(): void;
}

/** Shorter than a test's timeout, to report what did not arrive. */
const PATIENCE_MS = 55_000;

/**
 * Connects with a session cookie or as a visitor. Rejects with the HTTP status of a refused
 * upgrade.
 */
export async function connect(
  origin: string,
  cookie: string | null,
  claimedOrigin: string | null = origin,
  generateMask?: (mask: Buffer) => void,
): Promise<TestClient> {
  const socket = new WebSocket(`${origin.replace("http", "ws")}/socket`, {
    // Set explicitly, so that a test can send any origin or none.
    headers: { ...(cookie === null ? {} : { cookie }), ...(claimedOrigin === null ? {} : { origin: claimedOrigin }) },
    ...(generateMask === undefined ? {} : { generateMask }),
  });
  const frames: ServerFrame[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    const frame: ServerFrame = JSON.parse(String(data));
    serverFrame.parse(frame);
    frames.push(frame);
    for (const check of waiting) check();
  });
  const closing = new Promise<number>((resolve) => socket.on("close", resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on("open", resolve);
    socket.on("unexpected-response", (_request, response) => reject(new Error(String(response.statusCode))));
    socket.on("error", reject);
  });
  return {
    frames,
    extensions: socket.extensions,
    send: (frame) => socket.send(typeof frame === "string" || Buffer.isBuffer(frame) ? frame : JSON.stringify(frame)),
    waitFor: (fits) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`no frame arrived that fits ${fits}, but ${JSON.stringify(frames)}`)),
          PATIENCE_MS,
        );
        const check = (): void => {
          const found = frames.find(fits);
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve(found as never);
        };
        waiting.add(check);
        check();
      }),
    closed: () => closing,
    close: () => socket.close(),
  };
}

export interface TestPlayer {
  readonly id: PlayerId;
  readonly cookie: string;
}

export async function signUp(origin: string, page: string): Promise<TestPlayer> {
  const username = `p${randomUUID().replaceAll("-", "").slice(0, 12)}`;
  const post = (path: string, body: object) =>
    fetch(`${origin}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: page },
      body: JSON.stringify(body),
    });
  const credentials = { email: `${username}@example.com`, password: "a long passphrase" };
  await post("/api/register", { username, ...credentials });
  const answer = await post("/api/login", credentials);
  const session = (await answer.json()) as { readonly player: { readonly id: PlayerId } };
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return { id: session.player.id, cookie };
}
