import type { Server } from "node:http";
import { createServer as createNetServer, type Server as NetServer } from "node:net";
import { Hono } from "hono";
import type { Config } from "../config.ts";
import { loadVersion, PAGE_FOLDER } from "../platform/build.ts";
import { openFiles } from "../platform/files/open-files.ts";
import { makeReadiness } from "../platform/readiness.ts";
import { startRepeatedTask } from "../platform/time/repeated-task.ts";
import { Admission, type AdmissionLimits } from "../transport/admission/admission.ts";
import { parseProxies } from "../transport/http/client-address.ts";
import { makeHandlers } from "../transport/http/handlers.ts";
import { createHttpApp } from "../transport/http/http-app.ts";
import { createHttpServer } from "../transport/http/http-server.ts";
import { mountMetrics } from "../transport/http/metrics.ts";
import type { HttpApp } from "../transport/http/routes.ts";
import { loadSite } from "../transport/http/site/site.ts";
import { SUPPORT_STAND_IN_PATH } from "../transport/http/site/support-stand-in.ts";
import { openSocket } from "../transport/socket/socket.ts";
import { toOrigins } from "./external-services.ts";
import type { Modules } from "./modules.ts";
import type { Platform } from "./platform.ts";

interface Listener {
  readonly port: number;
  /** Hands the players to other servers if there are any, before this one stops serving. */
  handOver(): Promise<void>;
  /** Refuses new connections and closes the open ones. */
  close(): Promise<void>;
}

/** In units of a frame (`COST`). Generous per address: carriers share one among many players. */
const PRODUCTION_LIMITS: AdmissionLimits = {
  // Two hundred requests at once, then six a second.
  perKnown: { burst: 1_500, refillMs: 20 },
  // After a restart each of 500 pages connects at once, and then sends a frame every 4 s.
  perAddress: { burst: 7_500, refillMs: 2 },
  // With 150 KiB the first chunks of an upload, until it is authorized.
  perConnectionOfKnown: { burst: 1_200, refillMs: 20 },
  // Ten KiB: a page's requests over one connection, or its frames and a long game.
  perConnectionOfStranger: { burst: 80, refillMs: 50 },
  // More than the sockets of a session and the connections of its pages.
  connectionsPerKnownMax: 24,
  connectionsPerAddressMax: 1_000,
  strangersMax: 10_000,
  // More would only compete with moves for the database.
  strangersAtOnceMax: 2,
  strangersPauseMs: 5,
  strangersHeldMs: 50,
  holdMs: 1_500,
};
/** Tests use one network address. */
export const DEVELOPMENT_LIMITS: AdmissionLimits = {
  perKnown: { burst: 20_000, refillMs: 1 },
  perAddress: { burst: 1_000_000, refillMs: 0.01 },
  perConnectionOfKnown: { burst: 20_000, refillMs: 1 },
  perConnectionOfStranger: { burst: 20_000, refillMs: 1 },
  connectionsPerKnownMax: 20_000,
  connectionsPerAddressMax: 20_000,
  strangersMax: 20_000,
  strangersAtOnceMax: 20,
  strangersPauseMs: 0,
  strangersHeldMs: 50,
  holdMs: 0,
};
const CONNECTIONS_MAX = 20_000;
const CONNECTIONS_PER_PLAYER_MAX = 12;
const CHECK_EVERY_MS = 10_000;
/** About two seconds of work on a small machine; a page abandons an attempt after nine. */
const ENTERING_MAX = 4_000;

export async function listen(config: Config, platform: Platform, modules: Modules): Promise<Listener> {
  const limits = config.mode === "production" ? PRODUCTION_LIMITS : DEVELOPMENT_LIMITS;
  const proxies = parseProxies(config.trustedProxies);
  const { own, links } = platform;
  let isOpen = true;
  const isServing = (): boolean => isOpen && platform.outages.isServed() && !own.isIsolated();
  const { isReady, stopChecks } = await startChecks(config, platform, isServing);
  const { time, metrics } = platform;
  const { toKnownSource } = modules.accounts;
  const admission = new Admission({ time, metrics, proxies, limits, toKnownSource });
  const app = await openApp(config, platform, modules, isReady, admission);
  const server = createHttpServer(app, { connectionsMax: CONNECTIONS_MAX, admission });
  const socket = openSocket({
    server,
    games: modules.games,
    matches: modules.matches,
    lobby: modules.lobby,
    accounts: modules.accounts,
    bus: platform.bus,
    time,
    wheel: platform.wheel,
    stalls: platform.stalls,
    log: platform.log,
    metrics,
    tracing: platform.tracing,
    origins: toOrigins(config),
    connectionsPerPlayerMax: CONNECTIONS_PER_PLAYER_MAX,
    enteringMax: ENTERING_MAX,
    admission,
  });

  own.onIsolated(socket.closeAll);

  const metricsServer = await openMetricsServer(config.metrics, platform);

  return {
    port: await bind(server, { name: "PORT", port: config.port, host: config.host }),
    async handOver() {
      // Without NATS the tables could not be given back before their players arrive elsewhere.
      const canHandOver = (): boolean => links.isConnected && own.hasTaker();
      if (!canHandOver()) return;
      isOpen = false;
      own.startHandover();
      server.close();
      await socket.handOver(canHandOver);
    },
    async close() {
      isOpen = false;
      stopChecks();
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      server.close();
      await socket.close();
      server.closeAllConnections();
    },
  };
}

/** Checks database and folders regularly, so that the metrics are current. */
async function startChecks(config: Config, platform: Platform, isServing: () => boolean) {
  const { database, log, metrics } = platform;
  const folders = [config.dataDir, ...(config.files.type === "disk" ? [config.files.folder] : [])];
  const { isReady, check } = makeReadiness({
    pool: database.pool,
    folders,
    log,
    metrics,
    needsBackups: config.mode === "production",
    isServing,
  });
  // A server that listens reports no gauge that was never set.
  await check();
  const stopChecks = startRepeatedTask({
    ...platform,
    everyMs: CHECK_EVERY_MS,
    failure: "the readiness check failed",
    run: check,
  });
  return { isReady, stopChecks };
}

async function openMetricsServer({ address, token }: Config["metrics"], { metrics }: Platform): Promise<Server | null> {
  if (address === null) return null;
  const app: HttpApp = new Hono();
  mountMetrics(app, metrics, { isServed: true, token });
  const server = createHttpServer(app);
  await bind(server, { name: "METRICS_PORT", ...address });
  return server;
}

async function openApp(
  config: Config,
  platform: Platform,
  modules: Modules,
  isReady: () => Promise<boolean>,
  admission: Admission,
) {
  const { database, time, tableTime, log, metrics, push } = platform;
  const { accounts, games, matches, lobby, players, payments, fairPlay, admin, releases, notices } = modules;
  const isProduction = config.mode === "production";
  return createHttpApp({
    log,
    metrics,
    metricsAccess: {
      isServed: config.metrics.address === null && (!isProduction || config.metrics.token !== null),
      token: config.metrics.token,
    },
    handlers: makeHandlers({
      accounts,
      games,
      matches,
      lobby,
      players,
      payments,
      fairPlay,
      admin,
      releases,
      notices,
      queries: database.kysely,
      time: tableTime,
      settings: admin.settings.current,
      maintenance: admin.maintenance.current,
      contact: {
        email: config.supportEmail,
        messagingUrl: config.supportMessagingUrl ?? `${config.publicUrl}${SUPPORT_STAND_IN_PATH}`,
        version: loadVersion(),
      },
      payerBearsFee: config.payerBearsFee,
      requiresStaffCodes: isProduction,
      push,
    }),
    accounts,
    games,
    matches,
    payments,
    releases,
    queries: database.kysely,
    findSession: accounts.findSession,
    site: await loadSite(PAGE_FOLDER, {
      hasWorker: config.hasWorker,
      kept: { files: openFiles(config.files), time, log },
    }),
    androidCertificates: config.androidCertificates,
    publicUrl: config.publicUrl,
    origins: toOrigins(config),
    admission,
    time,
    isReady,
    isProduction,
    requiresStaffCodes: isProduction,
  });
}

/** After a restart all pages connect at once. Pages without room retry seconds later. */
const BACKLOG = 4_096;

const BIND_FAULTS: Readonly<Record<string, (place: Address) => string>> = {
  EADDRINUSE: ({ name, port }) =>
    `${name}: another program uses port ${port}: end it, or set ${name} to another number`,
  EACCES: ({ name, port }) =>
    `${name}: this user may not use port ${port}: set ${name} to 1024 or more, behind a proxy`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine: correct it, or unset it`,
};

interface Address {
  readonly name: "PORT" | "METRICS_PORT";
  readonly port: number;
  /** Null: all addresses. */
  readonly host: string | null;
}

function listAddresses({ port, host, metrics }: Config): readonly Address[] {
  const own = metrics.address === null ? [] : [{ name: "METRICS_PORT", ...metrics.address } as const];
  return [{ name: "PORT", port, host }, ...own];
}

/** Before the start prepares anything: another server may run already. */
export async function assertFreePorts(config: Config): Promise<void> {
  for (const address of listAddresses(config)) {
    // A page that reconnects at this moment must not keep the probe open.
    const probe = createNetServer((socket) => socket.destroy());
    await bind(probe, address);
    await new Promise((resolve) => probe.close(resolve));
  }
}

/** Returns the port, which the system chooses for port 0. */
async function bind(server: NetServer, place: Address): Promise<number> {
  const { port, host } = place;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const explain = BIND_FAULTS[error.code ?? ""];
      reject(explain === undefined ? error : new Error(explain(place)));
    });
    server.listen({ port, backlog: BACKLOG, ...(host !== null && { host }) }, resolve);
  });
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}
