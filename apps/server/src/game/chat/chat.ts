import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { ChatMessageView, ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { findSeat, isOpen, isUnlisted, type TableState } from "@holo/table/state.ts";
import { loadBans } from "../../accounts/accounts.ts";
import { type LoadOne, makeBatchLoader } from "../../platform/batch-loader.ts";
import type { Queries } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import { makeRateLimiter, type RateLimiter } from "../../platform/rate-limiter.ts";
import { sleep } from "../../platform/runtime.ts";
import { Fenced, type OwnFence } from "../../platform/servers/fence.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, done, refused, toFailure, UNKNOWN } from "../answer.ts";
import { SharedAnswers } from "../shared-answers.ts";
import type { ChatOrder } from "../table/orders.ts";
import type { Table } from "../table/table.ts";
import type { Tables } from "../table/tables.ts";
import { seatOf, type WatchCost, type Watcher, type WatchRequest } from "../table/watcher.ts";
import { maskContacts } from "./chat-contacts.ts";
import { isAbusive } from "./chat-filter.ts";
import {
  type ChatMessage,
  countMessages,
  findMessage,
  loadMessagesOfEach,
  type MessagesSince,
  SENT_MAX,
  saveMessage,
} from "./chat-store.ts";
import { toChatText } from "./chat-text.ts";

interface ChatDeps {
  readonly queries: Queries;
  readonly own: OwnFence;
  readonly tables: Tables;
  readonly time: Time;
  readonly log: Log;
  readonly masksContacts: boolean;
}

const OPEN_AFTER_END_MS = 60 * MINUTE_MS;
/** Of a player: five at once, then 30 a minute. */
const RATE = { burst: 5, refillMs: 2_000 } as const;
const RESYNC_MAX = 200;
const UNSURE_MAX = 1_000;
/** Messages of one player that wait at a table. */
const QUEUE_MAX = 50;
const ATTEMPTS_MAX = 3;
const RETRY_MS = 200;
const RESYNC_RETRY_MS = 200;
const LOADED_AT_ONCE = 100;

/**
 * The chat of a game while work is in progress, one step at a time, in the order of the numbers.
 */
interface Conversation {
  readonly gameId: GameId;
  tail: Promise<unknown>;
  /** The sender of each message in progress. */
  readonly senders: PlayerId[];
  readonly resyncing: Watcher[];
}

type SendResult = { readonly number: number; readonly isRepeat: boolean } | RefusalCode;

export class Chat {
  readonly #deps: ChatDeps;
  readonly #limiter: RateLimiter;
  readonly #shared = new SharedAnswers();
  readonly #loadMessages: LoadOne<string, readonly ChatMessage[]>;
  readonly #conversations = new Map<GameId, Conversation>();
  /** Messages that may be stored although their senders were asked to send them again. */
  readonly #unsure = new Set<CommandId>();
  #isClosed = false;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    this.#limiter = makeRateLimiter(deps.time, RATE);
    this.#loadMessages = makeBatchLoader((keys) => loadByKey(deps.queries, keys), LOADED_AT_ONCE);
  }

  /** Sends to the players' connections that have all older messages. */
  #sendToPlayers(table: Table, messages: readonly ChatMessage[]): void {
    const { resyncing } = this.#find(table.gameId);
    const frame = toChatFrame(table.state, { messages });
    for (const watcher of table.watchers) {
      if (seatOf(table, watcher.player) !== null && !resyncing.includes(watcher)) watcher.send(frame);
    }
  }

  /** The answer's version is the message's number. `chat_blocked` counts towards the flood. */
  send(table: Table, order: ChatOrder): Promise<Answer> {
    const { player, commandId, gameId, text } = order;
    return this.#shared.share(`${player} ${commandId} ${gameId} ${text}`, () => this.#send(table, order));
  }

  async #send(table: Table, order: ChatOrder): Promise<Answer> {
    const { tables, log, own } = this.#deps;
    try {
      return this.#isClosed ? UNKNOWN : await this.#sendAt(table, order);
    } catch (err) {
      if (err instanceof Fenced) {
        own.noteFenced();
        return UNKNOWN;
      }
      log.error({ err, gameId: order.gameId }, "a chat message could not be saved");
      return toFailure(err);
    } finally {
      tables.dropIfIdle(table);
    }
  }

  /** Watches a table and sends its player the messages after `chatSince` before any newer one. */
  watch(table: Table, watcher: Watcher, request: WatchRequest, wasServed: boolean): WatchCost | null {
    const { tables, log } = this.#deps;
    const { gameId, chatSince } = request;
    if (chatSince === undefined) return tables.watch(table, watcher, request, wasServed);
    const conversation = this.#find(gameId);
    conversation.resyncing.push(watcher);
    const cost = tables.watch(table, watcher, request, wasServed);
    const messagesSent = this.#resync(watcher, chatSince, conversation).catch((err) => {
      log.error({ err, gameId }, "a chat resync failed");
      return 0;
    });
    return cost === null ? null : { ...cost, messagesSent };
  }

  /** Takes no more messages and waits until those in flight are on disk. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#shared.settle();
    await Promise.all([...this.#conversations.values()].map(({ tail }) => tail));
  }

  #find(gameId: GameId): Conversation {
    const conversation = this.#conversations.get(gameId) ?? {
      gameId,
      tail: Promise.resolve(),
      senders: [],
      resyncing: [],
    };
    this.#conversations.set(gameId, conversation);
    return conversation;
  }

  #dropIfIdle({ gameId, senders, resyncing }: Conversation): void {
    if (senders.length === 0 && resyncing.length === 0) this.#conversations.delete(gameId);
  }

  async #sendAt(table: Table, order: ChatOrder): Promise<Answer> {
    const seatRefusal = checkSender(table, order.player);
    if (seatRefusal !== null) return refused(seatRefusal);
    const text = toChatText(order.text);
    if (!text.ok) return refused(text.refusal);
    const conversation = this.#find(order.gameId);
    const { senders } = conversation;
    // Counted by player, so that no one can fill the opponent's queue.
    if (senders.filter((sender) => sender === order.player).length >= QUEUE_MAX) return refused("chat_flood");
    senders.push(order.player);
    try {
      const plain = { ...order, text: this.#deps.masksContacts ? maskContacts(text.value) : text.value };
      const sent = await inTurn(conversation, () => this.#sendOnce(table.state, plain));
      return typeof sent === "string" ? refused(sent) : done(table.state, sent.number, sent.isRepeat);
    } finally {
      senders.splice(senders.indexOf(order.player), 1);
      this.#dropIfIdle(conversation);
    }
  }

  async #sendOnce(state: TableState<unknown>, order: ChatOrder): Promise<SendResult> {
    // Never before stored instants, even if the clock was set back across a restart.
    const at = Math.max(this.#deps.time.now(), state.changedAt) as Instant;
    const refusal = await this.#checkMessage(state, order, at);
    // A repeated command gets its first answer, however late or often.
    const sent = refusal === null ? await this.#saveClean(order, at) : ((await this.#findSent(order)) ?? refusal);
    if (typeof sent === "string") return sent;
    const { gameId, player: senderId, text } = order;
    if (sent.isRepeat && refusal === null) this.#limiter.giveBackToken(senderId);
    if (!sent.isRepeat || this.#unsure.delete(order.commandId))
      this.#broadcast({ gameId, senderId, text, number: sent.number, at });
    return sent;
  }

  async #saveClean(order: ChatOrder, at: Instant): Promise<SendResult> {
    return isAbusive(order.text) ? "chat_blocked" : await this.#save(order, at);
  }

  async #checkMessage(state: TableState<unknown>, { player }: ChatOrder, at: Instant): Promise<RefusalCode | null> {
    if (isTooLate(state, at)) return "game_over";
    if (!this.#limiter.tryAcquire(player)) return "chat_flood";
    return (await loadBans(this.#deps.queries, [player])).size > 0 ? "banned" : null;
  }

  async #findSent(order: ChatOrder): Promise<SendResult | null> {
    const earlier = await findMessage(this.#deps.queries, order.player, order.commandId);
    if (earlier === null) return null;
    if (earlier.gameId !== order.gameId || earlier.text !== order.text) return "command_id_reused";
    return { number: earlier.number, isRepeat: true };
  }

  async #save(order: ChatOrder, at: Instant): Promise<SendResult> {
    const { queries, own, log } = this.#deps;
    const { gameId, player: senderId, commandId, text } = order;
    let isUnsure = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const number = await saveMessage(queries, own.fence(), { gameId, senderId, commandId, text, at }, SENT_MAX);
        if (number !== null) return { number, isRepeat: false };
        const earlier = await this.#findSent(order);
        // After an unknown outcome the stored message is this one, and was not broadcast yet.
        if (earlier !== null) {
          return typeof earlier === "object" && isUnsure ? { ...earlier, isRepeat: false } : earlier;
        }
        if ((await countMessages(queries, gameId, senderId)) >= SENT_MAX) return "chat_flood";
      } catch (err) {
        if (attempt >= ATTEMPTS_MAX || err instanceof Fenced) {
          this.#noteUnsure(commandId);
          throw err;
        }
        log.warn({ err, gameId }, "a chat message could not be saved; trying again");
        isUnsure = true;
        await sleep(RETRY_MS * attempt);
      }
    }
  }

  #noteUnsure(commandId: CommandId): void {
    const [oldest] = this.#unsure;
    if (this.#unsure.size >= UNSURE_MAX && oldest !== undefined) this.#unsure.delete(oldest);
    this.#unsure.add(commandId);
  }

  #broadcast(message: ChatMessage): void {
    const table = this.#deps.tables.find(message.gameId);
    if (table !== null) this.#sendToPlayers(table, [message]);
  }

  /** Returns the number of messages sent. */
  async #resync(watcher: Watcher, since: number, conversation: Conversation): Promise<number> {
    const { gameId, resyncing } = conversation;
    let isBehind = true;
    let sent = 0;
    try {
      while (isBehind && this.#findOwnTable(watcher, gameId) !== null) {
        isBehind = await inTurn(conversation, async () => {
          const messages = await this.#loadSince(gameId, since);
          const table = this.#findOwnTable(watcher, gameId);
          // Messages without an owned table: someone joined elsewhere, and the game is read again.
          if (messages === null || table === null || (messages.length > 0 && !table.isOwned)) return true;
          watcher.send(toChatFrame(table.state, { messages, isRest: true }));
          sent = messages.length;
          // In the same turn, so that the next message is broadcast to the watcher.
          resyncing.splice(resyncing.indexOf(watcher), 1);
          return false;
        });
        if (isBehind) await sleep(RESYNC_RETRY_MS);
      }
    } finally {
      if (isBehind) resyncing.splice(resyncing.indexOf(watcher), 1);
      this.#dropIfIdle(conversation);
    }
    return sent;
  }

  #findOwnTable(watcher: Watcher, gameId: GameId): Table | null {
    const table = this.#isClosed ? null : this.#deps.tables.find(gameId);
    if (table === null || !table.watchers.has(watcher)) return null;
    return seatOf(table, watcher.player) === null ? null : table;
  }

  /** Null if the database does not answer. */
  async #loadSince(gameId: GameId, since: number): Promise<readonly ChatMessage[] | null> {
    try {
      return await this.#loadMessages(`${gameId} ${since}`);
    } catch (err) {
      this.#deps.log.warn({ err, gameId }, "a game's chat messages could not be read");
      return null;
    }
  }
}

async function loadByKey(
  queries: Queries,
  keys: readonly string[],
): Promise<ReadonlyMap<string, readonly ChatMessage[]>> {
  const asked = keys.map((key): MessagesSince => {
    const [gameId, since] = key.split(" ");
    return { gameId: gameId as GameId, since: Number(since) };
  });
  const found = await loadMessagesOfEach(queries, asked, RESYNC_MAX);
  return new Map(keys.map((key, index) => [key, found[index]!]));
}

function checkSender({ state }: Table, player: PlayerId): RefusalCode | null {
  if (findSeat(state, player) === null) return isUnlisted(state) ? "unknown_game" : "not_a_player";
  if (state.players[1] !== null) return null;
  return isOpen(state.status) ? "not_started" : "game_over";
}

function inTurn<Value>(conversation: Conversation, work: () => Promise<Value>): Promise<Value> {
  const turn = conversation.tail.then(work);
  conversation.tail = turn.catch(() => undefined);
  return turn;
}

function isTooLate({ endedAt }: TableState<unknown>, at: Instant): boolean {
  return endedAt !== null && at - endedAt > OPEN_AFTER_END_MS;
}

function toChatFrame(
  state: TableState<unknown>,
  { messages, isRest }: { readonly messages: readonly ChatMessage[]; readonly isRest?: true },
): string {
  const views = messages.map(({ number, senderId, text, at }): ChatMessageView => {
    const seat = findSeat(state, senderId);
    assert(seat !== null, `message ${number} of game ${state.gameId} is not by a player of the game`);
    return { number, seat, text, at };
  });
  const frame: ServerFrame = { type: "chat", gameId: state.gameId, messages: views, ...(isRest && { isRest }) };
  return JSON.stringify(frame);
}
