import { isDeepStrictEqual } from "node:util";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { Random } from "@holo/kernel/random.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { ChatMessageView } from "@holo/protocol/socket/server-frames.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import type { Move, Seat } from "@holo/rules/rules.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS, toGameFeeBps } from "@holo/table/platform-fee.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import { findSeat, toOpponent } from "@holo/table/state.ts";
import { clearTimeout, performance, randomUUID, setTimeout, wallMs } from "../apps/server/src/platform/runtime.ts";
import { createTableStore, type TableStore } from "../apps/web/src/features/table/store/table-store.ts";
import type { ShownTable } from "../apps/web/src/features/table/store/table-view.ts";
import type { Command, CommandAnswer } from "../apps/web/src/lib/socket/command-queue.ts";
import { createSocket, type Socket } from "../apps/web/src/lib/socket/socket-core.ts";
import type { Account } from "./account.ts";
import type { Network } from "./network.ts";
import { chooseOddCommand, chooseVisitorCommand } from "./odd-commands.ts";

export interface SeenGame {
  readonly shown: ShownTable;
  readonly chat: readonly ChatMessageView[];
}

export type Mood = "lively" | "silent" | "asking" | "resigning" | "resting";

export interface Robot {
  readonly name: string;
  /** How many of its commands were. */
  acknowledged(): number;
  /** Every game it opened, in its last view. */
  readonly seen: ReadonlyMap<GameId, SeenGame>;
  readonly faults: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  takeTurn(): Promise<void>;
  /**
   * `silent`: idle in games. `resting`: idle everywhere. `asking`: white makes offers, black too if
   * the table awaits a player, and black declines them. `resigning`: white resigns.
   */
  setMood(mood: Mood): void;
  /** The remaining time of its running clock in its own turn; null without one. */
  clockLeftMs(nowMs: number): number | null;
  /** Watches the list of games from now on. */
  watchLobby(): void;
  finish(): void;
  describePending(): string | null;
  watch(gameId: GameId): void;
  close(): void;
}

/** Speeds up the page's own timeouts and retries. */
const SPEEDUP = 8;
/** On a slow machine a faster page times out before each answer, and reconnects forever. */
const FINISHING_SPEEDUP = 2;
/** After this many connections without an answer the machine is too slow for `SPEEDUP`. */
const SILENT_CONNECTIONS_MAX = 3;
const UNANSWERED_MAX = 6;
/** One page of the lobby. */
const LISTED_MAX = 30;
const LONG_GAME_PLIES = 70;
/** Both players follow it in some games: a pawn is promoted after nine plies, to any piece. */
const PROMOTION_LINE: readonly (readonly [from: number, to: number])[] = [
  [55, 39],
  [14, 30],
  [39, 30],
  [15, 23],
  [30, 23],
  [8, 16],
  [23, 15],
  [9, 17],
  [15, 6],
];
/** Excludes the games with that line, which accepted takebacks would keep from going on. */
const isGenerous = (gameId: GameId): boolean => gameId.startsWith("f");
/** How often a robot stays at a table that is over until the opponent has left and played again. */
const STAYS_PERCENT = 2;
const STAYED_TURNS = 2_500;
const LEFT_TURNS = 25;
/** How often a robot thinks, and at least how long. */
const THINKS_PERCENT = 6;
const THOUGHT_MS = 400;
/** A server resyncs stale tables once a second; faulty connections add to that. */
const SEAT_DELAY_MS_MAX = 5_000;

interface CurrentTable {
  readonly gameId: GameId;
  readonly store: TableStore;
  readonly chat: ChatMessageView[];
  /** How many of the robot's turns it stays there once the game is over. */
  turnsLeft: number;
  /** Since when the view shows the robot without a seat; null if it has one. */
  notSeatedSinceMs: number | null;
}

/** `account` is null for a visitor; `waiting` are games that wait for an opponent. */
export function startRobot(
  account: Account | null,
  network: Network,
  random: Random,
  waiting: () => readonly GameId[] = () => [],
): Robot {
  let acknowledged = 0;
  const seen = new Map<GameId, SeenGame>();
  const faults: string[] = [];
  const counts = new Map<string, number>();
  /** Sent and not answered, by id. */
  const unanswered = new Map<CommandId, Command>();
  let feeBps = DEFAULT_FEE_BPS;
  let lastId: CommandId | null = null;
  let isFinishing = false;
  let mood: Mood = "lively";
  let thought = { turn: "", untilMs: 0 };
  let isGone = false;
  let current: CurrentTable | null = null;

  let speedup = SPEEDUP;
  let anchor = { realMs: performance.now(), pageMs: 0 };
  const pageNow = (): number => anchor.pageMs + (performance.now() - anchor.realMs) * speedup;

  function setSpeedup(next: number): void {
    anchor = { realMs: performance.now(), pageMs: pageNow() };
    speedup = next;
  }

  function isMachineSlow(): boolean {
    const newest = network.recording.connections.slice(-SILENT_CONNECTIONS_MAX);
    return newest.length === SILENT_CONNECTIONS_MAX && newest.every(({ received }) => received.length === 0);
  }

  const socket: Socket = createSocket(
    {
      connect(events) {
        setSpeedup(isFinishing || isMachineSlow() ? FINISHING_SPEEDUP : SPEEDUP);
        return network.connect(events);
      },
      after(ms, act) {
        if (isGone) return () => undefined;
        const timer = setTimeout(act, ms / speedup);
        return () => clearTimeout(timer);
      },
      now: pageNow,
      wallNow: () => 0,
      random: () => random(1_000) / 1_000,
      isOnline: () => true,
      newId() {
        lastId = toCommandId(randomUUID());
        return lastId;
      },
    },
    (frame) => {
      if (frame.type === "settings") feeBps = frame.feeBps;
    },
  );

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  async function send(command: Command): Promise<CommandAnswer> {
    const answering = socket.sendCommand(command);
    const commandId = lastId!;
    unanswered.set(commandId, command);
    const answer = await answering;
    unanswered.delete(commandId);
    count(answer.type === "refused" ? `${command.type}: ${answer.refusal.code}` : command.type);
    if (answer.type !== "refused") acknowledged += 1;
    return answer;
  }

  function openTable(gameId: GameId): void {
    if (current?.gameId === gameId) return;
    closeTable();
    const chat: ChatMessageView[] = [];
    const store = createTableStore(gameId, {
      sendCommand: send,
      watchTable: socket.watchTable,
      loadRules: async (game) => rulesOf(game),
      now: wallMs,
      onRefused: () => undefined,
      onChat: (messages) => chat.push(...messages),
    });
    const turnsLeft = chance(STAYS_PERCENT) ? STAYED_TURNS : LEFT_TURNS;
    current = { gameId, store, chat, turnsLeft, notSeatedSinceMs: null };
    store.subscribe(() => remember(gameId, store, chat));
  }

  function remember(gameId: GameId, store: TableStore, chat: ChatMessageView[]): void {
    const view = store.view();
    if (view.type === "broken") faults.push(`game ${gameId} can no longer be shown`);
    if (view.type === "ready") seen.set(gameId, { shown: view, chat });
  }

  function closeTable(): void {
    current?.store.close();
    current = null;
  }

  const chance = (percent: number): boolean => random(100) < percent;
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;

  async function findGame(): Promise<void> {
    const session = await account?.loadSession();
    if (session === undefined) return;
    feeBps = session.settings.feeBps;
    if (session.openGame !== null) return openTable(session.openGame.gameId);
    if (isFinishing || unanswered.size > 0) return;
    const [listed] = waiting();
    if (listed !== undefined && chance(20)) {
      const joined = await send({ type: "join", gameId: listed });
      if (joined.type === "done") openTable(joined.gameId);
      return;
    }
    const stake = chance(70) ? 1 : pick(STAKES);
    const answer = await send({
      type: "create",
      game: pick(listGameTypes()),
      stake,
      limitMinutes: pick(LIMIT_MINUTES),
      feeBps: toGameFeeBps(stake, feeBps),
      byInvitation: false,
    });
    if (answer.type === "done") openTable(answer.gameId);
  }

  function play(store: TableStore, shown: ShownTable, seat: Seat): void {
    const { table, rules } = shown;
    const { gameId } = table;
    if (mood !== "lively") {
      // Crossing offers would count as accepted.
      if (unanswered.size > 0) return;
      if (mood === "resigning" && seat === 1) void send({ type: "resign", gameId });
      const asks = seat === 1 || table.clock.awaited.length > 0;
      const opponentMoves = countOpponentMoves(shown, seat);
      if (mood === "asking" && asks) {
        void send({ type: chance(50) ? "offer_draw" : "request_takeback", gameId, opponentMoves });
      }
      const offer = table.offers.draw.pending ?? table.offers.takeback.pending;
      if (mood === "asking" && seat === 2 && offer?.seat === 1 && chance(10)) {
        const type = offer === table.offers.draw.pending ? "answer_draw" : "answer_takeback";
        void send({ type, gameId, offer: offer.version, answer: "decline", atVersion: table.boardVersion });
      }
      return;
    }
    const isOwnTurn = rules.toMove(table.position) === seat;
    const isLong = isFinishing || table.moves.length > LONG_GAME_PLIES;
    if (isOwnTurn && shown.pending === null && !isThinking(shown) && chance(isLong ? 30 : 85)) {
      const { path, promotion } = chooseMove(shown);
      return store.move(path, promotion);
    }
    if (unanswered.size >= UNANSWERED_MAX || !chance(toLineMove(shown) === undefined ? 30 : 2)) return;
    if (isLong && chance(40)) {
      return void send(chance(50) ? { type: "resign", gameId } : { type: "cancel", gameId, whileWaiting: false });
    }
    void send(toCommand(shown, seat));
  }

  /** Some turns take long enough for their time to be counted. */
  function isThinking({ table: { gameId, boardVersion } }: ShownTable): boolean {
    const turn = `${gameId} ${boardVersion}`;
    if (thought.turn !== turn)
      thought = { turn, untilMs: chance(THINKS_PERCENT) ? performance.now() + THOUGHT_MS + random(THOUGHT_MS) : 0 };
    return performance.now() < thought.untilMs;
  }

  function toLineMove({ table: { gameId, game, moves } }: ShownTable): readonly number[] | undefined {
    const isFollowed = game === "chess" && gameId < "8";
    const isOnLine = moves.slice().every(({ move: { path } }, ply) => isDeepStrictEqual(path, PROMOTION_LINE[ply]));
    return isFollowed && isOnLine ? PROMOTION_LINE[moves.length] : undefined;
  }

  /** Pawns are pushed, so that some are promoted. */
  function chooseMove(shown: ShownTable): Move {
    const {
      rules,
      table: { position },
    } = shown;
    const moves = rules.legalMoves(position);
    const promotions = moves.filter(({ promotion }) => promotion !== undefined);
    if (promotions.length > 0) return pick(promotions);
    const next = toLineMove(shown);
    const onLine = moves.find(({ path }) => isDeepStrictEqual(path, next));
    if (onLine !== undefined) return onLine;
    const pushes = moves.filter(({ path }) => rules.pieceAt(position, path[0]!)?.kind === "pawn");
    if (pushes.length === 0 || !chance(60)) return pick(moves);
    // White moves towards the first square.
    const toLeft = ({ path }: Move): number => (rules.toMove(position) === 1 ? path.at(-1)! : 63 - path.at(-1)!) >> 3;
    const least = Math.min(...pushes.map(toLeft));
    return pick(pushes.filter((push) => toLeft(push) === least));
  }

  function toCommand(shown: ShownTable, seat: Seat): Command {
    const { table, rules } = shown;
    const { gameId, offers } = table;
    const generous = isGenerous(gameId) && chance(60) ? toGenerousCommand(shown, seat) : null;
    if (generous !== null) return generous;
    if (chance(2)) return chooseOddCommand(random, gameId);
    const pending = offers.takeback.pending ?? offers.draw.pending;
    const answer: OfferAnswer = pick(["accept", "decline", "accept", "decline", "decline_all"]);
    const atVersion = chance(85) ? table.boardVersion : random(table.version + 3);
    if (pending !== null && chance(60)) {
      const isTakeback = pending === offers.takeback.pending;
      // Too many accepted draws would end games early.
      const given = !isTakeback && answer === "accept" && chance(70) ? "decline" : answer;
      const offer = chance(95) ? pending.version : random(table.version + 3);
      return { type: isTakeback ? "answer_takeback" : "answer_draw", gameId, offer, answer: given, atVersion };
    }
    const roll = random(100);
    const opponentMoves = chance(85) ? countOpponentMoves(shown, seat) : random(table.version + 1);
    if (roll < 25) return { type: "request_takeback", gameId, opponentMoves };
    if (roll < 40) return { type: "offer_draw", gameId, opponentMoves };
    if (roll < 65) return { type: "chat", gameId, text: `${seat} says ${random(1_000_000)} at ${table.version}` };
    if (roll < 66) return { type: "resign", gameId };
    if (roll < 67) return { type: "resign", gameId: waiting()[0] ?? (randomUUID() as GameId) };
    if (roll < 68) return { type: "cancel", gameId, whileWaiting: false };
    if (roll < 74) return { type: "offer_rematch", gameId, feeBps: toGameFeeBps(table.stake, feeBps) };
    if (roll < 80) return { type: "join", gameId };
    if (roll < 86) return { type: "answer_rematch", gameId, offer: random(table.version + 2), answer: "accept" };
    // A move that is legal now and was chosen for an earlier board.
    if (chance(60) && rules.toMove(table.position) === seat) {
      const { path, promotion } = chooseMove(shown);
      const earlier = Math.max(1, table.boardVersion - 1 - random(3));
      return { type: "move", gameId, atVersion: earlier, path, ...(promotion === undefined ? {} : { promotion }) };
    }
    const path = Array.from({ length: 2 + random(3) }, () => random(64));
    return { type: "move", gameId, atVersion, path };
  }

  /** The first player asks for more takebacks than a game allows, and the second grants them. */
  function toGenerousCommand(shown: ShownTable, seat: Seat): Command | null {
    const { table } = shown;
    const { gameId, boardVersion } = table;
    const { pending } = table.offers.takeback;
    if (pending === null) {
      return seat === 1 ? { type: "request_takeback", gameId, opponentMoves: countOpponentMoves(shown, seat) } : null;
    }
    if (pending.seat === seat) return null;
    return { type: "answer_takeback", gameId, offer: pending.version, answer: "accept", atVersion: boardVersion };
  }

  function playAfterEnd(at: CurrentTable, { table }: ShownTable, seat: Seat): void {
    const { rematch } = table.offers;
    if (rematch.gameId !== null) return openTable(rematch.gameId);
    at.turnsLeft -= 1;
    if (isFinishing || at.turnsLeft < 0 || table.status === "cancelled") {
      if (unanswered.size === 0) closeTable();
      return;
    }
    if (unanswered.size >= UNANSWERED_MAX) return;
    const { pending } = rematch;
    const { gameId } = table;
    if (pending !== null && pending.seat === toOpponent(seat) && chance(40)) {
      const answer = chance(75) ? "accept" : "decline";
      return void send({ type: "answer_rematch", gameId, offer: pending.version, answer });
    }
    const roll = random(at.turnsLeft > LEFT_TURNS ? 2_000 : 100);
    if (roll < 10) void send({ type: "offer_rematch", gameId, feeBps: toGameFeeBps(table.stake, feeBps) });
    else if (roll < 20) void send({ type: "chat", gameId, text: `gg ${random(1_000_000)}` });
  }

  /** The view may briefly be older than the seat in the database. */
  function checkSeat(at: CurrentTable): void {
    at.notSeatedSinceMs ??= performance.now();
    if (performance.now() - at.notSeatedSinceMs < SEAT_DELAY_MS_MAX) return;
    faults.push(`${account?.username} has game ${at.gameId} open without a seat`);
    closeTable();
  }

  return {
    name: account?.username ?? "a visitor",
    acknowledged: () => acknowledged,
    seen,
    faults,
    counts,
    async takeTurn() {
      if (mood === "resting") return;
      if (account === null) {
        if (unanswered.size === 0 && chance(1)) await send(chooseVisitorCommand(random, feeBps));
        return;
      }
      if (current === null) return await findGame();
      const view = current.store.view();
      if (view.type !== "ready") return;
      const seat = findSeat(view.table, account.id);
      if (seat === null) return checkSeat(current);
      switch (view.table.status) {
        case "waiting":
          if (unanswered.size === 0 && (isFinishing || chance(2)))
            await send({ type: "cancel", gameId: view.table.gameId, whileWaiting: true });
          else if (unanswered.size === 0 && chance(1)) await send(chooseOddCommand(random, view.table.gameId));
          return;
        case "active":
          return play(current.store, view, seat);
        default:
          return playAfterEnd(current, view, seat);
      }
    },
    setMood(moodNow) {
      mood = moodNow;
    },
    clockLeftMs(nowMs) {
      const view = current?.store.view();
      if (view?.type !== "ready" || view.table.status !== "active") return null;
      const { clock, position, pliesEver } = view.table;
      const seat = view.rules.toMove(position);
      if (account === null || findSeat(view.table, account.id) !== seat) return null;
      if (clock.turnStartedAt === null || pliesEver < 2) return null;
      return ofSeat(clock.remainingMs, seat) - (nowMs - clock.turnStartedAt);
    },
    watchLobby() {
      const watch = { type: "watch_lobby", filter: EVERY_MATCH, count: LISTED_MAX, request: 1 } as const;
      socket.subscribe({ watch, unwatch: { type: "unwatch_lobby" }, receive: () => undefined });
    },
    finish() {
      isFinishing = true;
      setSpeedup(FINISHING_SPEEDUP);
    },
    describePending() {
      if (unanswered.size === 0 && current === null) return null;
      const view = current?.store.view();
      const at = view?.type === "ready" ? `${view.table.status} at ${view.table.version}` : view?.type;
      const commands = [...unanswered].map(([id, { type }]) => `${type} ${id}`).join();
      const name = account?.username ?? "a visitor";
      return `${name}: ${socket.connectionState()}, unanswered: ${commands}, game ${current?.gameId} (${at})`;
    },
    watch: openTable,
    close() {
      closeTable();
      isGone = true;
      network.close();
    },
  };
}

function countOpponentMoves({ table }: ShownTable, seat: Seat): number {
  return ofSeat(table.movesMade, toOpponent(seat));
}
