import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_MAX } from "@holo/protocol/lobby/match-list-terms.ts";
import { ROUTES } from "@holo/protocol/routes.ts";
import { WebSocket } from "ws";
import type { Attacker, Flood, Target } from "./flood.ts";
import { STREAMS } from "./streams.ts";

const BACK_OFF_MS = 50;
const REQUEST_TIMEOUT_MS = 5_000;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function floodRequests(
  next: (turn: number) => { readonly method: string; readonly path: string; readonly body?: string },
): Flood {
  return async ({ target, localAddress, isStopped, count }) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !isStopped(); turn += 1) {
      const { method, path, body } = next(turn);
      count();
      const isAnswered = await new Promise<boolean>((resolve) => {
        const headers = { origin: target.origin, "content-type": "application/json" };
        const sent = request(
          {
            agent,
            host: target.host,
            port: target.port,
            localAddress,
            method,
            path: path.replace("{id}", target.gameId),
            headers,
            timeout: REQUEST_TIMEOUT_MS,
          },
          (response) => {
            response.resume();
            response.on("close", () => resolve(true));
          },
        );
        sent.on("timeout", () => sent.destroy());
        sent.on("error", () => resolve(false));
        sent.end(body);
      });
      if (!isAnswered) await wait(BACK_OFF_MS);
    }
    agent.destroy();
  };
}

const PUBLIC_READS = Object.values(ROUTES)
  .filter(({ access, method }) => access === "anyone" && method === "get")
  .map(({ path }) => ({ method: "GET", path }));
const GAME_READS = ["/api/matches/{id}", "/api/matches/{id}/export", "/api/matches/{id}/history"].map((path) => ({
  method: "GET",
  path,
}));

/** The other forms of visitors, and what the payment provider calls. */
const FORMS = [
  ["/api/forgot-password", { email: "guess@attack.example" }],
  ["/api/reset-password", { token: "0".repeat(43), password: "a long passphrase" }],
  ["/api/verify-email", { token: "0".repeat(43) }],
  ["/api/paystack/webhook", { event: "charge.success", data: { reference: "dep-0000000000000000" } }],
  ["/api/logout", {}],
] as const;

/** One socket that sends what `speak` writes, and reconnects when it is closed. */
function floodSocket(speak: (socket: WebSocket, attacker: Attacker, turn: number) => void, everyMs: number): Flood {
  return async (attacker) => {
    const { target, localAddress, isStopped } = attacker;
    while (!isStopped()) {
      const socket = new WebSocket(`ws://${target.host}:${target.port}/socket`, {
        localAddress,
        headers: { origin: target.origin },
      });
      let turn = 0;
      await new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (isStopped()) socket.terminate();
          else if (socket.readyState === socket.OPEN) speak(socket, attacker, turn++);
        }, everyMs);
        socket.on("error", () => undefined);
        socket.on("close", () => {
          clearInterval(timer);
          resolve();
        });
      });
      attacker.count();
      await wait(BACK_OFF_MS);
    }
  };
}

/** Repeatedly sends all bytes at once and reads nothing. */
function floodBytes(toBytes: (target: Target) => string, lifeMs: number): Flood {
  return async ({ target, localAddress, isStopped, count }) => {
    while (!isStopped()) {
      await new Promise<void>((resolve) => {
        const socket: Socket = connect({ host: target.host, port: target.port, localAddress });
        // A client that reads nothing does not notice that it was disconnected.
        const endsMs = performance.now() + lifeMs;
        const timer = setInterval(() => {
          if (isStopped() || performance.now() > endsMs) socket.destroy();
        }, BACK_OFF_MS);
        socket.on("connect", () => {
          count();
          socket.pause();
          socket.write(toBytes(target));
        });
        socket.on("error", () => undefined);
        socket.on("close", () => {
          clearInterval(timer);
          resolve();
        });
      });
      await wait(BACK_OFF_MS);
    }
  };
}

const PIPELINED = 6_000;
const SHORT_MS = 500;

export const FLOODS = {
  "public routes": floodRequests((turn) => PUBLIC_READS[turn % PUBLIC_READS.length]!),
  "files of a game": floodRequests((turn) => GAME_READS[turn % GAME_READS.length]!),
  registrations: floodRequests(() => {
    const username = `a${randomUUID().replaceAll("-", "").slice(0, 15)}`;
    const body = JSON.stringify({ username, email: `${username}@attack.example`, password: "a long passphrase" });
    return { method: "POST", path: "/api/register", body };
  }),
  logins: floodRequests((turn) => {
    const body = JSON.stringify({ email: `guess${turn}@example.com`, password: "a wrong passphrase" });
    return { method: "POST", path: "/api/login", body };
  }),
  "other forms": floodRequests((turn) => {
    const [path, body] = FORMS[turn % FORMS.length]!;
    return { method: "POST", path, body: JSON.stringify(body) };
  }),
  "lists, again and again": floodSocket((socket, { count }, turn) => {
    count();
    const filter = { ...EVERY_MATCH, search: `guess ${turn}` };
    for (const frame of [
      { type: "watch_lobby", filter, count: MATCHES_MAX, request: turn + 1 },
      { type: "watch_availability" },
      { type: "watch_stats" },
      { type: "unwatch_availability" },
    ])
      socket.send(JSON.stringify(frame));
  }, 20),
  "repeated watch": floodSocket((socket, { target, count }) => {
    count();
    socket.send(JSON.stringify({ type: "watch", gameId: target.gameId, since: 0 }));
  }, 20),
  "malformed frames": floodSocket((socket, { count }, turn) => {
    count();
    socket.send(
      turn % 2 === 0
        ? '{"type":"move","balance":1}'
        : `{"type":"join","commandId":"${randomUUID()}","gameId":"${randomUUID()}"}`,
    );
  }, 20),
  "short connections": floodSocket((socket) => socket.terminate(), 1),
  "lobby, never read": floodSocket((socket, _, turn) => {
    if (turn > 0) return;
    socket.pause();
    socket.send(JSON.stringify({ type: "watch_lobby", filter: EVERY_MATCH, count: MATCHES_MAX, request: 1 }));
    socket.send('{"type":"watch_stats"}');
  }, 20),
  "pipelined requests": floodBytes(
    ({ assetPath }) => `GET ${assetPath} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(PIPELINED),
    SHORT_MS,
  ),
  "unfinished requests": floodBytes(
    () => "POST /api/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{",
    Number.POSITIVE_INFINITY,
  ),
  ...STREAMS,
} as const satisfies Readonly<Record<string, Flood>>;

/** Whether every connection of a flood must be closed by the server. */
export const isStream = (name: FloodName): boolean => name in STREAMS;

export type FloodName = keyof typeof FLOODS;
