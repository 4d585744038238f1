import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { GameType, Move } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { LIMIT_MINUTES, type LimitMinutes, listPaidStakes } from "@holo/table/stakes.ts";
import type { WebSocket } from "ws";
import { makeRandomGames, type RandomGame } from "../random-games.ts";

export type Pace =
  /** Each player moves as soon as they see the opponent's move. */
  | { readonly type: "closed" }
  | { readonly type: "thinking"; readonly drawMs: () => number }
  /** Moves become due at this rate whatever the server needs; their latency counts from then. */
  | { readonly type: "open"; readonly movesPerS: number };

/** The players are named by the index of their socket. */
interface Seen {
  readonly mover: number;
  readonly viewer: number;
  readonly ms: number;
}

export interface Played<Usage> {
  readonly usage: Usage;
  /** Moves that the opponent received. */
  readonly seen: readonly Seen[];
  readonly seenMs: readonly number[];
  /** From asking for a game until the answer, and until both were at the table. */
  readonly createMs: readonly number[];
  readonly startMs: readonly number[];
  /** That ended. */
  readonly games: number;
}

export interface Pairs {
  /** All players find a game, and none moves. White first. */
  seat(): Promise<ReadonlyMap<GameId, readonly [number, number]>>;
  /** Then games pause where they are: nothing is on its way any more. */
  play<Usage>(pace: Pace, warmUpMs: number, measure: () => Promise<Usage>): Promise<Played<Usage>>;
  /** Moves that opponents have received since the start. */
  readonly seen: number;
  /** The game that this player is in. */
  findGame(index: number): GameId | null;
}

interface PairsOptions {
  readonly game?: GameType;
  readonly limits?: readonly LimitMinutes[];
}

type FrameOf<Type extends ServerFrame["type"]> = Extract<ServerFrame, { readonly type: Type }>;

interface Game {
  /** White, who created it, and black; -1 until known. */
  readonly players: [number, number];
  /** The newest record that each player at the table has. */
  readonly seated: Map<number, number>;
  readonly moves: RandomGame;
  /** Of the newest move. A credit of the clock takes a version too, but no ply. */
  version: number;
  ply: number;
  isInFlight: boolean;
  sentMs: number;
  dueMs: number;
}

/** Random games, of which about one in a hundred ends between these plies. */
const RANDOM_GAMES = 2_000;
const PLIES_MIN = 60;
const PLIES_MAX = 80;
const DRAIN_MS_MAX = 30_000;
const POLL_MS = 10;
/** The version of a game with both players. */
const SEATED_VERSION = 2;

/** Some that end. It takes seconds: sockets that are open meanwhile are lost. */
export function makeEndingGames(): readonly RandomGame[] {
  return makeRandomGames(chess, { count: RANDOM_GAMES, plies: 120, orShorter: true, seed: 3 }).filter(
    ({ length }) => length >= PLIES_MIN && length <= PLIES_MAX,
  );
}

/** The shortest game: create, join, watch, four moves, settle. */
export const SHORTEST_GAMES: readonly RandomGame[] = [
  [
    [53, 45],
    [12, 28],
    [54, 38],
    [3, 39],
  ].map((path) => ({ path }) as unknown as Move),
];

/** Players who seek, watch the table, play a whole game with stakes, and seek again at once. */
export function openPairs(
  sockets: readonly WebSocket[],
  samples: readonly RandomGame[],
  { game: gameType = "chess", limits = LIMIT_MINUTES }: PairsOptions = {},
): Pairs {
  const allTerms = listPaidStakes().flatMap((stake) => limits.map((limitMinutes) => ({ stake, limitMinutes })));
  const games = new Map<GameId, Game>();
  const sought = new Map<CommandId, number>();
  const soughtAtMs = sockets.map(() => 0);
  const busy = new Set<number>();
  const thinking = new Set<NodeJS.Timeout>();
  /** What each player sent last, which the server may ask for again. */
  const sent = new Map<number, string>();
  let pace: Pace | "seating" | null = null;
  let begun = 0;
  let ended = 0;
  let seen = 0;
  let isMeasured = false;
  let noted = { seen: [] as Seen[], createMs: [] as number[], startMs: [] as number[] };

  sockets.forEach((socket, index) => {
    socket.on("message", (data) => receive(index, String(data)));
  });

  function send(index: number, frame: ClientFrame): void {
    const text = JSON.stringify(frame);
    if ("commandId" in frame) sent.set(index, text);
    sockets[index]!.send(text);
  }

  function receive(index: number, text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    switch (frame.type) {
      case "record":
        return receiveRecord(index, frame.gameId, frame.record);
      case "table":
        return receiveTable(index, frame);
      case "done":
        return receiveDone(index, frame);
      case "retry":
        return sockets[index]!.send(sent.get(index)!);
      case "refused":
      case "bad_frame":
        throw new Error(text);
    }
  }

  function seek(index: number): void {
    const commandId = toCommandId(randomUUID());
    busy.add(index);
    sought.set(commandId, index);
    soughtAtMs[index] = performance.now();
    // Both players of a pair seek on the same terms.
    const terms = { game: gameType, feeBps: DEFAULT_FEE_BPS, ...allTerms[(index >> 1) % allTerms.length]! };
    send(index, { type: "create", sentAgoMs: 0, byInvitation: false, commandId, ...terms });
  }

  function receiveDone(index: number, { commandId, gameId, version }: FrameOf<"done">): void {
    if (!sought.delete(commandId)) return;
    if (isMeasured) noted.createMs.push(performance.now() - soughtAtMs[index]!);
    const game = games.get(gameId) ?? makeGame(gameId);
    game.players[version >= SEATED_VERSION ? 1 : 0] = index;
    send(index, { type: "watch", gameId, since: 0 });
  }

  function makeGame(gameId: GameId): Game {
    const moves = samples[begun % samples.length]!;
    begun += 1;
    const start = { version: 0, ply: 0, isInFlight: false, sentMs: 0, dueMs: 0 };
    const game: Game = { players: [-1, -1], seated: new Map(), moves, ...start };
    games.set(gameId, game);
    return game;
  }

  function receiveTable(index: number, { gameId, version, records }: FrameOf<"table">): void {
    const game = games.get(gameId);
    if (game === undefined || version < SEATED_VERSION) return;
    // Sent instead of records that were lost between servers.
    if (game.seated.has(index)) return records.forEach((record) => void receiveRecord(index, gameId, record));
    game.seated.set(index, version);
    game.version = version;
    if (isMeasured) noted.startMs.push(performance.now() - soughtAtMs[index]!);
    if (game.seated.size === 2) begin(gameId, game);
  }

  /** Not all at once. */
  function begin(gameId: GameId, game: Game): void {
    game.dueMs = performance.now() + Math.random() * toEveryMs();
    next(gameId, game);
  }

  function toEveryMs(): number {
    return typeof pace === "object" && pace?.type === "open" ? (500 * sockets.length) / pace.movesPerS : 0;
  }

  function next(gameId: GameId, game: Game): void {
    if (typeof pace !== "object" || pace === null) return;
    const waitMs = pace.type === "thinking" ? pace.drawMs() : pace.type === "open" ? game.dueMs - performance.now() : 0;
    if (waitMs <= 0) return move(gameId, game);
    const timer = setTimeout(() => {
      thinking.delete(timer);
      move(gameId, game);
    }, waitMs);
    thinking.add(timer);
  }

  function move(gameId: GameId, game: Game): void {
    const { ply, version: atVersion } = game;
    const { path, promotion } = game.moves[ply]!;
    const commandId = toCommandId(randomUUID());
    const everyMs = toEveryMs();
    game.sentMs = everyMs === 0 ? performance.now() : game.dueMs;
    game.dueMs += everyMs;
    game.isInFlight = true;
    const order = promotion === undefined ? { path } : { path, promotion };
    send(game.players[(ply % 2) as 0 | 1], { type: "move", commandId, gameId, atVersion, ...order });
  }

  function receiveRecord(index: number, gameId: GameId, { version, events, commandId }: LogRecord): void {
    const game = games.get(gameId);
    if (game === undefined || version <= (game.seated.get(index) ?? version)) return;
    game.seated.set(index, version);
    const has = (wanted: string): boolean => events.some(({ type }) => type === wanted);
    const isOwn = commandId !== undefined;
    // Both players receive it, the mover perhaps after the answer.
    if (has("moved") && version > game.version) {
      game.version = version;
      game.ply += 1;
    }
    if (has("moved") && !isOwn) noteSeen(index, game);
    // A game that paused before its first move is cancelled after a while.
    if (has("ended") || has("cancelled")) leave(index, gameId, game);
    else if (has("moved") && !isOwn) next(gameId, game);
  }

  function noteSeen(viewer: number, game: Game): void {
    seen += 1;
    game.isInFlight = false;
    const mover = game.players[0] === viewer ? game.players[1] : game.players[0];
    if (isMeasured) noted.seen.push({ mover, viewer, ms: performance.now() - game.sentMs });
  }

  function leave(index: number, gameId: GameId, game: Game): void {
    send(index, { type: "unwatch", gameId });
    game.seated.delete(index);
    busy.delete(index);
    if (game.seated.size === 0) {
      games.delete(gameId);
      if (isMeasured) ended += 1;
    }
    if (pace !== null) seek(index);
  }

  function resume(): void {
    for (const index of sockets.keys()) if (!busy.has(index)) seek(index);
    for (const [gameId, game] of games) if (game.seated.size === 2 && game.ply < game.moves.length) begin(gameId, game);
  }

  async function until(holds: () => boolean): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS_MAX;
    while (!holds()) {
      if (performance.now() > untilMs) throw new Error("a server of the benchmark left commands unanswered");
      await sleep(POLL_MS);
    }
  }

  return {
    async seat() {
      pace = "seating";
      resume();
      await until(() => [...games.values()].filter(({ seated }) => seated.size === 2).length === sockets.length / 2);
      pace = null;
      return new Map([...games].map(([gameId, { players }]) => [gameId, players] as const));
    },
    async play(newPace, warmUpMs, measure) {
      noted = { seen: [], createMs: [], startMs: [] };
      ended = 0;
      pace = newPace;
      resume();
      await sleep(warmUpMs);
      isMeasured = true;
      const usage = await measure();
      isMeasured = false;
      pace = null;
      for (const timer of thinking) clearTimeout(timer);
      thinking.clear();
      await until(() => sought.size === 0 && ![...games.values()].some(({ isInFlight }) => isInFlight));
      return { usage, ...noted, seenMs: noted.seen.map(({ ms }) => ms), games: ended };
    },
    get seen() {
      return seen;
    },
    findGame(index) {
      for (const [gameId, { seated }] of games) if (seated.size === 2 && seated.has(index)) return gameId;
      return null;
    },
  };
}
