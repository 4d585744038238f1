import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { ChatMessageView, ServerFrame } from "@holo/protocol/frames.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import { isOpen, isUnlisted, type TableState, toSeat } from "@holo/table/state.ts";
import { loadBans } from "../../accounts/accounts.ts";
import { type LoadOne, makeBatchLoader } from "../../platform/batch-loader.ts";
import type { Queries } from "../../platform/database/database.ts";
import { isRolledBack } from "../../platform/database/rolled-back.ts";
import type { Log } from "../../platform/log.ts";
import { makeRateLimiter, type RateLimiter } from "../../platform/rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import { type Answer, done, refused, UNKNOWN } from "../answer.ts";
import { SharedAnswers } from "../shared-answers.ts";
import type { TableRegistry } from "../table/registry.ts";
import { seatOf, type Table, type WatchCost, type Watcher } from "../table/table.ts";
import type { TableActor } from "../table/table-actor.ts";
import { isAbusive } from "./chat-filter.ts";
import {
  type ChatMessage,
  countMessages,
  findMessage,
  loadMessagesOfEach,
  type MessagesSince,
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
  readonly queries: Queries;
  readonly tables: TableRegistry;
  readonly time: Time;
  readonly log: Log;
}

/** How long players can chat after the end of their game. */
const OPEN_AFTER_END_MS = 60 * MINUTE_MS;
const RATE = { burst: 5, refillMs: 2_000 } as const;
/** Messages of one player in one game. */
const SENT_MAX = 500;
/** Messages that a returning player receives. */
const RESYNC_MAX = 200;
/** Messages of one game that wait for the database. */
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
  /** Messages in flight. */
  sending: number;
  /** Watchers that wait for older messages, which include the newer ones. */
  readonly resyncing: Watcher[];
}

type SendResult = { readonly number: number; readonly isRepeat: boolean } | RefusalCode;

/** Messages between the two players of a game, sent to them alone. */
export class Chat {
  readonly #deps: ChatDeps;
  readonly #limiter: RateLimiter;
  readonly #shared = new SharedAnswers();
  /** By game and number. */
  readonly #loadMessages: LoadOne<string, readonly ChatMessage[]>;
  readonly #conversations = new Map<GameId, Conversation>();
  #isClosed = false;

  constructor(deps: ChatDeps) {
    this.#deps = deps;
    this.#limiter = makeRateLimiter(deps.time, RATE);
    this.#loadMessages = makeBatchLoader((keys) => loadByKey(deps.queries, keys), LOADED_AT_ONCE);
  }

  /**
   * Sends a message; its number is the answer's version. Refuses in order: `unknown_game`,
   * `not_a_player`, `not_started`, `chat_empty`, `chat_too_long`, `game_over`, `chat_flood`,
   * `blocked_by_house`, `chat_blocked` (counts towards the flood), `command_id_reused`, and
   * `chat_failed` for a message that the database refuses.
   */
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
      return isRolledBack(err) ? refused("chat_failed") : UNKNOWN;
    } finally {
      if (table !== null) tables.dropIfIdle(table);
    }
  }

  /** Watches a table and sends its player the messages after `since` before any newer one. */
  async watch(watcher: Watcher, gameId: GameId, tableSince: number, since: number): Promise<WatchCost | null> {
    const { tables, log } = this.#deps;
    // Messages sent while the table is loading are part of the resync.
    const conversation = this.#find(gameId);
    conversation.resyncing.push(watcher);
    try {
      return await tables.watch(watcher, gameId, tableSince);
    } finally {
      this.#resync(watcher, since, conversation).catch((err) => log.error({ err, gameId }, "a chat resync failed"));
    }
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
      sending: 0,
      resyncing: [],
    };
    this.#conversations.set(gameId, conversation);
    return conversation;
  }

  #dropIfIdle({ gameId, sending, resyncing }: Conversation): void {
    if (sending === 0 && resyncing.length === 0) this.#conversations.delete(gameId);
  }

  async #sendAt(table: TableActor, order: ChatOrder): Promise<Answer> {
    const seatRefusal = await checkSender(table, order.player);
    if (seatRefusal !== null) return refused(seatRefusal);
    const text = toChatText(order.text);
    if (!text.ok) return refused(text.refusal);
    const conversation = this.#find(order.gameId);
    if (conversation.sending >= QUEUE_MAX) return refused("chat_flood");
    conversation.sending += 1;
    try {
      const plain = { ...order, text: text.value };
      const sent = await inTurn(conversation, () => this.#sendOnce(table.state, plain, conversation));
      return typeof sent === "string" ? refused(sent) : done(table.state, sent.number, sent.isRepeat);
    } finally {
      conversation.sending -= 1;
      this.#dropIfIdle(conversation);
    }
  }

  async #sendOnce(state: TableState<unknown>, order: ChatOrder, conversation: Conversation): Promise<SendResult> {
    // Never behind what is stored, even if the clock was set back across a restart.
    const at = Math.max(this.#deps.time.now(), state.changedAt) as Instant;
    const refusal = await this.#checkMessage(state, order, at);
    // A repeated command gets its first answer, however late or often.
    if (refusal !== null) return (await this.#findSent(order)) ?? refusal;
    if (isAbusive(order.text)) return "chat_blocked";
    const sent = await this.#save(order, at);
    if (typeof sent === "string") return sent;
    const { gameId, player: senderId, text } = order;
    if (sent.isRepeat) this.#limiter.giveBackToken(senderId);
    else this.#broadcast({ gameId, senderId, text, number: sent.number, at }, conversation);
    return sent;
  }

  async #checkMessage(state: TableState<unknown>, { player }: ChatOrder, at: Instant): Promise<RefusalCode | null> {
    if (isTooLate(state, at)) return "game_over";
    if (!this.#limiter.tryAcquire(player)) return "chat_flood";
    return (await loadBans(this.#deps.queries, [player])).size > 0 ? "blocked_by_house" : null;
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
        // Another node took the number.
      } catch (err) {
        if (attempt >= ATTEMPTS_MAX) throw err;
        log.warn({ err, gameId }, "a chat message is saved again");
        isUnsure = true;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt));
      }
    }
  }

  /** Sends a message to the players' connections that have all older ones. */
  #broadcast(message: ChatMessage, { resyncing }: Conversation): void {
    const table = this.#deps.tables.find(message.gameId);
    if (table === null) return;
    const frame = toChatFrame(table.state, { messages: [message] });
    for (const watcher of table.watchers) {
      if (seatOf(table, watcher.player) !== null && !resyncing.includes(watcher)) watcher.send(frame);
    }
  }

  async #resync(watcher: Watcher, since: number, conversation: Conversation): Promise<void> {
    const { gameId, resyncing } = conversation;
    let isBehind = true;
    try {
      while (isBehind && this.#findOwnTable(watcher, gameId) !== null) {
        isBehind = await inTurn(conversation, async () => {
          const messages = await this.#loadSince(gameId, since);
          const table = this.#findOwnTable(watcher, gameId);
          if (messages === null || table === null) return true;
          watcher.send(toChatFrame(table.state, { messages, isRest: true }));
          // Within this turn, so that the next message is broadcast to the watcher.
          resyncing.splice(resyncing.indexOf(watcher), 1);
          return false;
        });
        if (isBehind) await new Promise((resolve) => setTimeout(resolve, RESYNC_RETRY_MS));
      }
    } finally {
      if (isBehind) resyncing.splice(resyncing.indexOf(watcher), 1);
      this.#dropIfIdle(conversation);
    }
  }

  /** The table if the watcher is one of its players and still watches. */
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
      this.#deps.log.warn({ err, gameId }, "the messages of a game could not be read");
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
  // An opponent who joined on another node may not be known yet.
  if (table.state.players[1] === null && isOpen(table.state.status)) await table.resync();
  if (toSeat(table.state, player) === null) return isUnlisted(table.state) ? "unknown_game" : "not_a_player";
  if (table.state.players[1] !== null) return null;
  return isOpen(table.state.status) ? "not_started" : "game_over";
}

/** Runs `work` once all earlier work of the conversation is done. */
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
    const seat = toSeat(state, senderId);
    assert(seat !== null, `message ${number} of game ${state.gameId} is not by a player of the game`);
    return { number, seat, text, at };
  });
  const frame: ServerFrame = { type: "chat", gameId: state.gameId, messages: views, ...(isRest && { isRest }) };
  return JSON.stringify(frame);
}
