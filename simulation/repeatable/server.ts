import { createServer } from "node:http";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import { parseConfig } from "../../apps/server/src/config.ts";
import { loadWallet } from "../../apps/server/src/ledger/ledger.ts";
import { nameSessions, openDatabase } from "../../apps/server/src/platform/database/database.ts";
import type { Log } from "../../apps/server/src/platform/log.ts";
import { openMetrics } from "../../apps/server/src/platform/metrics/metrics.ts";
import { surveyServers } from "../../apps/server/src/platform/servers/survey.ts";
import { Admission } from "../../apps/server/src/transport/admission/admission.ts";
import { parseProxies } from "../../apps/server/src/transport/http/client-address.ts";
import { openSocket } from "../../apps/server/src/transport/socket/socket.ts";
import type { Upgrades, UpgradesDeps } from "../../apps/server/src/transport/socket/upgrade.ts";
import { openAccountModule, openPlayModules } from "../../apps/server/src/wiring/modules.ts";
import { openOnDatabase } from "../../apps/server/src/wiring/platform.ts";
import { startRefreshTimer } from "../../apps/server/src/wiring/refresh-timer.ts";
import { DEVELOPMENT_LIMITS } from "../../apps/server/src/wiring/transport.ts";
import type { SessionFacts } from "../account.ts";
import type { VirtualNats } from "./nats.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { VirtualNetwork } from "./sockets.ts";

export interface VirtualServer {
  readonly process: Process;
  loadSession(playerId: PlayerId): Promise<SessionFacts>;
  /** As a shutdown does. */
  close(): Promise<void>;
}

interface ServerOptions {
  readonly scheduler: Scheduler;
  readonly network: VirtualNetwork;
  readonly connectionString: string;
  readonly secret: string;
  readonly log: Log;
  /** Null: there is one server. */
  readonly nats: VirtualNats | null;
}

/** Opened by no one: the world's own database and carriers take their place. */
const NATS = {
  NATS_URL: "nats://nats:4222",
  DATABASE_URL: "postgresql://database/holo",
  PUBLIC_URL: "http://arena.test",
  FILES_URL: "file:///nowhere",
  PAYSTACK_SECRET_KEY: "sk_test_unused",
};

/** The server without HTTP, payments, releases and staff. Must be called as its own process. */
export async function openVirtualServer(options: ServerOptions): Promise<VirtualServer> {
  const { scheduler, network, secret, log, nats } = options;
  const process = scheduler.currentProcess();
  const parsed = parseConfig({ AUTH_SECRET: secret, ...(nats !== null && { ...NATS }) });
  if (!parsed.ok) throw new Error(parsed.refusal.join("\n"));
  const config = parsed.value;
  const platformParts = new AsyncDisposableStack();
  const name = scheduler.runtime.randomUUID();
  const connectionString = nameSessions(options.connectionString, name);
  const database = openDatabase({ connectionString, log });
  platformParts.defer(database.close);
  const { wallMs, monotonicMs } = scheduler.runtime;
  const time = { now: () => toInstant(wallMs()), monotonicMs };
  const claimed = {
    database,
    process: name,
    survey: await surveyServers(database.pool),
    releaseLease: async () => undefined,
    time,
    tableTime: time,
    ...(nats !== null && { openCarrier: () => nats.openCarrier(process) }),
  };
  const platform = await openOnDatabase(config, log, claimed, platformParts, openMetrics({ process: false }));
  const opened = new AsyncDisposableStack();
  opened.defer(platform.close);
  const accounts = openAccountModule(config, platform);
  const play = await openPlayModules(platform, { feeBps: () => DEFAULT_FEE_BPS });
  opened.defer(play.close);
  // No one changes settings here.
  const unchanged = { refresh: async () => undefined };
  opened.defer(startRefreshTimer(platform, { ...play, settings: unchanged, maintenance: unchanged }));
  const { metrics } = platform;
  const { toKnownSource } = accounts;
  const admission = new Admission({
    time,
    metrics,
    proxies: parseProxies([]),
    limits: DEVELOPMENT_LIMITS,
    toKnownSource,
  });

  /** Instead of upgrades of HTTP requests. */
  function accept({ open, admission, accounts }: UpgradesDeps): Upgrades {
    let isStopped = false;
    network.listen(process, async (request, end, stream) => {
      const { cookie } = request.headers;
      const session = cookie === undefined ? null : await accounts.findPlayerSession(cookie);
      if (isStopped) end.terminate();
      else {
        const meter = admission.openMeter(admission.toSource(request));
        open(end, stream, { requestId: scheduler.runtime.randomUUID(), session, meter });
      }
    });
    return {
      stop() {
        isStopped = true;
        network.stopListening(process);
      },
      terminate: () => network.breakAll(process),
    };
  }

  const socket = openSocket({
    ...platform,
    server: createServer(),
    ...play,
    accounts,
    origins: [],
    connectionsPerPlayerMax: 12,
    enteringMax: 4_000,
    admission,
    accept,
  });
  opened.defer(socket.close);
  platform.startServing();
  opened.defer(platform.stopServing);
  return {
    process,
    async loadSession(playerId) {
      const [wallet, openGame] = await Promise.all([
        loadWallet(database.kysely, playerId),
        play.games.loadOpenGame(playerId),
      ]);
      return { balance: String(wallet?.balance ?? 0n), openGame, settings: { feeBps: DEFAULT_FEE_BPS } };
    },
    close: () => opened.disposeAsync(),
  };
}
