import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import type { WebSocket } from "ws";
import { joinOrCreate, sendFrame, waitForFrame } from "../servers/arena.ts";

const CHANGES_PER_GAME = 3;
const WAITING_MS = 300;
const PLAYING_MS = 2_000;
const OPENING = [
  [42, 35],
  [19, 26],
  [49, 42],
  [21, 30],
] as const;

const TERMS = STAKES.flatMap((stake) => LIMIT_MINUTES.map((limitMinutes) => ({ stake, limitMinutes })));
/** On each terms, so that a pair is free again when its turn comes. */
export const PAIRS = TERMS.length * 8;

type Pair = readonly [WebSocket, WebSocket];

interface GameChanges {
  readonly games: number;
  stop(): Promise<void>;
}

/**
 * Pairs create, join and end staked games of checkers at an even rate. On each terms one game waits
 * at a time, so that no pair joins another pair's game.
 */
export function startGameChanges(pairs: readonly Pair[], changesPerS: number): GameChanges {
  const everyMs = (1_000 * CHANGES_PER_GAME * TERMS.length) / changesPerS;
  let isStopping = false;
  let games = 0;

  async function runLane(lane: number): Promise<void> {
    const own = pairs.filter((_, index) => index % TERMS.length === lane);
    const ends: Promise<void>[] = [];
    let dueMs = performance.now() + (lane * everyMs) / TERMS.length;
    for (let turn = 0; !isStopping; turn += 1) {
      await sleep(Math.max(0, dueMs - performance.now()));
      dueMs += everyMs;
      const place = turn % own.length;
      await ends[place];
      const [first, second] = own[place]!;
      const pair: Pair = Math.floor(turn / own.length) % 2 === 0 ? [first, second] : [second, first];
      const gameId = await joinOrCreate(pair[0], { game: "checkers", ...TERMS[lane]! });
      await sleep(WAITING_MS);
      await command(pair[1], { type: "join", sentAgoMs: 0, commandId: newId(), gameId });
      ends[place] = play(pair, gameId);
    }
    await Promise.all(ends);
  }

  async function play(pair: Pair, gameId: GameId): Promise<void> {
    for (const [ply, path] of OPENING.entries()) {
      await command(pair[(ply % 2) as 0 | 1], { type: "move", commandId: newId(), gameId, atVersion: ply + 2, path });
    }
    await sleep(PLAYING_MS);
    await command(pair[0], { type: "resign", commandId: newId(), gameId });
    games += 1;
  }

  const lanes = TERMS.map((_, lane) => runLane(lane));
  return {
    get games() {
      return games;
    },
    async stop() {
      isStopping = true;
      await Promise.all(lanes);
    },
  };
}

const newId = () => toCommandId(randomUUID());

/** These connections watch no table, so every command is answered by `done`. */
async function command(socket: WebSocket, frame: ClientFrame): Promise<void> {
  const done = waitForFrame(socket, "done");
  sendFrame(socket, frame);
  await done;
}
