import type { GameId } from "@holo/kernel/ids.ts";
import type { ChatMessageView, ServerFrame, TableFrame, WatchFrame } from "@holo/protocol/frames.ts";
import type { Seat } from "@holo/rules/rules.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { PROBE_AFTER_MS, RESEND_AFTER_MS } from "./connection.ts";

export interface TableHandlers {
  /** The table from the server. Its `entries` are only the new ones, in order and without gaps. */
  readonly onTable: (frame: TableFrame) => void;
  /** The next record; each once and in order. */
  readonly onRecord: (entry: LogRecord) => void;
  readonly onPresence: (seat: Seat, sinceAt: number | null) => void;
  /** New chat messages, each once and in order. Only players receive any. */
  readonly onChat?: ((messages: readonly ChatMessageView[]) => void) | undefined;
  /** There is no such game. */
  readonly onMissing: () => void;
  /** The table comes again with the next connection. */
  readonly onDisconnected?: () => void;
}

export interface TableSubscription {
  /** Requests everything again from the first record. */
  restart(): void;
  /** Requests the table as it is now. */
  refresh(): void;
  stop(): void;
}

interface Subscription {
  readonly gameId: GameId;
  readonly handlers: TableHandlers;
  /** The newest version that was delivered. */
  version: number;
  /** The newest chat message that was delivered. */
  chatNumber: number;
  /** When the first unanswered `watch` was sent; null if none. */
  requestedAt: number | null;
  /** When the last `watch` was sent. */
  lastRequestedAt: number;
  /** When the server last sent something about this table. */
  receivedAt: number;
}

export interface TableSubscriptions {
  subscribe(gameId: GameId, handlers: TableHandlers): TableSubscription;
  requestAll(): void;
  /** Requests tables that were silent for a while. */
  probe(): void;
  receive(frame: ServerFrame): void;
  onDisconnected(): void;
  unansweredSince(): number | null;
}

/** The tables this page watches. Each of their records is delivered once and in order. */
export function createTableSubscriptions(send: (frame: WatchFrame) => boolean, now: () => number): TableSubscriptions {
  const subscriptions = new Set<Subscription>();

  function request(subscription: Subscription): void {
    const { gameId, version: since, chatNumber: chatSince, handlers } = subscription;
    const frame: WatchFrame = { type: "watch", gameId, since };
    if (!send(handlers.onChat === undefined ? frame : { ...frame, chatSince })) return;
    subscription.lastRequestedAt = now();
    subscription.requestedAt ??= subscription.lastRequestedAt;
  }

  function deliverTable(subscription: Subscription, frame: TableFrame): void {
    const entries = frame.entries.filter((entry) => entry.version > subscription.version);
    // An answer to a request from before the restart. The right one is still to come.
    if (frame.since > subscription.version) return;
    subscription.requestedAt = null;
    subscription.receivedAt = now();
    subscription.version = Math.max(subscription.version, entries.at(-1)?.version ?? 0);
    subscription.handlers.onTable({ ...frame, entries });
  }

  function deliverRecord(subscription: Subscription, entry: LogRecord): void {
    if (entry.version <= subscription.version) return;
    if (entry.version > subscription.version + 1) {
      if (subscription.requestedAt === null) request(subscription);
      return;
    }
    subscription.version = entry.version;
    subscription.receivedAt = now();
    subscription.handlers.onRecord(entry);
  }

  function deliverChat(subscription: Subscription, messages: readonly ChatMessageView[], isRest: boolean): void {
    const fresh = messages.filter(({ number }) => number > subscription.chatNumber);
    const [first] = fresh;
    if (first === undefined) return;
    if (first.number > subscription.chatNumber + 1 && !isRest) {
      if (subscription.requestedAt === null) request(subscription);
      return;
    }
    subscription.chatNumber = fresh.at(-1)!.number;
    subscription.handlers.onChat?.(fresh);
  }

  function subscriptionsTo(gameId: GameId): readonly Subscription[] {
    return [...subscriptions].filter((subscription) => subscription.gameId === gameId);
  }

  return {
    subscribe(gameId, handlers) {
      const subscription: Subscription = {
        gameId,
        handlers,
        version: 0,
        chatNumber: 0,
        requestedAt: null,
        lastRequestedAt: now(),
        receivedAt: now(),
      };
      subscriptions.add(subscription);
      request(subscription);
      return {
        restart() {
          subscription.version = 0;
          request(subscription);
        },
        refresh: () => request(subscription),
        stop() {
          if (subscriptions.delete(subscription) && subscriptionsTo(gameId).length === 0)
            send({ type: "unwatch", gameId });
        },
      };
    },
    requestAll() {
      for (const subscription of subscriptions) request(subscription);
    },
    probe() {
      for (const subscription of subscriptions) {
        const isQuiet = subscription.requestedAt === null && now() - subscription.receivedAt >= PROBE_AFTER_MS;
        const isUnanswered =
          subscription.requestedAt !== null && now() - subscription.lastRequestedAt >= RESEND_AFTER_MS;
        if (isQuiet || isUnanswered) request(subscription);
      }
    },
    receive(frame) {
      switch (frame.type) {
        case "table":
          for (const subscription of subscriptionsTo(frame.gameId)) deliverTable(subscription, frame);
          return;
        case "entry":
          for (const subscription of subscriptionsTo(frame.gameId)) deliverRecord(subscription, frame.entry);
          return;
        case "presence":
          for (const subscription of subscriptionsTo(frame.gameId))
            subscription.handlers.onPresence(frame.seat, frame.sinceAt);
          return;
        case "chat":
          for (const subscription of subscriptionsTo(frame.gameId))
            deliverChat(subscription, frame.messages, frame.isRest ?? false);
          return;
        case "no_table":
          for (const subscription of subscriptionsTo(frame.gameId)) {
            subscription.requestedAt = null;
            subscription.handlers.onMissing();
          }
          return;
        default:
          return;
      }
    },
    onDisconnected() {
      for (const subscription of subscriptions) {
        subscription.requestedAt = null;
        subscription.handlers.onDisconnected?.();
      }
    },
    unansweredSince() {
      const requestTimes = [...subscriptions].flatMap((subscription) =>
        subscription.requestedAt === null ? [] : [subscription.requestedAt],
      );
      return requestTimes.length === 0 ? null : Math.min(...requestTimes);
    },
  };
}
