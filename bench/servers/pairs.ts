import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { chess } from "@holo/chess/chess.ts";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { LIMIT_MINUTES, type LimitMinutes, STAKES } from "@holo/table/stakes.ts";
import type { WebSocket } from "ws";
import { makeRandomGames, type RandomGame } from "../rules/random-games.ts";

interface PlayedGames {
  readonly moves: number;
  readonly seconds: number;
  readonly seenMs: readonly number[];
  readonly startedMs: readonly number[];
  readonly loadGeneratorShare: number;
}

interface Around {
  begin(): void;
  end(): void;
}

export interface Pairs {
  start(): void;
  measure(forMs: number, around: Around): Promise<PlayedGames>;
  stop(): void;
  /** `everyMs`: a game's moves are due at this rate, and their latency counts from then. */
  play(warmUpMs: number, forMs: number, around: Around, everyMs?: number | null): Promise<PlayedGames>;
  /** Moves that opponents have received since the start. */
  readonly seen: number;
  findGame(index: number): GameId | null;
}

interface PairsOptions {
  /** From seeing a move until answering it. Default: none. */
  readonly drawThinkMs?: () => number;
  readonly limits?: readonly LimitMinutes[];
}

type FrameOf<Type extends ServerFrame["type"]> = Extract<ServerFrame, { readonly type: Type }>;

interface GameInPlay {
  /** White, who created it, and black; -1 until known. */
  readonly players: [number, number];
  readonly seated: Set<number>;
  readonly moves: RandomGame;
  /** Of the newest move. A credit of the clock takes a version too, but no ply. */
  version: number;
  ply: number;
  sentMs: number;
  dueMs: number;
}

const PLIES_MIN = 60;
const PLIES_MAX = 80;
/** Random games, of which about one in a hundred ends between these plies. */
const RANDOM_GAMES = 4_000;
const DRAIN_MS_MAX = 30_000;
/** The version of a game with both players. */
const SEATED_VERSION = 2;

/** Some that end. */
export function makeEndingGames(): readonly RandomGame[] {
  return makeRandomGames(chess, { count: RANDOM_GAMES, plies: 120, orShorter: true, seed: 3 }).filter(
    ({ length }) => length >= PLIES_MIN && length <= PLIES_MAX,
  );
}

/**
 * Players who seek, watch the table, play a whole game, leave and seek again at once. Each answers
 * a move when they see it.
 */
export function openPairs(
  sockets: readonly WebSocket[],
  samples: readonly RandomGame[],
  { drawThinkMs = () => 0, limits = LIMIT_MINUTES }: PairsOptions = {},
): Pairs {
  const allTerms = STAKES.flatMap((stake) => limits.map((limitMinutes) => ({ stake, limitMinutes })));
  const games = new Map<GameId, GameInPlay>();
  const sought = new Map<CommandId, number>();
  const soughtAtMs = sockets.map(() => 0);
  const busy = new Set<number>();
  const thinking = new Set<NodeJS.Timeout>();
  let begun = 0;
  let isOpen = false;
  let isMeasured = false;
  let everyMs: number | null = null;
  let seen = 0;
  let seenMs: number[] = [];
  let startedMs: number[] = [];

  sockets.forEach((socket, index) => {
    socket.on("message", (data) => receive(index, String(data)));
  });

  function send(index: number, frame: ClientFrame): void {
    sockets[index]!.send(JSON.stringify(frame));
  }

  function seek(index: number): void {
    const commandId = toCommandId(randomUUID());
    busy.add(index);
    sought.set(commandId, index);
    soughtAtMs[index] = performance.now();
    // Both players of a pair seek on the same terms.
    const terms = allTerms[(index >> 1) % allTerms.length]!;
    send(index, {
      type: "create",
      sentAgoMs: 0,
      byInvitation: false,
      commandId,
      game: "chess",
      ...terms,
      feeBps: DEFAULT_FEE_BPS,
    });
  }

  function receive(index: number, text: string): void {
    if (text.startsWith('{"type":"record"')) receiveRecord(index, JSON.parse(text) as FrameOf<"record">);
    else if (text.startsWith('{"type":"table"')) receiveTable(index, JSON.parse(text) as FrameOf<"table">);
    else if (text.startsWith('{"type":"done"')) receiveDone(index, JSON.parse(text) as FrameOf<"done">);
    else if (text.startsWith('{"type":"refused"') || text.startsWith('{"type":"bad_frame"')) throw new Error(text);
  }

  function receiveDone(index: number, { commandId, gameId, version }: FrameOf<"done">): void {
    if (!sought.delete(commandId)) return;
    const game = games.get(gameId) ?? makeGame(gameId);
    game.players[version >= SEATED_VERSION ? 1 : 0] = index;
    send(index, { type: "watch", gameId, since: 0 });
  }

  function makeGame(gameId: GameId): GameInPlay {
    const moves = samples[begun % samples.length]!;
    begun += 1;
    const game: GameInPlay = { players: [-1, -1], seated: new Set(), moves, version: 0, ply: 0, sentMs: 0, dueMs: 0 };
    games.set(gameId, game);
    return game;
  }

  function receiveTable(index: number, { gameId, version }: FrameOf<"table">): void {
    const game = games.get(gameId);
    if (game === undefined || version < SEATED_VERSION || game.seated.has(index)) return;
    game.seated.add(index);
    game.version = version;
    if (isMeasured) startedMs.push(performance.now() - soughtAtMs[index]!);
    // Not all at once.
    game.dueMs = performance.now() + Math.random() * (everyMs ?? 0);
    if (game.seated.size === 2) think(gameId, game);
  }

  function think(gameId: GameId, game: GameInPlay): void {
    const thinkMs = everyMs === null ? drawThinkMs() : Math.max(0, game.dueMs - performance.now());
    if (thinkMs === 0) return move(gameId, game);
    const timer = setTimeout(() => {
      thinking.delete(timer);
      move(gameId, game);
    }, thinkMs);
    thinking.add(timer);
  }

  function move(gameId: GameId, game: GameInPlay): void {
    const { ply, version: atVersion } = game;
    const { path, promotion } = game.moves[ply]!;
    const frame = { type: "move", commandId: toCommandId(randomUUID()), gameId, atVersion, path };
    game.sentMs = everyMs === null ? performance.now() : game.dueMs;
    game.dueMs += everyMs ?? 0;
    send(game.players[(ply % 2) as 0 | 1], (promotion === undefined ? frame : { ...frame, promotion }) as ClientFrame);
  }

  function receiveRecord(index: number, { gameId, record }: FrameOf<"record">): void {
    const game = games.get(gameId);
    if (game === undefined || record.events.every(({ type }) => type !== "moved")) return;
    const isOwn = record.commandId !== undefined;
    if (!isOwn) seen += 1;
    if (!isOwn && isMeasured) seenMs.push(performance.now() - game.sentMs);
    // Both players receive it, the mover perhaps after the answer.
    if (record.version > game.version) {
      game.version = record.version;
      game.ply += 1;
    }
    if (game.ply === game.moves.length && record.version === game.version) leave(index, gameId, game);
    else if (!isOwn) think(gameId, game);
  }

  function leave(index: number, gameId: GameId, game: GameInPlay): void {
    send(index, { type: "unwatch", gameId });
    game.seated.delete(index);
    busy.delete(index);
    if (game.seated.size === 0) games.delete(gameId);
    if (isOpen) seek(index);
  }

  /** Waits until no player plays except those without an opponent, which the next round finds. */
  async function drain(): Promise<void> {
    const untilMs = performance.now() + DRAIN_MS_MAX;
    while (sought.size > 0 || [...games.values()].some(({ players }) => !players.includes(-1))) {
      if (performance.now() > untilMs) throw new Error("a server of the benchmark left games without an end");
      await sleep(10);
    }
  }

  function start(): void {
    isOpen = true;
    for (const index of sockets.keys()) if (!busy.has(index)) seek(index);
  }

  async function measure(forMs: number, around: Around): Promise<PlayedGames> {
    [seenMs, startedMs] = [[], []];
    const cpuBefore = process.cpuUsage();
    around.begin();
    const fromMs = performance.now();
    isMeasured = true;
    await sleep(forMs);
    isMeasured = false;
    const elapsedMs = performance.now() - fromMs;
    around.end();
    const cpu = process.cpuUsage(cpuBefore);
    const loadGeneratorShare = (cpu.user + cpu.system) / 1_000 / elapsedMs;
    return { moves: seenMs.length, seconds: elapsedMs / 1_000, seenMs, startedMs, loadGeneratorShare };
  }

  return {
    start,
    measure,
    stop() {
      isOpen = false;
      for (const timer of thinking) clearTimeout(timer);
    },
    get seen() {
      return seen;
    },
    async play(warmUpMs, forMs, around, moveEveryMs = null) {
      everyMs = moveEveryMs;
      start();
      await sleep(warmUpMs);
      const played = await measure(forMs, around);
      isOpen = false;
      everyMs = null;
      await drain();
      return played;
    },
    findGame(index) {
      for (const [gameId, { seated }] of games) if (seated.size === 2 && seated.has(index)) return gameId;
      return null;
    },
  };
}
