import type { GameId } from "@holo/kernel/ids.ts";
import type { WatchFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ChatMessageView, ServerFrame, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { RESEND_AFTER_MS } from "./command-queue.ts";
import { PROBE_AFTER_MS } from "./connection.ts";

export interface TableHandlers {
  /** The table from the server. Its `records` are only the new ones, in order and without gaps. */
  readonly onTable: (frame: TableFrame) => void;
  /** The next record; each once and in order. */
  readonly onRecord: (record: LogRecord) => void;
  readonly onPresence: (seat: Seat, sinceAt: number | null) => void;
  /** How many others than the two players watch. */
  readonly onWatchers?: (count: number) => void;
  /** New chat messages, each once and in order. Only players receive any. */
  readonly onChat?: ((messages: readonly ChatMessageView[]) => void) | undefined;
  readonly invitation?: string | undefined;
  /** The game does not exist. */
  readonly onMissing: () => void;
  /** The table is sent again on the next connection. */
  readonly onDisconnected?: () => void;
}

export interface TableSubscription {
  restart(): void;
  refresh(): void;
  stop(): void;
}

interface Subscription extends TableSubscription {
  readonly gameId: GameId;
  request(): void;
  probe(): void;
  receive(frame: ServerFrame): void;
  onDisconnected(): void;
  /** When the first unanswered `watch` was sent; null if none. */
  unansweredSince(): number | null;
}

interface TableSubscriptions {
  subscribe(gameId: GameId, handlers: TableHandlers): TableSubscription;
  requestAll(): void;
  probe(): void;
  receive(frame: ServerFrame): void;
  onDisconnected(): void;
  unansweredSince(): number | null;
}

export function createTableSubscriptions(send: (frame: WatchFrame) => boolean, now: () => number): TableSubscriptions {
  const subscriptions = new Set<Subscription>();

  function stop(subscription: Subscription): void {
    const { gameId } = subscription;
    if (!subscriptions.delete(subscription)) return;
    if (![...subscriptions].some((other) => other.gameId === gameId)) send({ type: "unwatch", gameId });
  }

  return {
    subscribe(gameId, handlers) {
      const subscription = createSubscription(gameId, handlers, { send, now, onStop: () => stop(subscription) });
      subscriptions.add(subscription);
      subscription.request();
      return subscription;
    },
    requestAll() {
      for (const subscription of subscriptions) subscription.request();
    },
    probe() {
      for (const subscription of subscriptions) subscription.probe();
    },
    receive(frame) {
      if (!("gameId" in frame)) return;
      for (const subscription of [...subscriptions]) {
        if (subscription.gameId === frame.gameId) subscription.receive(frame);
      }
    },
    onDisconnected() {
      for (const subscription of subscriptions) subscription.onDisconnected();
    },
    unansweredSince() {
      const times = [...subscriptions].map((subscription) => subscription.unansweredSince());
      const unanswered = times.filter((at) => at !== null);
      return unanswered.length === 0 ? null : Math.min(...unanswered);
    },
  };
}

interface SubscriptionDeps {
  readonly send: (frame: WatchFrame) => boolean;
  readonly now: () => number;
  readonly onStop: () => void;
}

function createSubscription(gameId: GameId, handlers: TableHandlers, deps: SubscriptionDeps): Subscription {
  const { send, now, onStop } = deps;
  /** The newest version and chat message delivered so far. */
  let version = 0;
  let chatNumber = 0;
  const pending = createTableRequest(send, now);

  function request(): void {
    const { invitation, onChat } = handlers;
    pending.send({
      type: "watch",
      gameId,
      since: version,
      ...(onChat !== undefined && { chatSince: chatNumber }),
      ...(invitation !== undefined && { invitation }),
    });
  }

  function deliverTable(frame: TableFrame): void {
    // An answer to a request from before the restart. The correct one will follow.
    if (frame.since > version) return;
    const records = frame.records.filter((record) => record.version > version);
    pending.answered();
    version = Math.max(version, records.at(-1)?.version ?? 0);
    handlers.onTable({ ...frame, records: records });
  }

  function deliverRecord(record: LogRecord): void {
    if (record.version > version + 1) requestMissing();
    if (record.version !== version + 1) return;
    version = record.version;
    pending.received();
    handlers.onRecord(record);
  }

  function deliverChat(messages: readonly ChatMessageView[], isRest: boolean): void {
    const fresh = messages.filter(({ number }) => number > chatNumber);
    const [first] = fresh;
    const hasGap = first !== undefined && first.number > chatNumber + 1 && !isRest;
    if (hasGap) requestMissing();
    if (first === undefined || hasGap) return;
    chatNumber = fresh.at(-1)!.number;
    handlers.onChat?.(fresh);
  }

  function requestMissing(): void {
    if (pending.unansweredSince() === null) request();
  }

  return {
    gameId,
    request,
    refresh: request,
    restart() {
      version = 0;
      request();
    },
    stop: onStop,
    probe() {
      if (pending.isDue()) request();
    },
    receive(frame) {
      if (frame.type === "table") deliverTable(frame);
      else if (frame.type === "record") deliverRecord(frame.record);
      else if (frame.type === "presence") handlers.onPresence(frame.seat, frame.sinceAt);
      else if (frame.type === "watchers") handlers.onWatchers?.(frame.count);
      else if (frame.type === "chat") deliverChat(frame.messages, frame.isRest ?? false);
      else if (frame.type === "no_table") {
        pending.answered();
        handlers.onMissing();
      }
    },
    onDisconnected() {
      pending.ended();
      handlers.onDisconnected?.();
    },
    unansweredSince: pending.unansweredSince,
  };
}

/** When a table was requested, and when it last sent something. */
function createTableRequest(send: (frame: WatchFrame) => boolean, now: () => number) {
  /** The first `watch` without an answer; null if none. */
  let requestedAt: number | null = null;
  let lastRequestedAt = now();
  let receivedAt = now();

  return {
    send(frame: WatchFrame) {
      if (!send(frame)) return;
      lastRequestedAt = now();
      requestedAt ??= lastRequestedAt;
    },
    /** No answer will come. */
    ended() {
      requestedAt = null;
    },
    answered() {
      requestedAt = null;
      receivedAt = now();
    },
    received() {
      receivedAt = now();
    },
    /** The table has been quiet for long, or an answer is late. */
    isDue: () =>
      requestedAt === null ? now() - receivedAt >= PROBE_AFTER_MS : now() - lastRequestedAt >= RESEND_AFTER_MS,
    unansweredSince: () => requestedAt,
  };
}
