import { createHash } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { GameTopics } from "../game/game.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Log } from "../platform/log.ts";
import type { Outbox } from "../platform/mail/outbox.ts";
import { isPushService } from "../platform/push/push-services.ts";
import type { PushSubscription } from "../platform/push/pusher.ts";
import { loadSubscriptions, removeOwnSubscription, saveSubscription } from "../platform/push/subscriptions-store.ts";
import type { Time } from "../platform/time/time.ts";
import { type Notice, toJoinedNotice, toPaymentNotice, toWaitingNotice } from "./notice-texts.ts";

/** Tells browsers without a page in sight what happened to their player (ruling 45). */
export interface Notices {
  /** What a browser subscribes to, in base64url. */
  readonly publicKey: string;
  /** Until the login of that token ends. */
  subscribe(
    playerId: PlayerId,
    token: string,
    subscription: PushSubscription,
  ): Promise<Result<null, "unknown_push_service">>;
  unsubscribe(playerId: PlayerId, endpoint: string): Promise<void>;
  close(): Promise<void>;
}

interface NoticesDeps {
  readonly database: Database;
  readonly bus: Bus<GameTopics>;
  readonly time: Time;
  readonly log: Log;
  readonly outbox: Pick<Outbox, "queuePush">;
  readonly publicKey: string;
  /** Origins of push services beside those of the known browsers. */
  readonly otherServices: readonly string[];
}

export function openNotices(deps: NoticesDeps): Notices {
  const { database, bus, time, log, outbox } = deps;
  const running = new Set<Promise<void>>();

  async function queue(playerId: PlayerId, notice: Notice): Promise<void> {
    const { event, kind, title, body, tag, path, forMs } = notice;
    const now = time.now();
    for (const subscription of await loadSubscriptions(database.kysely, playerId, now)) {
      const id = toId(event, subscription.endpoint);
      const text = JSON.stringify({ title, body, tag, path });
      const expiresAt = addMs(now, forMs);
      await outbox.queuePush(database.kysely, { id, kind, accountId: playerId, subscription, text, expiresAt });
    }
  }

  /** Not in the transaction of its cause: a notice may be lost, and the page shows the same. */
  function tell(playerId: PlayerId, notice: Notice): void {
    const telling = queue(playerId, notice)
      .catch((err) => log.warn({ err }, "a notice could not be queued"))
      .finally(() => running.delete(telling));
    running.add(telling);
  }

  // Every server hears of these. The notice's id makes them one.
  const stops = [
    bus.subscribe("player", ({ playerId, frame }) => {
      if (frame.type === "open_game" && frame.openGame?.status === "active") {
        tell(playerId, toJoinedNotice(frame.openGame.gameId));
      }
      const notice = frame.type === "payment" ? toPaymentNotice(frame.payment) : null;
      if (notice !== null) tell(playerId, notice);
    }),
    bus.subscribe("waiting", ({ playerId, gameId, for: waiting, version }) => {
      tell(playerId, toWaitingNotice(waiting, gameId, version));
    }),
  ];

  return {
    publicKey: deps.publicKey,

    async subscribe(playerId, token, subscription) {
      if (!isPushService(subscription.endpoint, deps.otherServices)) return refuse("unknown_push_service");
      await transact(database, (tx) => saveSubscription(tx, playerId, token, subscription));
      return ok(null);
    },

    unsubscribe: (playerId, endpoint) => removeOwnSubscription(database.kysely, playerId, endpoint),

    async close() {
      for (const stop of stops) stop();
      await Promise.all(running);
    },
  };
}

/** A UUID of the event at that browser, so that the outbox stores it once. */
function toId(event: string, endpoint: string): string {
  const hex = createHash("sha256").update(`${event} ${endpoint}`).digest("hex");
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
