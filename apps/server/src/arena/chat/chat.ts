import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import type { ChatMessageView } from "@holo/protocol/games.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { isOpen, type TableState, toSeat } from "@holo/table/state.ts";
import { loadBans } from "../../accounts/accounts.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { makeRateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, refused } from "../answer.ts";
import { dropIdle } from "../table/presence.ts";
import type { TableRegistry } from "../table/registry.ts";
import { seatOf, type Table, type Watcher } from "../table/table.ts";
import { type TableActors, toDone } from "../table/table-actor.ts";
import { isAbusive } from "./chat-filter.ts";
import { type ChatMessage, countMessages, findMessage, loadMessages, saveMessage } from "./chat-store.ts";
import { toChatText } from "./chat-text.ts";

export interface ChatOrder {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  readonly text: string;
}

/** What the two players of a game write to each other, shown to them alone. */
export interface Chat {
  /**
   * Sends a message; its number is the answer's version. Refuses, in this order: `unknown_game`, `not_a_player`, `not_started` without an
   * opponent, `chat_empty`, `chat_too_long`, `game_over` an hour after its end, `chat_flood`, `blocked_by_house`, `chat_blocked` (which counts towards the flood),
   * `command_id_reused`, and `chat_failed` where the database does.
   */
  send(order: ChatOrder): Promise<Answer>;
  /** Shows a table by `show`; where it is the watcher's own, what was said there after message `since` comes next, before anything newer. */
  follow(watcher: Watcher, gameId: GameId, since: number, show: () => Promise<boolean>): Promise<boolean>;
  /** Takes no more, and waits until everything on its way is on disk. */
  close(): Promise<void>;
}

export interface ChatDeps {
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly actors: Pick<TableActors, "resync">;
  readonly time: Time;
  readonly log: Log;
}

/** So long players may still talk about a game that is over. */
const OPEN_AFTER_END_MS = 60 * MINUTE_MS;
const RATE = { burst: 5, refillMs: 2_000 } as const;
/** Messages of one player in one game. */
const SENT_MAX = 500;
/** Messages that who comes back is sent at most. */
const RESYNC_MAX = 200;
/** Messages of one game that wait at once, for a database that is slow: more is a flood. */
const QUEUE_MAX = 50;
const ATTEMPTS_MAX = 3;
const RETRY_MS = 200;
const RESYNC_RETRY_MS = 1_000;

/** A game's chat while something is on its way there: one thing after the other, so that messages come in the order of their numbers. */
interface Conversation {
  readonly gameId: GameId;
  tail: Promise<unknown>;
  /** Messages on their way. */
  sending: number;
  /** Who waits for what was said before they came: newer messages come with that. */
  readonly resyncing: Watcher[];
}

type SendResult = { readonly number: number; readonly isRepeat: boolean } | RefusalCode;

export function openChat({ queries, tables, actors, time, log }: ChatDeps): Chat {
  const limit = makeRateLimiter(time, RATE);
  const conversations = new Map<GameId, Conversation>();
  let isClosed = false;

  function find(gameId: GameId): Conversation {
    const conversation = conversations.get(gameId) ?? { gameId, tail: Promise.resolve(), sending: 0, resyncing: [] };
    conversations.set(gameId, conversation);
    return conversation;
  }

  function dropIdleConversation(conversation: Conversation): void {
    if (conversation.sending === 0 && conversation.resyncing.length === 0) conversations.delete(conversation.gameId);
  }

  async function sendAt(table: Table, order: ChatOrder): Promise<Answer> {
    const seatRefusal = await toSeatRefusal(table, order.player);
    if (seatRefusal !== null) return refused(seatRefusal);
    const text = toChatText(order.text);
    if (!text.ok) return refused(text.refusal);
    const conversation = find(order.gameId);
    if (conversation.sending >= QUEUE_MAX) return refused("chat_flood");
    conversation.sending += 1;
    try {
      const sent = await inTurn(conversation, () =>
        sendOnce(table.state, { ...order, text: text.value }, conversation),
      );
      return typeof sent === "string" ? refused(sent) : toDone(table.state, sent.number, sent.isRepeat);
    } finally {
      conversation.sending -= 1;
      dropIdleConversation(conversation);
    }
  }

  /** Whoever joined past this table's mailbox is not known here yet: then what stands in the database decides. */
  async function toSeatRefusal(table: Table, player: PlayerId): Promise<RefusalCode | null> {
    if (table.state.players[1] === null && isOpen(table.state.status)) await actors.resync(table);
    if (toSeat(table.state, player) === null) return "not_a_player";
    if (table.state.players[1] !== null) return null;
    return isOpen(table.state.status) ? "not_started" : "game_over";
  }

  async function sendOnce(
    state: TableState<unknown>,
    order: ChatOrder,
    conversation: Conversation,
  ): Promise<SendResult> {
    const at = time.now();
    const refusal = isLate(state, at) ? "game_over" : limit.tryAcquire(order.player) ? null : "chat_flood";
    // What was said before gets its answer again, however late or often.
    if (refusal !== null) return (await findSent(order)) ?? refusal;
    if ((await loadBans(queries, [order.player])).size > 0) return (await findSent(order)) ?? "blocked_by_house";
    if (isAbusive(order.text)) return "chat_blocked";
    const sent = await save(order, at);
    if (typeof sent === "string") return sent;
    if (sent.isRepeat) limit.giveBackToken(order.player);
    else
      broadcast(
        { gameId: order.gameId, senderId: order.player, text: order.text, number: sent.number, at },
        conversation,
      );
    return sent;
  }

  async function findSent(order: ChatOrder): Promise<SendResult | null> {
    const earlier = await findMessage(queries, order.player, order.commandId);
    if (earlier === null) return null;
    if (earlier.gameId !== order.gameId || earlier.text !== order.text) return "command_id_reused";
    return { number: earlier.number, isRepeat: true };
  }

  async function save(order: ChatOrder, at: Instant): Promise<SendResult> {
    const { gameId, player: senderId, commandId, text } = order;
    let isUnsure = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const number = await saveMessage(queries, { gameId, senderId, commandId, text, at }, SENT_MAX);
        if (number !== null) return { number, isRepeat: false };
        const earlier = await findSent(order);
        // Where the connection was lost with our commit unknown, the one that stands is ours and was shown to nobody yet.
        if (earlier !== null)
          return typeof earlier === "object" && isUnsure ? { ...earlier, isRepeat: false } : earlier;
        if ((await countMessages(queries, gameId, senderId)) >= SENT_MAX) return "chat_flood";
        // Another node took the number.
      } catch (err) {
        if (attempt >= ATTEMPTS_MAX) throw err;
        log.warn({ err, gameId }, "a chat message is tried again");
        isUnsure = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      }
    }
  }

  /** To each of the two players' connections that is up to date. */
  function broadcast(message: ChatMessage, conversation: Conversation): void {
    const table = tables.find(message.gameId);
    if (table === null) return;
    const frame = toChatFrame(table.state, { messages: [message] });
    for (const watcher of table.watchers) {
      if (seatOf(table, watcher.player) !== null && !conversation.resyncing.includes(watcher)) watcher.send(frame);
    }
  }

  async function resync(watcher: Watcher, since: number, conversation: Conversation): Promise<void> {
    const isWaiting = (table: Table | null): table is Table =>
      !isClosed && table !== null && table.watchers.has(watcher) && seatOf(table, watcher.player) !== null;
    const findTable = (): Table | null => tables.find(conversation.gameId);
    let isBehind = true;
    try {
      while (isBehind && isWaiting(findTable())) {
        isBehind = await inTurn(conversation, async () => {
          const rest = await loadSince(conversation.gameId, since);
          const table = findTable();
          if (rest === null || !isWaiting(table)) return true;
          watcher.send(toChatFrame(table.state, { messages: rest, isRest: true }));
          // Before the next message comes, which they are sent as it comes.
          conversation.resyncing.splice(conversation.resyncing.indexOf(watcher), 1);
          return false;
        });
        if (isBehind) await new Promise((resolve) => setTimeout(resolve, RESYNC_RETRY_MS));
      }
    } finally {
      if (isBehind) conversation.resyncing.splice(conversation.resyncing.indexOf(watcher), 1);
      dropIdleConversation(conversation);
    }
  }

  /** Null where the database does not answer. */
  async function loadSince(gameId: GameId, since: number): Promise<readonly ChatMessage[] | null> {
    try {
      return await loadMessages(queries, gameId, since, RESYNC_MAX);
    } catch (err) {
      log.warn({ err, gameId }, "what was said in a game could not be read");
      return null;
    }
  }

  return {
    async send(order) {
      let table: Table | null = null;
      try {
        table = isClosed ? null : await tables.load(order.gameId);
        if (table === null) return refused(isClosed ? "unavailable" : "unknown_game");
        return await sendAt(table, order);
      } catch (err) {
        log.error({ err, gameId: order.gameId }, "a chat message could not be kept");
        return refused("chat_failed");
      } finally {
        if (table !== null) dropIdle(tables, table);
      }
    },
    async follow(watcher, gameId, since, showTable) {
      // What is said while they are being shown the table is part of the rest.
      const conversation = find(gameId);
      conversation.resyncing.push(watcher);
      try {
        return await showTable();
      } finally {
        resync(watcher, since, conversation).catch((err) =>
          log.error({ err, gameId }, "what was said could not be shown"),
        );
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...conversations.values()].map(({ tail }) => tail));
    },
  };
}

/** Does the work once all before it in this game's chat is done. */
function inTurn<Value>(conversation: Conversation, work: () => Promise<Value>): Promise<Value> {
  const turn = conversation.tail.then(work);
  conversation.tail = turn.catch(() => undefined);
  return turn;
}

function isLate({ endedAt }: TableState<unknown>, at: Instant): boolean {
  return endedAt !== null && at - endedAt > OPEN_AFTER_END_MS;
}

function toChatFrame(
  state: TableState<unknown>,
  { messages, isRest }: { readonly messages: readonly ChatMessage[]; readonly isRest?: true },
): string {
  const views = messages.map(({ number, senderId, text, at }): ChatMessageView => {
    const seat = toSeat(state, senderId);
    assert(seat !== null, `message ${number} of game ${state.gameId} is of nobody there`);
    return { number, seat, text, at };
  });
  const frame: ServerFrame = { type: "chat", gameId: state.gameId, messages: views, ...(isRest && { isRest }) };
  return JSON.stringify(frame);
}
