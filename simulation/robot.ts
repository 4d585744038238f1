import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { Random } from "@holo/kernel/random.ts";
import type { ChatMessageView } from "@holo/protocol/frames.ts";
import { GAME_TYPES, type GameRules, type GameType, type Seat } from "@holo/rules/rules.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { toOpponent, toSeat } from "@holo/table/state.ts";
import { createTableStore, type TableStore } from "../apps/web/src/features/table/store/table-store.ts";
import type { ShownTable } from "../apps/web/src/features/table/store/table-view.ts";
import type { Command, CommandAnswer } from "../apps/web/src/lib/socket/command-queue.ts";
import { createSocket, type Socket } from "../apps/web/src/lib/socket/socket-core.ts";
import type { Account } from "./account.ts";
import type { Network } from "./network.ts";

/** A command that the server has acknowledged. */
export interface Acknowledged {
  readonly commandId: CommandId;
  readonly command: Command;
  readonly gameId: GameId;
  /** The version of its log record, or the number of a chat message. */
  readonly version: number;
}

/** The last view that a robot had of a game. */
export interface SeenGame {
  readonly shown: ShownTable;
  readonly chat: readonly ChatMessageView[];
}

/** A player or visitor that acts at random through the page's own socket and store. */
export interface Robot {
  readonly name: string;
  readonly acknowledged: readonly Acknowledged[];
  /** Every game it opened, in its last view. */
  readonly seen: ReadonlyMap<GameId, SeenGame>;
  /** Errors that a page must never show. */
  readonly faults: readonly string[];
  /** Commands by type, and by type and refusal code. */
  readonly counts: ReadonlyMap<string, number>;
  /** Does one random thing. */
  takeTurn(): Promise<void>;
  /** From now on it starts nothing new and finishes its game. */
  finish(): void;
  /** Null if it has no game and no unanswered command. */
  describePending(): string | null;
  watch(gameId: GameId): void;
  /** Closes for good, without reconnecting. */
  close(): void;
}

const RULES: Readonly<Record<GameType, GameRules<unknown>>> = { checkers, chess };
/** Speeds up the page's own timeouts and retries. */
const SPEEDUP = 8;
const UNANSWERED_MAX = 6;
/** Plies after which a robot tries to end the game. */
const LONG_GAME_PLIES = 70;
/** A node resyncs stale tables once a second; faulty connections add to that. */
const SEAT_DELAY_MS_MAX = 5_000;

interface CurrentTable {
  readonly gameId: GameId;
  readonly store: TableStore;
  readonly chat: ChatMessageView[];
  /** Turns since the game ended. */
  turnsAfterEnd: number;
  /** Since when the view shows the robot without a seat; null if it has one. */
  notSeatedSinceMs: number | null;
}

/** @param account null for a visitor */
export function startRobot(account: Account | null, network: Network, random: Random): Robot {
  const acknowledged: Acknowledged[] = [];
  const seen = new Map<GameId, SeenGame>();
  const faults: string[] = [];
  const counts = new Map<string, number>();
  let unanswered = 0;
  let lastId: CommandId | null = null;
  let isFinishing = false;
  let isGone = false;
  let current: CurrentTable | null = null;

  const socket: Socket = createSocket(
    {
      connect: network.connect,
      after(ms, act) {
        if (isGone) return () => undefined;
        const timer = setTimeout(act, ms / SPEEDUP);
        return () => clearTimeout(timer);
      },
      now: () => performance.now() * SPEEDUP,
      random: () => random(1_000) / 1_000,
      isOnline: () => true,
      newId() {
        lastId = toCommandId(randomUUID());
        return lastId;
      },
    },
    () => undefined,
  );

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  async function send(command: Command): Promise<CommandAnswer> {
    unanswered += 1;
    const answering = socket.sendCommand(command);
    const commandId = lastId!;
    const answer = await answering;
    unanswered -= 1;
    count(answer.type === "refused" ? `${command.type}: ${answer.refusal.code}` : command.type);
    if (answer.type === "refused") return answer;
    const version = answer.type === "moved" ? answer.record.version : answer.version;
    acknowledged.push({ commandId, command, gameId: answer.gameId, version });
    return answer;
  }

  function openTable(gameId: GameId): void {
    if (current?.gameId === gameId) return;
    closeTable();
    const chat: ChatMessageView[] = [];
    const store = createTableStore(gameId, {
      sendCommand: send,
      watchTable: socket.watchTable,
      loadRules: async (game) => RULES[game],
      now: Date.now,
      onRefused: () => undefined,
      onChat: (messages) => chat.push(...messages),
    });
    current = { gameId, store, chat, turnsAfterEnd: 0, notSeatedSinceMs: null };
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
    if (session.openGame !== null) return openTable(session.openGame.gameId);
    if (isFinishing || unanswered > 0) return;
    const answer = await send({
      type: "create",
      game: pick(GAME_TYPES),
      stake: 1,
      limitMinutes: pick([5, 10]),
      feeBps: DEFAULT_FEE_BPS,
    });
    if (answer.type === "done") openTable(answer.gameId);
  }

  function play(store: TableStore, shown: ShownTable, seat: Seat): void {
    const { table, rules } = shown;
    const { gameId } = table;
    const isOwnTurn = rules.toMove(table.position) === seat;
    const isLong = isFinishing || table.moves.length > LONG_GAME_PLIES;
    if (isOwnTurn && shown.pending === null && chance(isLong ? 30 : 85)) {
      const { path, promotion } = pick(rules.legalMoves(table.position));
      return store.move(path, promotion);
    }
    // A waiting robot does something else at times.
    if (unanswered >= UNANSWERED_MAX || !chance(30)) return;
    if (isLong && chance(40)) return void send({ type: chance(50) ? "resign" : "cancel", gameId });
    void send(toCommand(shown, seat));
  }

  /** Any command of a table, valid or not. */
  function toCommand({ table }: ShownTable, seat: Seat): Command {
    const { gameId, offers } = table;
    const standing = offers.takeback.pending ?? offers.draw.pending;
    const answer: OfferAnswer = pick(["accept", "decline", "accept", "decline", "decline_all"]);
    const atVersion = chance(90) ? table.boardVersion : random(table.version + 3);
    if (standing !== null && chance(60)) {
      const isTakeback = standing === offers.takeback.pending;
      // Too many accepted draws would end games early.
      const given = !isTakeback && answer === "accept" && chance(70) ? "decline" : answer;
      const offer = chance(95) ? standing.version : random(table.version + 3);
      return { type: isTakeback ? "answer_takeback" : "answer_draw", gameId, offer, answer: given, atVersion };
    }
    const roll = random(100);
    if (roll < 25) return { type: "request_takeback", gameId };
    if (roll < 40) return { type: "offer_draw", gameId };
    if (roll < 65) return { type: "chat", gameId, text: `${seat} says ${random(1_000_000)} at ${table.version}` };
    if (roll < 67) return { type: "resign", gameId };
    if (roll < 68) return { type: "cancel", gameId };
    if (roll < 74) return { type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS };
    if (roll < 80) return { type: "join", gameId };
    if (roll < 86) return { type: "answer_rematch", gameId, offer: random(table.version + 2), answer: "accept" };
    const path = Array.from({ length: 2 + random(3) }, () => random(64));
    return { type: "move", gameId, atVersion, path };
  }

  /** Negotiates a rematch for a while, then leaves. */
  function playAfterEnd(at: CurrentTable, { table }: ShownTable, seat: Seat): void {
    const { rematch } = table.offers;
    if (rematch.gameId !== null) return openTable(rematch.gameId);
    at.turnsAfterEnd += 1;
    if (isFinishing || at.turnsAfterEnd > 25 || table.status === "cancelled") {
      if (unanswered === 0) closeTable();
      return;
    }
    if (unanswered >= UNANSWERED_MAX) return;
    const { pending } = rematch;
    const { gameId } = table;
    if (pending !== null && pending.seat === toOpponent(seat) && chance(40)) {
      const answer = chance(75) ? "accept" : "decline";
      return void send({ type: "answer_rematch", gameId, offer: pending.version, answer });
    }
    const roll = random(100);
    if (roll < 10) void send({ type: "offer_rematch", gameId, feeBps: DEFAULT_FEE_BPS });
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
    acknowledged,
    seen,
    faults,
    counts,
    async takeTurn() {
      if (current === null) return await findGame();
      const view = current.store.view();
      if (view.type !== "ready" || account === null) return;
      const seat = toSeat(view.table, account.id);
      if (seat === null) return checkSeat(current);
      switch (view.table.status) {
        case "waiting":
          if (unanswered === 0 && (isFinishing || chance(2))) await send({ type: "cancel", gameId: view.table.gameId });
          return;
        case "active":
          return play(current.store, view, seat);
        default:
          return playAfterEnd(current, view, seat);
      }
    },
    finish() {
      isFinishing = true;
    },
    describePending() {
      if (unanswered === 0 && current === null) return null;
      const view = current?.store.view();
      const at = view?.type === "ready" ? `${view.table.status} at ${view.table.version}` : view?.type;
      return `${socket.connectionState()}, ${unanswered} unanswered, game ${current?.gameId} (${at})`;
    },
    watch: openTable,
    close() {
      closeTable();
      isGone = true;
      network.close();
    },
  };
}
