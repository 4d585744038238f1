import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { listInvariants } from "../../apps/server/src/invariants.ts";
import { openWallet, postOpening } from "../../apps/server/src/ledger/ledger.ts";
import { type Database, openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { auditDatabase } from "../../apps/server/src/platform/database/invariant.ts";
import { transact } from "../../apps/server/src/platform/database/transaction.ts";
import { openFiles } from "../../apps/server/src/platform/files/open-files.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { sleep, wallMs } from "../../apps/server/src/platform/runtime.ts";
import { replaceRuntime } from "../../apps/server/src/platform/testing/replace-runtime.ts";
import type { Account, SessionFacts } from "../account.ts";
import type { Evidence } from "../judge/evidence.ts";
import { judge, judgeAtRest, judgeSoFar } from "../judge/judge.ts";
import type { Network } from "../network.ts";
import { type Play, startPlay } from "../play.ts";
import { compareWithStored, openStoredGames } from "../stored-games.ts";
import { openVirtualDatabase } from "./database.ts";
import { openVirtualNats } from "./nats.ts";
import { openScheduler } from "./scheduler.ts";
import { openVirtualServer } from "./server.ts";
import { openVirtualNetwork } from "./sockets.ts";
import { openVirtualFaults, type VirtualFault } from "./virtual-faults.ts";
import { openWorld, Stuck } from "./world.ts";

export interface RepeatableOptions {
  readonly seed: number;
  readonly games: number;
  readonly players: number;
  /** Default: 1. */
  readonly servers?: number;
  /** Called with each thing that happened. */
  readonly onNote?: (line: string) => void;
  /** An empty, migrated database of its own. */
  readonly connectionString: string;
}

export interface RepeatableReport {
  /** Of each statement with values and rows, frame, record and balance, with virtual times. */
  readonly hash: string;
  readonly steps: number;
  readonly virtualMs: number;
  readonly games: number;
  readonly acknowledged: number;
  readonly faults: ReadonlyMap<VirtualFault, number>;
  readonly lostConnections: number;
  readonly lockWaits: number;
  readonly findings: readonly string[];
}

const SECRET = "the secret of the simulation, long enough";
const COINS = 900;
const WATCHERS = 2;
const PACE_MS = 150;
const SESSION_MS_MAX = 3_000;
const HTTP_MS_MAX = 30;
const QUIET_MS = 5_000;
const REST_MS_MAX = 90_000;

/**
 * The server's games, ledger and sessions, PostgreSQL and the page's sockets in one process and in
 * virtual time. One seed gives one run (README.md names the limits).
 */
export async function runRepeatable(options: RepeatableOptions): Promise<RepeatableReport> {
  const { seed, games, players, servers = 1, connectionString } = options;
  const scheduler = openScheduler(seed, options.onNote ?? (() => undefined));
  const restoreRuntime = replaceRuntime(scheduler.runtime);
  const logged: string[] = [];
  const log = openLog("error", { write: (line: string) => void logged.push(line) });
  const own = openDatabase({ connectionString, log: openLog("silent"), poolSize: 1, responseTimeoutMs: 0 });
  const stored = openStoredGames(connectionString);
  await stored.watchOwners();
  const database = await openVirtualDatabase(scheduler, connectionString);
  const uninstall = database.install();
  const network = openVirtualNetwork(scheduler);
  const world = openWorld(scheduler);
  const { until, atOnce, carryOut } = world;
  const { random } = scheduler;
  const networks: Network[] = [];
  const nats = servers > 1 ? openVirtualNats(scheduler) : null;
  const faults = openVirtualFaults({
    scheduler,
    world,
    database,
    network,
    networks,
    servers,
    nats,
    openServer: () => openVirtualServer({ scheduler, network, connectionString, secret: SECRET, log, nats }),
  });
  const findings: string[] = [];
  let restMs: number | null = null;

  /** Over HTTP; undefined while no server answers. */
  async function loadSession(playerId: PlayerId): Promise<SessionFacts | undefined> {
    const running = faults.servers();
    const server = running[random(Math.max(1, running.length))];
    if (server === undefined) return undefined;
    const client = scheduler.currentProcess();
    const answering = new Promise<SessionFacts | undefined>((resolve) => {
      const answer = (session?: SessionFacts): void =>
        void scheduler.schedule(random(HTTP_MS_MAX), () => resolve(session), client);
      const ask = (): void => void server.loadSession(playerId).then(answer, () => answer());
      scheduler.schedule(random(HTTP_MS_MAX), ask, server.process);
    });
    return await Promise.race([answering, sleep(SESSION_MS_MAX, undefined)]);
  }

  async function loadEvidence(): Promise<Evidence> {
    return {
      ...(await stored.loadAll()),
      ...faults.record,
      clients: networks.map(({ recording }) => recording),
      // The server takes no time.
      busy: [0, Number.MAX_SAFE_INTEGER].map((atMs) => ({ atMs, busyMs: 0 })),
      restMs,
      isShared: servers > 1,
    };
  }

  async function rest({ countNews }: Play): Promise<Evidence> {
    let quietSinceMs = scheduler.nowMs();
    let before = "";
    await until(async () => {
      const state = `${countNews()} ${await stored.countRows()}`;
      if (state !== before) quietSinceMs = scheduler.nowMs();
      before = state;
      return scheduler.nowMs() - quietSinceMs > QUIET_MS;
    }, REST_MS_MAX);
    restMs = wallMs();
    return await loadEvidence();
  }

  let evidence: Evidence | null = null;
  let play: Play | null = null;
  try {
    const accounts = await addPlayers(own, players, loadSession);
    await carryOut(faults.startServers);
    const listByStatus: typeof stored.listByStatus = (status) => atOnce(() => stored.listByStatus(status));
    const order = { seed, accounts, dial: network.dial, watchers: WATCHERS, paceMs: PACE_MS, networks, listByStatus };
    const at = await carryOut(async () => startPlay(order));
    play = at;
    world.runBeside(at.running);
    const endOf = { faults: false };
    const injecting = world.spawn(scheduler.currentProcess(), faults.run).then(() => {
      endOf.faults = true;
    });
    world.runBeside(injecting);
    await until(async () => (await stored.countEnded()) >= games);
    faults.stop();
    await until(() => endOf.faults);
    at.rest();
    findings.push(...judgeAtRest(await rest(at)));
    restMs = null;
    at.goOn();
    at.finish();
    await until(() => at.describePending().length === 0);
    at.end();
    evidence = await rest(at);
    findings.push(...judge(evidence), ...compareWithStored(evidence.games, at.all));
  } catch (error) {
    evidence = await loadEvidence();
    if (error instanceof Stuck) findings.push(error.message, ...(play?.describePending() ?? []));
    else findings.push(`the run failed: ${toText(error)}`);
    findings.push(...judgeSoFar(evidence));
  } finally {
    play?.end();
    if (evidence !== null) scheduler.note(describe(evidence));
    uninstall();
    await database.close();
    restoreRuntime();
    await stored.close();
  }
  const broken = await auditDatabase(own, listInvariants(openFiles({ type: "disk", folder: tmpdir() })));
  await own.close();
  if (broken !== null) findings.push(`the auditor: ${broken.name}: ${broken.found}`);
  const robots = play?.all ?? [];
  findings.push(...robots.flatMap((robot) => robot.faults));
  findings.push(...logged.filter((line) => line.includes('"BrokenInvariant"')));
  return {
    hash: scheduler.hash(),
    steps: scheduler.steps(),
    virtualMs: scheduler.nowMs(),
    games: [...evidence!.games.values()].filter(({ log }) => log.some(({ events }) => events.some(isEnd))).length,
    acknowledged: robots.reduce((sum, { acknowledged }) => sum + acknowledged(), 0),
    faults: faults.counts,
    lostConnections: database.countLosses(),
    lockWaits: database.countWaits(),
    findings,
  };
}

function toText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function isEnd({ type }: { readonly type: string }): boolean {
  return type === "ended";
}

/** Everything that clients were sent and that is stored. */
function describe({ clients, games, wallets, outages }: Evidence): string {
  const facts = { clients, games: [...games], wallets: [...wallets].sort(([a], [b]) => (a < b ? -1 : 1)), outages };
  const text = JSON.stringify(facts, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
  return createHash("sha256").update(text).digest("hex");
}

async function addPlayers(
  database: Database,
  count: number,
  loadSession: (playerId: PlayerId) => ReturnType<Account["loadSession"]>,
): Promise<readonly Account[]> {
  const names = Array.from({ length: count }, (_, index) => `robot-${index}`);
  const at = toInstant(wallMs());
  const players = await addTestPlayers(database, names, SECRET);
  for (const { id } of players)
    await transact(database, async (tx) => {
      await openWallet(tx, id, at);
      await postOpening(tx, { playerId: id, amount: wholeCoins(COINS), at });
    });
  return players.map((player) => ({ ...player, loadSession: () => loadSession(player.id) }));
}
