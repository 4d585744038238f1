import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { Random } from "@holo/kernel/random.ts";
import type { ChatMessageView } from "@holo/protocol/games.ts";
import { GAME_TYPES, type GameRules, type GameType, type Seat } from "@holo/rules/rules.ts";
import type { OfferAnswer } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/stakes.ts";
import { toOpponent, toSeat } from "@holo/table/state.ts";
import {
  createTableStore,
  type ShownTable,
  type TableStore,
} from "../apps/web/src/features/table/store/table-store.ts";
import type { Command, CommandAnswer } from "../apps/web/src/lib/socket/command-queue.ts";
import { createSocket, type Socket } from "../apps/web/src/lib/socket/socket-core.ts";
import type { Account } from "./account.ts";
import type { Network } from "./network.ts";

/** A command that the server said it has carried out. */
export interface Acknowledged {
  readonly commandId: string;
  readonly command: Command;
  readonly gameId: string;
  /** The version of its entry; of a chat message its number. */
  readonly version: number;
}

/** A game as somebody saw it last. */
export interface SeenGame {
  readonly shown: ShownTable;
  readonly chat: readonly ChatMessageView[];
}

/** A player, or a visitor, who does at random whatever there is to do, by the page's own code. */
export interface Robot {
  readonly name: string;
  readonly acknowledged: readonly Acknowledged[];
  /** Every game they had before them, as they saw it last. */
  readonly seen: ReadonlyMap<string, SeenGame>;
  /** What should never happen to a page. */
  readonly faults: readonly string[];
  /** How many commands of each type were carried out, and how many were refused. */
  readonly counts: ReadonlyMap<string, number>;
  /** One thing more. */
  takeTurn(): Promise<void>;
  /** From now on they begin nothing new, and bring to an end what they have begun. */
  finish(): void;
  /** What they still wait for; null where they sit at no game and every command is answered. */
  describePending(): string | null;
  watch(gameId: string): void;
  /** Gone for good: nothing is tried again. */
  close(): void;
}

const RULES: Readonly<Record<GameType, GameRules<unknown>>> = { checkers, chess };
/** The page's own waits (for an answer, for the next try) pass so much faster. */
const SPEEDUP = 8;
const UNANSWERED_MAX = 6;
/** After so many plies a robot looks for an end. */
const LONG_GAME_PLIES = 70;
/** A node looks once a second for tables that are behind the database; a connection that drops and delays takes its part. */
const SEAT_DELAY_MS_MAX = 5_000;

interface CurrentTable {
  readonly gameId: string;
  readonly store: TableStore;
  readonly chat: ChatMessageView[];
  /** How often they have looked at it since it was over. */
  turnsAfterEnd: number;
  /** Since when it has been shown without them at it; null where it was not. */
  notSeatedSinceMs: number | null;
}

/** @param account null for a visitor */
export function startRobot(account: Account | null, network: Network, random: Random): Robot {
  const acknowledged: Acknowledged[] = [];
  const seen = new Map<string, SeenGame>();
  const faults: string[] = [];
  const counts = new Map<string, number>();
  let outstanding = 0;
  let lastId = "";
  let isFinishing = false;
  let isGone = false;
  let before: CurrentTable | null = null;

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
        lastId = randomUUID();
        return lastId;
      },
    },
    () => undefined,
  );

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }

  async function send(command: Command): Promise<CommandAnswer> {
    outstanding += 1;
    const answering = socket.sendCommand(command);
    const commandId = lastId;
    const answer = await answering;
    outstanding -= 1;
    count(answer.type === "refused" ? `${command.type}: ${answer.refusal.code}` : command.type);
    if (answer.type === "refused") return answer;
    const version = answer.type === "moved" ? answer.entry.version : answer.version;
    acknowledged.push({ commandId, command, gameId: answer.gameId, version });
    return answer;
  }

  function sit(gameId: string): void {
    if (before?.gameId === gameId) return;
    leave();
    const chat: ChatMessageView[] = [];
    const store = createTableStore(gameId, {
      sendCommand: send,
      watchTable: socket.watchTable,
      loadRules: async (game) => RULES[game],
      now: Date.now,
      onRefused: () => undefined,
      onChat: (messages) => chat.push(...messages),
    });
    before = { gameId, store, chat, turnsAfterEnd: 0, notSeatedSinceMs: null };
    store.subscribe(() => remember(gameId, store, chat));
  }

  function remember(gameId: string, store: TableStore, chat: ChatMessageView[]): void {
    const view = store.view();
    if (view.type === "broken") faults.push(`game ${gameId} cannot be shown any more`);
    if (view.type === "ready") seen.set(gameId, { shown: view, chat });
  }

  function leave(): void {
    before?.store.close();
    before = null;
  }

  const chance = (percent: number): boolean => random(100) < percent;
  const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)]!;

  async function seek(): Promise<void> {
    const gameId = await account?.findOpenGame();
    if (gameId === undefined) return;
    if (gameId !== null) return sit(gameId);
    if (isFinishing || outstanding > 0) return;
    const answer = await send({
      type: "create",
      game: pick(GAME_TYPES),
      stake: 1,
      limitMinutes: pick([5, 10]),
      feeBps: DEFAULT_FEE_BPS,
    });
    if (answer.type === "done") sit(answer.gameId);
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
    // Who waits for the other does something else now and then.
    if (outstanding >= UNANSWERED_MAX || !chance(30)) return;
    if (isLong && chance(40)) return void send({ type: chance(50) ? "resign" : "cancel", gameId });
    void send(toCommand(shown, seat));
  }

  /** Anything that can be said at a table, sensible or not. */
  function toCommand({ table }: ShownTable, seat: Seat): Command {
    const { gameId, offers } = table;
    const standing = offers.takeback.pending ?? offers.draw.pending;
    const answer: OfferAnswer = pick(["accept", "decline", "accept", "decline", "decline_all"]);
    const atVersion = chance(90) ? table.boardVersion : random(table.version + 3);
    if (standing !== null && chance(60)) {
      const isTakeback = standing === offers.takeback.pending;
      // Accepted draws end games before anything else can happen in them.
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

  /** Talks about a rematch for a while, and goes. */
  function linger(at: CurrentTable, { table }: ShownTable, seat: Seat): void {
    const { rematch } = table.offers;
    if (rematch.gameId !== null) return sit(rematch.gameId);
    at.turnsAfterEnd += 1;
    if (isFinishing || at.turnsAfterEnd > 25 || table.status === "cancelled") {
      if (outstanding === 0) leave();
      return;
    }
    if (outstanding >= UNANSWERED_MAX) return;
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

  /** Whose seat is in the database may be shown the table as it was just before, until the node has caught up with it. */
  function wonder(at: CurrentTable): void {
    at.notSeatedSinceMs ??= performance.now();
    if (performance.now() - at.notSeatedSinceMs < SEAT_DELAY_MS_MAX) return;
    faults.push(`${account?.username} sits at game ${at.gameId}, which is not theirs`);
    leave();
  }

  return {
    name: account?.username ?? "a visitor",
    acknowledged,
    seen,
    faults,
    counts,
    async takeTurn() {
      if (before === null) return await seek();
      const view = before.store.view();
      if (view.type !== "ready" || account === null) return;
      const seat = toSeat(view.table, account.id);
      if (seat === null) return wonder(before);
      switch (view.table.status) {
        case "waiting":
          if (outstanding === 0 && (isFinishing || chance(2)))
            await send({ type: "cancel", gameId: view.table.gameId });
          return;
        case "active":
          return play(before.store, view, seat);
        default:
          return linger(before, view, seat);
      }
    },
    finish() {
      isFinishing = true;
    },
    describePending() {
      if (outstanding === 0 && before === null) return null;
      const view = before?.store.view();
      const at = view?.type === "ready" ? `${view.table.status} at ${view.table.version}` : view?.type;
      return `${socket.connectionState()}, ${outstanding} unanswered, game ${before?.gameId} (${at})`;
    },
    watch: sit,
    close() {
      leave();
      isGone = true;
      network.close();
    },
  };
}
