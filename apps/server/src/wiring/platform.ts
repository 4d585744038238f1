import { createHash } from "node:crypto";
import { hostname } from "node:os";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { AccountTopics } from "../accounts/accounts.ts";
import type { Config } from "../config.ts";
import type { GameTopics } from "../game/game.ts";
import type { LobbyTopics } from "../lobby/lobby.ts";
import { type Bus, openBus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import { type Outbox, openOutbox } from "../platform/mail/outbox.ts";
import { type Metrics, openMetrics } from "../platform/metrics/metrics.ts";
import { openPusher } from "../platform/push/pusher.ts";
import { makeVapidKeys } from "../platform/push/vapid.ts";
import { type Links, makeNoLinks, openLinks } from "../platform/servers/links.ts";
import { type Carrier, openNats } from "../platform/servers/nats.ts";
import { joinServers, type OwnServer } from "../platform/servers/own-server.ts";
import { type Survey, surveyServers } from "../platform/servers/survey.ts";
import { makeLocalLimiters, makeSharedLimiters, type OpenRateLimiter } from "../platform/shared-rate-limiter.ts";
import { type Outage, type OutageMeter, openOutageMeter } from "../platform/time/outage-meter.ts";
import { openStallMeter, type StallMeter } from "../platform/time/stall-meter.ts";
import { openTime, type Time } from "../platform/time/time.ts";
import { openTimerWheel, type TimerWheel } from "../platform/time/timer-wheel.ts";
import type { Tracing } from "../platform/tracing/tracing.ts";
import { type ClaimedDatabase, claimDatabase } from "./claim-database.ts";
import { claimSecret, openMailer } from "./external-services.ts";

/** The settings or the notice of maintenance may have changed. */
type SwitchTopics = { switches_changed: null };
export type ServerTopics = GameTopics & LobbyTopics & AccountTopics & SwitchTopics & { outage: Outage };

/** One server that starts as another one stops leaves a gap that is no outage (ruling 30). */
const OUTAGE_MS_MIN = 1_000;

/** Topics for the other servers; the rest concerns connections and tables of this one. */
const SHARED_TOPICS = [
  "player",
  "match",
  "owned",
  "online",
  "sessions_ended",
  "relations_changed",
  "switches_changed",
] as const;

export interface Platform {
  readonly log: Log;
  readonly database: Database;
  readonly time: Time;
  /** The clock of tables, payments and limits. */
  readonly tableTime: Time;
  readonly wheel: TimerWheel;
  readonly stalls: StallMeter;
  readonly metrics: Metrics;
  readonly bus: Bus<ServerTopics>;
  readonly own: OwnServer;
  readonly links: Links;
  readonly outages: OutageMeter;
  readonly secret: string;
  readonly outbox: Outbox;
  /** What browsers subscribe to, in base64url. */
  readonly pushKey: string;
  /** Limits that more servers must not multiply. */
  readonly openRateLimiter: OpenRateLimiter;
  /** Null: commands are not traced. */
  readonly tracing: Tracing | null;
  push(playerId: PlayerId, frame: ServerFrame): void;
  startServing(): void;
  /** The server stops listening: an outage begins. */
  stopServing(): void;
  close(): Promise<void>;
}

interface PlatformOptions {
  readonly toTableTime?: (time: Time) => Time;
  readonly signal?: AbortSignal;
}

type Connected = Pick<Platform, "log" | "metrics" | "time" | "wheel" | "secret">;

/** Joins the servers of the database. `opened` takes what has to be closed. */
async function joinOthers(
  { nats }: Config,
  { log, metrics, time, wheel, secret }: Connected,
  { database, process, survey, openCarrier }: Pick<PreparedDatabase, "database" | "process" | "survey" | "openCarrier">,
  onBeat: () => void,
  opened: AsyncDisposableStack,
): Promise<Pick<Platform, "own" | "links">> {
  const name = hostname();
  const connect = openCarrier ?? (() => openNats({ ...nats!, name: `holo-arena ${name}`, log, metrics }));
  const carrier = nats === null ? null : connect();
  if (carrier !== null) opened.defer(carrier.close);
  const own = await joinServers({
    connectionString: database.connectionString,
    log,
    time,
    name,
    process,
    isShared: carrier !== null,
    survey,
    hasNats: () => carrier?.isConnected ?? false,
    onBeat,
  });
  opened.defer(() => own.leave());
  if (carrier === null) return { own, links: makeNoLinks() };
  // Subjects begin with a digest of the secret, so that no other installation knows them.
  const digest = createHash("sha256").update(`holo servers ${secret}`).digest("hex").slice(0, 16);
  const links = openLinks({ carrier, own, secret, time, wheel, log, metrics, prefix: `holo.${digest}` });
  opened.defer(links.close);
  return { own, links };
}

/** The library is loaded only if traces are wanted. */
async function openTracing({ traces }: Config, { log, own }: Pick<Platform, "log" | "own">): Promise<Tracing | null> {
  if (traces === null) return null;
  const { openOtlpTracing } = await import("../platform/tracing/otlp.ts");
  return openOtlpTracing({ ...traces, instanceId: own.id, log });
}

/** Claims and migrates the database and opens what the modules run on. */
export async function openPlatform(
  config: Config,
  log: Log,
  { toTableTime = (time) => time, signal }: PlatformOptions = {},
): Promise<Platform> {
  const opened = new AsyncDisposableStack();
  try {
    return await open(config, log, toTableTime, signal, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** `opened` takes what has to be closed, in reverse order. */
async function open(
  config: Config,
  log: Log,
  toTableTime: (time: Time) => Time,
  signal: AbortSignal | undefined,
  opened: AsyncDisposableStack,
): Promise<Platform> {
  const claimed = await claimDatabase(config, log, signal, opened);
  const survey = await surveyServers(claimed.database.pool);
  const time = await openTime(claimed.database, survey);
  opened.defer(time.stop);
  return await openOnDatabase(config, log, { ...claimed, survey, time, tableTime: toTableTime(time) }, opened);
}

interface PreparedDatabase extends ClaimedDatabase, Pick<Platform, "time" | "tableTime"> {
  readonly survey: Survey;
  /** Default: over the network. */
  readonly openCarrier?: (() => Carrier) | undefined;
}

/** Opens what the modules run on, on a database that is claimed and migrated. */
export async function openOnDatabase(
  config: Config,
  log: Log,
  claimed: PreparedDatabase,
  opened: AsyncDisposableStack,
  metrics: Metrics = openMetrics({ process: true }),
): Promise<Platform> {
  const isShared = config.nats !== null;
  const { database, releaseLease, time, tableTime } = claimed;
  const wheel = openTimerWheel({ time, log });
  opened.defer(wheel.stop);
  const secret = await claimSecret(database, config);
  const stalls = openStallMeter({ onLongStall: (stallMs) => outages.noteLongStall(stallMs) });
  opened.defer(stalls.stop);
  const outages = openOutageMeter({ time, stalls, onOutage: (outage) => bus.publish("outage", outage) });
  const connected = { log, metrics, time, wheel, secret };
  const { own, links } = await joinOthers(config, connected, claimed, outages.noteAnswer, opened);
  const bus = openBus<ServerTopics>(log, isShared ? { topics: SHARED_TOPICS, links } : null);
  const tracing = await openTracing(config, { log, own });
  if (tracing !== null) opened.defer(tracing.close);
  const vapidKeys = makeVapidKeys(secret);
  const pusher = openPusher({ keys: vapidKeys, contact: `mailto:${config.supportEmail}` });
  const outbox = openOutbox({ database, time, wheel, log, metrics, mailer: openMailer(config), pusher, secret });
  opened.defer(outbox.close);
  const running = opened.move();

  return {
    log,
    database,
    time,
    tableTime,
    wheel,
    stalls,
    metrics,
    bus,
    own,
    links,
    outages,
    secret,
    outbox,
    pushKey: vapidKeys.publicKey,
    openRateLimiter: isShared
      ? makeSharedLimiters({ queries: database.kysely, time, secret })
      : makeLocalLimiters(time),
    tracing,
    push: (playerId, frame) => bus.publish("player", { playerId, frame }),
    startServing() {
      const { previousSeenAt: fromAt } = own;
      const toAt = time.now();
      own.startServing();
      outages.startServing();
      if (fromAt !== null && toAt - fromAt >= OUTAGE_MS_MIN) bus.publish("outage", { fromAt, toAt, cause: "restart" });
      if (isShared)
        releaseLease().catch((err) => log.warn({ err }, "the lease could not be released; other servers start later"));
    },
    stopServing() {
      own.stopServing();
      outages.stopServing();
    },
    close: () => running.disposeAsync(),
  };
}
