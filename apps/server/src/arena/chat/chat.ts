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
import type { Servers } from "../../platform/servers/servers.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, done, refused, toFailure, UNKNOWN } from "../answer.ts";
import { SharedAnswers } from "../shared-answers.ts";
import type { TableRegistry } from "../table/registry.ts";
import { seatOf, type Table, type WatchCost, type Watcher } from "../table/table.ts";
import type { TableActor } from "../table/table-actor.ts";
import { maskContacts } from "./chat-contacts.ts";
import { isAbusive } from "./chat-filter.ts";
import {
  type ChatMessage,
  countMessages,
  findMessage,
  loadMessagesOfEach,
  loadNewestNumbers,
  type MessagesSince,
  SENT_MAX,
  saveMessage,
} from "./chat-store.ts";
import { toChatText } from "./chat-text.ts";

export interface ChatOrder {
  readonly player: PlayerId;
  readonly commandId: CommandId;
  readonly gameId: GameId;
  readonly text: string;
}

interface ChatDeps {
  readonly servers: Servers;
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly time: Time;
  readonly log: Log;
  readonly masksContacts: boolean;
}

const OPEN_AFTER_END_MS = 60 * MINUTE_MS;
/** Of a player: five at once, then 30 a minute. */
const RATE = { burst: 5, refillMs: 2_000 } as const;
const RESYNC_MAX = 200;
/** Messages of one player that wait at a table. */
const QUEUE_MAX = 50;
const ATTEMPTS_MAX = 3;
const RETRY_MS = 200;
const RESYNC_RETRY_MS = 1_000;
const LOADED_AT_ONCE = 100;

/**
 * The chat of a game while work is in progress, one step at a time, in the order of the numbers.
 */
interface Conversation {
  readonly gameId: GameId;
  tail: Promise<unknown>;
  /** Messages of other servers in progress. */
  receiving: number;
  /** The sender of each message of this server in progress. */
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
  /** With several servers: the newest number that the players who watch here have. */
  readonly #delivered = new Map<GameId, number>();
  #isClosed = false;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    this.#limiter = makeRateLimiter(deps.time, RATE);
    this.#loadMessages = makeBatchLoader((keys) => loadByKey(deps.queries, keys), LOADED_AT_ONCE);
    deps.tables.onChat((table, message) => this.#receive(table, message));
  }

  /** Finds messages of other servers whose announcement was lost. */
  async catchUp(): Promise<void> {
    const tables = this.#deps.tables.watched();
    const watched = new Set(tables.map(({ gameId }) => gameId));
    for (const gameId of this.#delivered.keys()) if (!watched.has(gameId)) this.#delivered.delete(gameId);
    const known = tables.filter(({ gameId }) => this.#delivered.has(gameId));
    if (known.length === 0) return;
    const newest = await loadNewestNumbers(
      this.#deps.queries,
      known.map(({ gameId }) => gameId),
    );
    for (const table of known) {
      const number = newest.get(table.gameId) ?? 0;
      if (number > (this.#delivered.get(table.gameId) ?? number))
        this.#inConversation(table, () => this.#readMissed(table));
    }
  }

  #receive(table: TableActor, message: ChatMessage): void {
    this.#inConversation(table, () => this.#deliver(table, message));
  }

  #inConversation({ gameId }: Table, work: () => Promise<void>): void {
    const conversation = this.#find(gameId);
    conversation.receiving += 1;
    inTurn(conversation, work)
      .catch((err) => this.#deps.log.warn({ err, gameId }, "chat messages from another server could not be read"))
      .finally(() => {
        conversation.receiving -= 1;
        this.#dropIfIdle(conversation);
      });
  }

  async #deliver(table: TableActor, message: ChatMessage): Promise<void> {
    const { gameId, number } = message;
    const delivered = this.#delivered.get(gameId);
    if (delivered === undefined || number <= delivered) return;
    if (number > delivered + 1) return await this.#readMissed(table);
    await seatSenders(table, [message]);
    this.#sendToPlayers(table, [message]);
    this.#delivered.set(gameId, number);
  }

  async #readMissed(table: TableActor): Promise<void> {
    const { gameId } = table;
    const delivered = this.#delivered.get(gameId);
    const missed = delivered === undefined ? [] : await this.#loadSince(gameId, delivered);
    const newest = missed?.at(-1);
    if (missed === null || newest === undefined) return;
    await seatSenders(table, missed);
    this.#sendToPlayers(table, missed);
    this.#delivered.set(gameId, newest.number);
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
  send(order: ChatOrder): Promise<Answer> {
    const { player, commandId, gameId, text } = order;
    return this.#shared.share(`${player} ${commandId} ${gameId} ${text}`, () => this.#send(order));
  }

  async #send(order: ChatOrder): Promise<Answer> {
    const { tables, log } = this.#deps;
    let table: TableActor | null = null;
    try {
      table = this.#isClosed ? null : await tables.load(order.gameId);
      if (table === null) return this.#isClosed ? UNKNOWN : refused("unknown_game");
      return await this.#sendAt(table, order);
    } catch (err) {
      log.error({ err, gameId: order.gameId }, "a chat message could not be saved");
      return toFailure(err);
    } finally {
      if (table !== null) tables.dropIfIdle(table);
    }
  }

  /** Watches a table and sends its player the messages after `since` before any newer one. */
  async watch(
    watcher: Watcher,
    gameId: GameId,
    tableSince: number,
    since: number,
    isInvited: boolean,
  ): Promise<WatchCost | null> {
    const { tables, log } = this.#deps;
    // Messages sent while the table is loading are part of the resync.
    const conversation = this.#find(gameId);
    conversation.resyncing.push(watcher);
    let messagesSent = Promise.resolve(0);
    const watching = tables.watch(watcher, gameId, tableSince, isInvited).finally(() => {
      messagesSent = this.#resync(watcher, since, conversation).catch((err) => {
        log.error({ err, gameId }, "a chat resync failed");
        return 0;
      });
    });
    const cost = await watching;
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
      receiving: 0,
      senders: [],
      resyncing: [],
    };
    this.#conversations.set(gameId, conversation);
    return conversation;
  }

  #dropIfIdle({ gameId, receiving, senders, resyncing }: Conversation): void {
    if (receiving === 0 && senders.length === 0 && resyncing.length === 0) this.#conversations.delete(gameId);
  }

  async #sendAt(table: TableActor, order: ChatOrder): Promise<Answer> {
    const seatRefusal = await checkSender(table, order.player);
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
    if (refusal !== null) return (await this.#findSent(order)) ?? refusal;
    if (isAbusive(order.text)) return "chat_blocked";
    const sent = await this.#save(order, at);
    if (typeof sent === "string") return sent;
    const { gameId, player: senderId, text } = order;
    if (sent.isRepeat) this.#limiter.giveBackToken(senderId);
    else await this.#broadcast({ gameId, senderId, text, number: sent.number, at });
    return sent;
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
    const { queries, log } = this.#deps;
    const { gameId, player: senderId, commandId, text } = order;
    let isUnsure = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const number = await saveMessage(queries, { gameId, senderId, commandId, text, at }, SENT_MAX);
        if (number !== null) return { number, isRepeat: false };
        const earlier = await this.#findSent(order);
        // After an unknown outcome the stored message is this one, and was not broadcast yet.
        if (earlier !== null) {
          return typeof earlier === "object" && isUnsure ? { ...earlier, isRepeat: false } : earlier;
        }
        if ((await countMessages(queries, gameId, senderId)) >= SENT_MAX) return "chat_flood";
      } catch (err) {
        if (attempt >= ATTEMPTS_MAX) throw err;
        log.warn({ err, gameId }, "a chat message could not be saved; trying again");
        isUnsure = true;
        await sleep(RETRY_MS * attempt);
      }
    }
  }

  async #broadcast(message: ChatMessage): Promise<void> {
    const table = this.#deps.tables.find(message.gameId);
    if (table === null) return;
    if (!this.#deps.servers.isShared) return this.#sendToPlayers(table, [message]);
    table.publishChat(message);
    await this.#deliver(table, message);
  }

  /** Whether the watcher is the first here. `since` is the newest number it claims to have. */
  async #noteDelivered({ gameId }: Table, since: number): Promise<boolean> {
    const { queries, servers } = this.#deps;
    if (!servers.isShared || this.#delivered.has(gameId)) return false;
    const newest = (await loadNewestNumbers(queries, [gameId])).get(gameId) ?? 0;
    this.#delivered.set(gameId, Math.min(since, newest));
    return true;
  }

  /** Returns the number of messages sent. */
  async #resync(watcher: Watcher, since: number, conversation: Conversation): Promise<number> {
    const { gameId, resyncing } = conversation;
    let isBehind = true;
    let sent = 0;
    try {
      while (isBehind && this.#findOwnTable(watcher, gameId) !== null) {
        isBehind = await inTurn(conversation, async () => {
          const watched = this.#findOwnTable(watcher, gameId);
          const isFirst = watched !== null && (await this.#noteDelivered(watched, since));
          const messages = await this.#loadSince(gameId, since);
          const table = this.#findOwnTable(watcher, gameId);
          if (messages === null || table === null) return true;
          await seatSenders(table, messages);
          watcher.send(toChatFrame(table.state, { messages, isRest: true }));
          sent = messages.length;
          // Others may lack messages that this watcher has; a page drops known ones.
          const newest = messages.at(-1);
          if (isFirst && newest !== undefined) this.#delivered.set(gameId, newest.number);
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

  #findOwnTable(watcher: Watcher, gameId: GameId): TableActor | null {
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

async function checkSender(table: TableActor, player: PlayerId): Promise<RefusalCode | null> {
  // An opponent who joined on another server may not be known yet.
  if (table.state.players[1] === null && isOpen(table.state.status)) await table.resync();
  if (findSeat(table.state, player) === null) return isUnlisted(table.state) ? "unknown_game" : "not_a_player";
  if (table.state.players[1] !== null) return null;
  return isOpen(table.state.status) ? "not_started" : "game_over";
}

/** With several servers a message may be read before the record by which its sender joined. */
async function seatSenders(table: TableActor, messages: readonly ChatMessage[]): Promise<void> {
  if (messages.some(({ senderId }) => findSeat(table.state, senderId) === null)) await table.resync();
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
