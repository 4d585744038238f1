import { randomUUID } from "node:crypto";
import type { CommandId, GameId } from "@holo/kernel/ids.ts";
import { toCommandId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { WebSocket } from "ws";
import { RESEND_AFTER_MS } from "../../apps/web/src/lib/socket/command-queue.ts";
import { createReconnectDelays } from "../../apps/web/src/lib/socket/reconnect-delays.ts";
import type { RandomGame } from "../rules/random-games.ts";
import type { BenchPlayer } from "../servers/arena.ts";

/** A player's page in a running game: it moves at a human pace and reconnects as the page does. */
export interface LastingPlayer {
  readonly gameId: GameId;
  readonly seat: Seat;
  /** When the table arrived on this connection; null before. */
  readonly seatedMs: number | null;
  /** Times without a table, since `forget`. */
  readonly gapsMs: readonly number[];
  /** When the table was first sent since `forget`; null before. */
  readonly answeredMs: number | null;
  /** Version by command, as the server acknowledged it. */
  readonly acknowledged: ReadonlyMap<CommandId, number>;
  readonly refused: readonly string[];
  hasPending(): boolean;
  forget(): void;
  reconnect(): void;
  /** Begins no further move. */
  rest(): void;
  close(): void;
}

interface PlayerOptions {
  readonly player: BenchPlayer;
  readonly origin: string;
  /** Of both servers; one that refuses a connection is left for the other, as a proxy does. */
  readonly ports: readonly [number, number];
  readonly localAddress: string;
  readonly gameId: GameId;
  readonly seat: Seat;
  readonly moves: RandomGame;
  readonly drawThinkMs: () => number;
}

const GIVEN_UP_MS = 9_000;

export function startLastingPlayer(options: PlayerOptions): LastingPlayer {
  const { player, origin, ports, localAddress, gameId, seat, moves, drawThinkMs } = options;
  const acknowledged = new Map<CommandId, number>();
  const refused: string[] = [];
  const delays = createReconnectDelays(Math.random);
  let socket: WebSocket | null = null;
  let seatedMs: number | null = null;
  let lostMs = performance.now();
  let gapsMs: number[] = [];
  let answeredMs: number | null = null;
  let version = 0;
  let boardVersion = 0;
  let ply = 0;
  let pending: { readonly commandId: CommandId; readonly text: string; sentMs: number } | null = null;
  let thinking: NodeJS.Timeout | null = null;
  let isResting = false;
  let isOver = false;
  const resending = setInterval(() => {
    if (pending !== null && performance.now() - pending.sentMs >= RESEND_AFTER_MS) sendPending();
  }, 500);

  const isOwnTurn = (): boolean => ply % 2 === seat - 1;

  function sendPending(): void {
    if (pending === null || seatedMs === null) return;
    pending.sentMs = performance.now();
    socket?.send(pending.text);
  }

  function connect(first = Math.random() < 0.5 ? 0 : 1, isOther = false): void {
    const attempt = new WebSocket(`ws://127.0.0.1:${ports[first]}/socket`, {
      headers: { origin, cookie: player.cookie },
      localAddress,
      perMessageDeflate: false,
    });
    socket = attempt;
    let isRefused = false;
    const timer = setTimeout(() => attempt.terminate(), GIVEN_UP_MS);
    attempt.on("message", (data: Buffer) => attempt === socket && receive(data.toString("utf8"), timer));
    attempt.on("error", (error: NodeJS.ErrnoException) => {
      isRefused = error.code === "ECONNREFUSED";
    });
    attempt.on("close", (code) => {
      clearTimeout(timer);
      if (attempt !== socket || isOver) return;
      if (code === CLOSE.tooMany) throw new Error("a player of the benchmark was displaced");
      if (isRefused && !isOther) return connect(1 - first, true);
      lose();
      setTimeout(() => !isOver && connect(), delays.nextMs(code));
    });
  }

  function lose(): void {
    if (seatedMs === null) return;
    seatedMs = null;
    lostMs = performance.now();
  }

  function receive(text: string, timer: NodeJS.Timeout): void {
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case "hello":
        clearTimeout(timer);
        delays.reset();
        socket?.send(JSON.stringify({ type: "watch", gameId, since: version, chatSince: 0 }));
        return;
      case "restarting":
        delays.advise(frame.reconnectInMs);
        return;
      case "table":
        for (const record of frame.records) take(record);
        answeredMs ??= performance.now();
        if (seatedMs === null) {
          seatedMs = performance.now();
          gapsMs.push(seatedMs - lostMs);
          sendPending();
        }
        think();
        return;
      case "record":
        if (frame.record.version > version + 1)
          return socket?.send(JSON.stringify({ type: "watch", gameId, since: version }));
        take(frame.record);
        think();
        return;
      case "done":
        if (frame.commandId === pending?.commandId) acknowledge(frame.version);
        return;
      case "retry":
        if (frame.commandId === pending?.commandId) sendPending();
        return;
      case "refused":
      case "bad_frame":
        refused.push(text);
    }
  }

  function take({ version: taken, events, commandId }: LogRecord): void {
    if (taken <= version) return;
    version = taken;
    if (commandId !== undefined && commandId === pending?.commandId) acknowledge(taken);
    if (events.some(({ type }) => type === "moved")) {
      ply += 1;
      boardVersion = taken;
    } else if (boardVersion === 0) boardVersion = taken;
    if (events.some(({ type }) => type === "joined")) boardVersion = taken;
  }

  function acknowledge(at: number): void {
    acknowledged.set(pending!.commandId, at);
    pending = null;
  }

  function think(): void {
    if (seatedMs === null || pending !== null || !isOwnTurn()) return;
    if (thinking !== null || isResting) return;
    thinking = setTimeout(() => {
      thinking = null;
      move();
    }, drawThinkMs());
  }

  function move(): void {
    if (seatedMs === null || isResting || !isOwnTurn()) return;
    const chosen = moves[ply];
    if (chosen === undefined) throw new Error("the games of the benchmark are too short");
    const { path, promotion } = chosen;
    const commandId = toCommandId(randomUUID());
    const frame = { type: "move", commandId, gameId, atVersion: boardVersion, path };
    const text = JSON.stringify(promotion === undefined ? frame : { ...frame, promotion });
    pending = { commandId, text, sentMs: 0 };
    sendPending();
  }

  connect();
  return {
    gameId,
    seat,
    get seatedMs() {
      return seatedMs;
    },
    get gapsMs() {
      return gapsMs;
    },
    get answeredMs() {
      return answeredMs;
    },
    acknowledged,
    refused,
    hasPending: () => pending !== null,
    forget() {
      gapsMs = [];
      answeredMs = null;
    },
    reconnect() {
      socket?.terminate();
    },
    rest() {
      isResting = true;
    },
    close() {
      isOver = true;
      clearInterval(resending);
      if (thinking !== null) clearTimeout(thinking);
      socket?.terminate();
    },
  };
}
