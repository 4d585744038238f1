import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import type { WebSocket } from "ws";
import type { RandomGame } from "../rules/random-games.ts";

export interface SeatedGame {
  readonly gameId: GameId;
  readonly sockets: BySeat<WebSocket>;
  readonly moves: RandomGame;
  /** The version that the next move must name. */
  readonly version: number;
}

export type Pace =
  /** Each player moves as soon as they see the opponent's move. */
  | { readonly type: "closed" }
  /** Moves become due at this total rate regardless of the server; latency counts from then. */
  | { readonly type: "open"; readonly movesPerS: number };

export interface Played {
  readonly moves: number;
  readonly seconds: number;
  /** Milliseconds from sending a move (or its due time) until the opponent received it. */
  readonly seenMs: readonly number[];
  readonly acknowledgedMs: readonly number[];
  readonly loadGeneratorShare: number;
}

export interface Load {
  play(pace: Pace, warmUpMs: number, forMs: number, around: { begin(): void; end(): void }): Promise<Played>;
  /** Moves that opponents have received since the start. */
  readonly seen: number;
}

interface GameInPlay {
  readonly game: SeatedGame;
  version: number;
  ply: number;
  isInFlight: boolean;
  readonly sentMs: [number, number];
  dueMs: number;
}

type Entry = Pick<LogRecord, "version" | "by" | "commandId" | "events">;

const PUMP_MS = 1;
const DRAIN_MS_MAX = 10_000;

export function openLoad(games: readonly SeatedGame[]): Load {
  const inPlay = games.map(
    (game): GameInPlay => ({ game, version: game.version, ply: 0, isInFlight: false, sentMs: [0, 0], dueMs: 0 }),
  );
  let pace: Pace | null = null;
  let isMeasured = false;
  let seen = 0;
  let seenMs: number[] = [];
  let acknowledgedMs: number[] = [];

  for (const at of inPlay) {
    at.game.sockets.forEach((socket, seat) => {
      socket.on("message", (data) => receive(at, seat, String(data)));
    });
  }

  function receive(at: GameInPlay, seat: number, text: string): void {
    if (text.startsWith('{"type":"record"')) take(at, seat, (JSON.parse(text) as { readonly record: Entry }).record);
    // Sent instead of a record that another server announced out of order.
    else if (text.startsWith('{"type":"table"')) {
      const { records } = JSON.parse(text) as { readonly records: readonly Entry[] };
      for (const record of records) if (record.by !== seat + 1 && record.version > at.version) take(at, seat, record);
    } else if (text.startsWith('{"type":"refused"') || text.startsWith('{"type":"bad_frame"')) throw new Error(text);
  }

  function take(at: GameInPlay, seat: number, { version, commandId, events }: Entry): void {
    const nowMs = performance.now();
    // A credit of the clock leaves the board as it was.
    if (events.every(({ type }) => type !== "moved")) return;
    if (commandId !== undefined) {
      if (isMeasured) acknowledgedMs.push(nowMs - at.sentMs[seat as 0 | 1]);
      return;
    }
    seen += 1;
    if (isMeasured) seenMs.push(nowMs - at.sentMs[(1 - seat) as 0 | 1]);
    at.version = version;
    at.isInFlight = false;
    if (pace?.type === "closed") send(at, nowMs);
    else if (pace?.type === "open" && at.dueMs <= nowMs) sendDue(at, pace.movesPerS);
  }

  function sendDue(at: GameInPlay, movesPerS: number): void {
    const dueMs = at.dueMs;
    at.dueMs += (1_000 * inPlay.length) / movesPerS;
    send(at, dueMs);
  }

  function send(at: GameInPlay, sentMs: number): void {
    const { gameId, sockets, moves } = at.game;
    const move = moves[at.ply];
    if (move === undefined) throw new Error("the games of the benchmark are too short for so many seconds");
    const seat = (at.ply % 2) as 0 | 1;
    const { path, promotion } = move;
    const frame = { type: "move", commandId: randomUUID(), gameId, atVersion: at.version, path };
    at.ply += 1;
    at.isInFlight = true;
    at.sentMs[seat] = sentMs;
    sockets[seat].send(JSON.stringify(promotion === undefined ? frame : { ...frame, promotion }));
  }

  function begin(newPace: Pace): NodeJS.Timeout | null {
    pace = newPace;
    const nowMs = performance.now();
    if (newPace.type === "closed") {
      for (const at of inPlay) send(at, nowMs);
      return null;
    }
    const everyMs = 1_000 / newPace.movesPerS;
    inPlay.forEach((at, i) => {
      at.dueMs = nowMs + i * everyMs;
    });
    return setInterval(() => {
      const pumpedMs = performance.now();
      for (const at of inPlay) if (!at.isInFlight && at.dueMs <= pumpedMs) sendDue(at, newPace.movesPerS);
    }, PUMP_MS);
  }

  async function drain(): Promise<void> {
    pace = null;
    const untilMs = performance.now() + DRAIN_MS_MAX;
    while (inPlay.some(({ isInFlight }) => isInFlight)) {
      if (performance.now() > untilMs) throw new Error("a server of the benchmark left moves unanswered");
      await sleep(5);
    }
  }

  return {
    async play(newPace, warmUpMs, forMs, around) {
      seenMs = [];
      acknowledgedMs = [];
      const timer = begin(newPace);
      await sleep(warmUpMs);
      const cpuBefore = process.cpuUsage();
      around.begin();
      const startedMs = performance.now();
      isMeasured = true;
      await sleep(forMs);
      isMeasured = false;
      const elapsedMs = performance.now() - startedMs;
      around.end();
      const cpu = process.cpuUsage(cpuBefore);
      if (timer !== null) clearInterval(timer);
      await drain();
      return {
        moves: seenMs.length,
        seconds: elapsedMs / 1_000,
        seenMs,
        acknowledgedMs,
        loadGeneratorShare: (cpu.user + cpu.system) / 1_000 / elapsedMs,
      };
    },
    get seen() {
      return seen;
    },
  };
}
