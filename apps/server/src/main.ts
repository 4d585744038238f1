import { hostname } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { ServerFrame } from "@holo/protocol/frames.ts";
import {
  type AccountTopics,
  DEVELOPMENT_RATE_LIMITS,
  findPlayers,
  loadRole,
  openAccounts,
  PRODUCTION_RATE_LIMITS,
  searchPlayers,
} from "./accounts/accounts.ts";
import { startDataRetention } from "./accounts/deletion/data-retention.ts";
import { addDevelopmentPlayers, DEVELOPMENT_PASSWORD } from "./accounts/development-players.ts";
import { applyOwnerEmail, openAdmin, openMaintenance, openSettings, recordAuditEvent } from "./admin/admin.ts";
import { type ArenaTopics, hasOpenGame, openArena } from "./arena/arena.ts";
import { type Config, parseConfig } from "./config.ts";
import { openWallet, postOpening } from "./ledger/ledger.ts";
import { openPayments } from "./payments/payments.ts";
import { openBus } from "./platform/bus.ts";
import { openDatabase } from "./platform/database/database.ts";
import { migrate } from "./platform/database/migrations.ts";
import { makeReadiness } from "./platform/database/readiness.ts";
import { openFiles } from "./platform/files/open-files.ts";
import { type Log, openLog } from "./platform/log.ts";
import { openOutbox } from "./platform/mail/outbox.ts";
import { openMetrics } from "./platform/metrics/metrics.ts";
import { claimDatabase, joinNodes, type Outage } from "./platform/nodes.ts";
import { startEmbeddedPostgres } from "./platform/postgres/embedded-postgres.ts";
import { openStallMeter } from "./platform/time/stall-meter.ts";
import { openTime, type Time } from "./platform/time/time.ts";
import { openTimerWheel } from "./platform/time/timer-wheel.ts";
import { openReleases } from "./releases/releases.ts";
import { loadOrCreateSecret, openMailer, startSandbox, toOrigins } from "./stand-ins.ts";
import { pushLimits } from "./transport/http/accounts/restrictions.ts";
import { parseProxies, toClientAddress } from "./transport/http/client-address.ts";
import { makeHandlers } from "./transport/http/handlers.ts";
import { createHttpApp } from "./transport/http/http-app.ts";
import { createHttpServer } from "./transport/http/http-server.ts";
import { loadSite } from "./transport/http/site/site.ts";
import { WEBHOOK_PATH } from "./transport/http/wallet/webhook.ts";
import { openSocket } from "./transport/socket/socket.ts";

export interface RunningServer {
  readonly port: number;
  /** Shuts down in order. Everything acknowledged is on disk. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Derives the clock of tables, payments and limits from the server's. Default: the same. */
  readonly toTableTime?: (time: Time) => Time;
}

const OPENING_HC = 500;
const SITE_FOLDER = fileURLToPath(new URL("../../web/dist", import.meta.url));

/** Starts the whole server. Throws if anything prevents it. */
export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  const isProduction = config.mode === "production";
  const postgres = config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log }) : null;
  const connectionString = postgres?.connectionString ?? config.databaseUrl!;
  const claim = await claimDatabase(connectionString, log);
  await migrate(connectionString);
  const database = openDatabase({ connectionString, log });
  const time = await openTime(database);
  const tableTime = options.toTableTime?.(time) ?? time;
  const wheel = openTimerWheel({ time, log });
  const stalls = openStallMeter();
  const metrics = openMetrics({ process: true });
  const bus = openBus<ArenaTopics & AccountTopics>(log);
  let onOutage: (outage: Outage) => void = () => undefined;
  const node = await joinNodes({
    claim,
    time,
    name: hostname(),
    onOutage: (outage) => onOutage(outage),
    onLost: (err) => {
      log.fatal({ err }, "another server took the database");
      process.exit(1);
    },
  });

  const secret = config.authSecret ?? (await loadOrCreateSecret(config.dataDir));
  const outbox = openOutbox({ database, time, wheel, log, metrics, mailer: openMailer(config), secret });
  const accounts = openAccounts({
    database,
    time,
    tableTime,
    secret,
    publicUrl: config.publicUrl,
    secureCookies: isProduction,
    rateLimits: isProduction ? PRODUCTION_RATE_LIMITS : DEVELOPMENT_RATE_LIMITS,
    onPlayerCreated: openWallet,
    queueMail: outbox.queueMail,
    onSessionsEnded: (playerId) => bus.publish("sessions_ended", { playerId }),
  });
  const stopForgetting = startDataRetention({ accounts, time, wheel, log });
  await applyOwnerEmail(database, tableTime, config.ownerEmail);
  if (config.mode === "development") {
    const added = await addDevelopmentPlayers({
      database,
      time,
      accounts,
      creditOpeningBalance: async (tx, playerId, at) => {
        await postOpening(tx, { playerId, amount: wholeCoins(OPENING_HC), at });
      },
    });
    if (added.length > 0) process.stdout.write(`Players to try with: ${added.join(", ")} (${DEVELOPMENT_PASSWORD})\n`);
  }
  const settings = await openSettings({
    database,
    time: tableTime,
    broadcast: (inForce) => bus.publish("everyone", { frame: { type: "settings", ...inForce } }),
  });
  const maintenance = await openMaintenance({
    database,
    time: tableTime,
    broadcast: (isOn) => bus.publish("everyone", { frame: { type: "maintenance", maintenance: isOn } }),
  });
  const arena = await openArena({
    database,
    bus,
    time: tableTime,
    wheel,
    stalls,
    log,
    metrics,
    isServed: node.isServing,
    feeBps: () => settings.current().feeBps,
    loadPlayers: (ids) => findPlayers(database.kysely, ids),
    searchPlayers: (text) => searchPlayers(database.kysely, text),
  });
  onOutage = arena.creditOutage;
  const push = (playerId: PlayerId, frame: ServerFrame): void => bus.publish("player", { playerId, frame });
  const sandbox = config.paystack === null ? await startSandbox(config.dataDir) : null;
  const provider = config.paystack ?? sandbox;
  assert(provider !== null, "there is a provider, or what stands in for it");
  const payments = openPayments({
    database,
    time: tableTime,
    wheel,
    log,
    metrics,
    provider,
    publicUrl: config.publicUrl,
    rateKobo: () => settings.current().rateKobo,
    sendFrame: push,
    queueMail: outbox.queueMail,
    checkPassword: accounts.checkPassword,
    removePlayer: accounts.removePlayer,
    payerBearsFee: config.payerBearsFee,
    hasOpenGame,
  });

  const admin = openAdmin({
    database,
    time: tableTime,
    wheel,
    metrics,
    publicUrl: config.publicUrl,
    queueMail: outbox.queueMail,
    onRoleChanged: (playerId) => push(playerId, { type: "role_changed" }),
    payments,
    settings,
    maintenance,
    arena,
    accounts,
    notify: (playerId, title, text) => push(playerId, { type: "notice", title, text }),
    pushLimits: (playerId) => pushLimits({ queries: database.kysely, time: tableTime, push }, playerId),
  });

  const releases = openReleases({
    database,
    time: tableTime,
    files: openFiles(config.files),
    isAdmin: async (queries, playerId) => (await loadRole(queries, playerId)) !== null,
    recordAuditEvent,
  });
  // Not awaited: games go on if the file storage is unreachable.
  releases.sweep().catch((err) => log.warn({ err }, "what unended uploads left could not be swept away"));

  let isOpen = true;
  const isAnswering = makeReadiness(database);
  const origins = toOrigins(config);
  const proxies = parseProxies(config.trustedProxies);
  const app = createHttpApp({
    log,
    metrics,
    handlers: makeHandlers({
      accounts,
      arena,
      payments,
      admin,
      releases,
      queries: database.kysely,
      time: tableTime,
      settings: settings.current,
      maintenance: maintenance.current,
      contact: { email: config.supportEmail, messagingUrl: config.supportMessagingUrl },
      payerBearsFee: config.payerBearsFee,
      push,
    }),
    accounts,
    arena,
    payments,
    releases,
    queries: database.kysely,
    findSession: accounts.findSession,
    site: await loadSite(SITE_FOLDER, {
      hasWorker: config.hasWorker,
      kept: { folder: path.join(config.dataDir, "pages"), at: time.now(), log },
    }),
    androidCertificates: config.androidCertificates,
    publicUrl: config.publicUrl,
    origins,
    proxies,
    time,
    // Mobile carriers share one address among many players.
    requestsPerAddress: isProduction ? { burst: 300, refillMs: 20 } : { burst: 10_000, refillMs: 1 },
    // Without heartbeats nothing can be served, and a query would have to wait.
    isReady: async () => isOpen && node.isServing() && (await isAnswering()),
    isProduction,
  });
  const server = createHttpServer(app);
  const socket = openSocket({
    server,
    arena,
    accounts,
    bus,
    time,
    wheel,
    stalls,
    log,
    metrics,
    origins,
    connectionsPerPlayerMax: 12,
    connectionsPerAddressMax: isProduction ? 500 : 20_000,
    readsPerAddress: isProduction ? { burst: 300, refillMs: 50 } : { burst: 10_000, refillMs: 1 },
    toAddress: (request) => {
      const forwarded = request.headers["x-forwarded-for"];
      return toClientAddress(
        request.socket.remoteAddress,
        Array.isArray(forwarded) ? forwarded.at(-1) : forwarded,
        proxies,
      );
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : config.port;
  await sandbox?.callBack(`http://127.0.0.1:${port}${WEBHOOK_PATH}`);

  return {
    port,
    async close() {
      isOpen = false;
      server.close();
      await socket.close();
      server.closeAllConnections();
      stopForgetting();
      admin.close();
      await payments.close();
      await arena.close();
      await outbox.close();
      await node.leave();
      time.stop();
      stalls.stop();
      wheel.stop();
      await database.close();
      await postgres?.stop();
      await sandbox?.stop();
    },
  };
}

const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  if (!config.ok) {
    process.stderr.write(`The configuration has faults:\n${config.refusal.map((fault) => `  ${fault}\n`).join("")}`);
    process.exit(1);
  }
  const log = openLog(config.value.mode === "development" ? "warn" : "info");
  const running = await startServer(config.value, log);
  process.stdout.write(`Holo Arena is at ${config.value.publicUrl}\n`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    running.close().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, "the server did not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

if (import.meta.main) {
  await main().catch((error) => {
    process.stderr.write(`Holo Arena could not start: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  });
}
