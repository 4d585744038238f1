import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import { formatCoins, toCoins } from "@holo/kernel/money.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { formatCount } from "../apps/server/src/operations/format-count.ts";
import { type ArenaDatabase, openArenaDatabase } from "../e2e/support/database.ts";
import { type Account, register } from "./account.ts";
import { type Fault, findImpossible, needsMachine, RESTARTS } from "./faults/faults.ts";
import { injectFault } from "./faults/inject.ts";
import { runRounds } from "./faults/rounds.ts";
import { type Installation, makeInstallation } from "./installation.ts";
import type { BusySample, Downtime, Evidence, Jump, Span } from "./judge/evidence.ts";
import { judge, judgeAtRest, judgeSoFar } from "./judge/judge.ts";
import { judgePayments, type PaymentEvidence } from "./judge/payment-judge.ts";
import { makeFaultyMachine } from "./machine/machine.ts";
import { BAD_NETWORK, dialOver, type Network, NO_FAULTS, openNetwork } from "./network.ts";
import { type Provider, startPaymentPlay, startProvider } from "./payment-play.ts";
import type { RecordedConnection, Recording } from "./recording.ts";
import { type Robot, startRobot } from "./robot.ts";
import { compareWithStored, findConnectionString, openStoredGames, type StoredGames } from "./stored-games.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

export interface CampaignOptions {
  readonly seed: number;
  readonly games: number;
  /** How many share the database. Default: 1. */
  readonly servers?: number;
  /** Injected one after the other, with games in between. */
  readonly faults: readonly FaultRound[];
  readonly faultMs?: number;
  readonly players: number;
  readonly payers?: number;
  /** Judges during the run and ends with the first finding. */
  readonly isHasty?: boolean;
  /** Games go on until each of these commands was carried out. Default: none. */
  readonly carriedOut?: readonly string[];
  /** The longest time in which no game ends. */
  readonly patienceMs?: number;
  readonly report?: (text: string) => void;
}

export type FaultRound = Fault | readonly [Fault, Fault];

interface CampaignReport {
  readonly games: number;
  readonly commands: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly views: number;
  readonly simulatedMs: number;
  readonly faults: readonly string[];
}

class Finding extends Error {}

/** Backed by the provider's stand-in; the daily comparison reports unbacked coins. */
const COINS = 900;
/** The balance of some players, who soon cannot pay any more. */
const FEW_COINS = 40;
const FEW_COINS_EVERY = 12;
const WATCHERS = 3;
const PACE_MS = 12;
const TABS_EVERY = 5;
/** A fault comes at a seeded instant within this time. */
const INSTANT_MS = 600;
const POLL_MS = 250;
const TIMEOUT_MS = 90_000;
const JUDGE_EVERY_MS = 3_000;
/** A sweep runs every five seconds, on a busy machine later. */
const SWEPT_MS = 30_000;
/** Nothing new passes in either direction and the database stays as it is for so long at rest. */
const QUIET_MS = 1_500;
/** Pushes may be that late at rest on a busy machine. */
const REST_MS_MAX = 12_000;
const LATE_MS = 6_000;
/** A probe that takes longer means that the machine is slow, which the judge must know. */
const SLOW_MS = 700;

/**
 * Robots play random games over faulty connections while the server stops and restarts. Then all
 * games finish, and everything received is compared with the database. Choices depend on the seed.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const {
    seed,
    games,
    faultMs = 2_000,
    players,
    servers = 1,
    payers = 0,
    carriedOut = [],
    isHasty = false,
    patienceMs = TIMEOUT_MS,
  } = options;
  const startedMs = Date.now();
  const report = (what: string): void => options.report?.(`${Math.round((Date.now() - startedMs) / 1_000)} s  ${what}`);
  const impossible = options.faults.flat().flatMap((fault) => findImpossible(fault, { servers, payers }) ?? []);
  if (impossible.length > 0) throw new Error(impossible.join("; "));
  const { missing, provider, server, database, stored, close } = await openParts({ ...options, servers, payers });
  const faults = missing === null ? options.faults : options.faults.flatMap(toPossible);
  const networks: Network[] = [];
  const disturbances: Span[] = [];
  const downtimes: Downtime[] = [];
  const frozen: Span[] = [];
  const stopped: Span[] = [];
  const cuts: Span[] = [];
  const busy: BusySample[] = [];
  const jumps: Jump[] = [];
  const mayFail = payers > 0 || faults.flat().some((fault) => fault !== "kill" && fault !== "stop");
  const randomOf = (name: number) => makeRandom(seed * 1_009 + name);

  function startOne(account: Account | null, index: number): Robot {
    const network = openNetwork(dialOver(server), account, randomOf(2 * index), BAD_NETWORK);
    networks.push(network);
    const robot = startRobot(account, network, randomOf(2 * index + 1), () => waiting);
    clients.push(robot);
    return robot;
  }

  let isOver = false;
  const clients: Robot[] = [];
  let waiting: readonly GameId[] = [];
  try {
    const accounts: Account[] = [];
    for (let i = 0; i < players; i += 1) {
      const account = await register(server.url, database);
      await database.addCoins(account.id, i % FEW_COINS_EVERY === FEW_COINS_EVERY - 1 ? FEW_COINS : COINS);
      accounts.push(account);
    }
    for (const { id } of accounts.slice(0, payers)) await database.verify(id);
    const tabs = accounts.filter((_, index) => index % TABS_EVERY === 0);
    const robots = [...accounts, ...tabs].map(startOne);
    const watchers = Array.from({ length: WATCHERS }, (_, index) => startOne(null, 2 * players + index));
    for (const watcher of watchers) watcher.watchLobby();
    const all = [...robots, ...watchers];
    const running = all.map((robot, index) => runRobot(robot, randomOf(500 + index), () => isOver));
    let isResting = false;
    const watching = watchRandomGames(
      watchers,
      stored,
      randomOf(900),
      () => isOver,
      () => isResting,
    );
    let deserted: GameId | null = null;
    const listWaiting = async (): Promise<void> => {
      // A table in memory has a timer, which does not follow a jump of the clock.
      waiting = (await stored.listByStatus("waiting")).filter((id) => id !== deserted);
    };
    running.push(repeat(listWaiting, () => isOver));
    running.push(watchMachine(server, disturbances, busy, () => isOver));
    const paying =
      provider === null
        ? null
        : await startPaymentPlay(
            server,
            provider,
            database,
            stored,
            { payers: accounts.slice(0, payers), all: accounts },
            (index) => randomOf(2_000 + index),
          );
    const instants = randomOf(3_000);
    const random = randomOf(3_001);
    const targets = {
      installation: server,
      provider,
      random,
      networks,
      robots,
      frozen,
      stopped,
      cuts,
      jumps,
      downtimes,
    };

    async function loadEvidence(restMs: number | null = null): Promise<Evidence> {
      // What clients had been sent is older than what is read now, and what they sent is newer.
      const received = new Map(networks.map(({ recording }) => [recording, copyReceived(recording)]));
      const read = await stored.loadAll();
      return {
        ...read,
        clients: networks.map(({ recording }) => copyRecording(recording, received.get(recording) ?? [])),
        disturbances,
        downtimes,
        frozen,
        stopped: [...stopped],
        cuts: [...cuts],
        busy: [...busy],
        jumps,
        restMs,
        isShared: servers > 1,
      };
    }
    const countNews = (): number => networks.reduce((sum, { recording }) => sum + recording.countNews(), 0);
    /** Resolves once nothing is on its way any more, or not in time: then nothing is compared. */
    async function rest(): Promise<Evidence> {
      const startedMs = performance.now();
      for (;;) {
        const [news, slow, before] = [countNews(), disturbances.length, await stored.countRows()];
        await sleep(QUIET_MS);
        const isQuiet =
          before !== null &&
          before === (await stored.countRows()) &&
          countNews() === news &&
          slow === disturbances.length;
        if (isQuiet) {
          report("at rest");
          break;
        }
        if (performance.now() - startedMs > REST_MS_MAX) {
          report("it never came to rest");
          return await loadEvidence();
        }
      }
      const restedMs = performance.now();
      for (;;) {
        const evidence = await loadEvidence(Date.now());
        if (judgeAtRest(evidence).length === 0 || performance.now() - restedMs > LATE_MS) return evidence;
        await sleep(POLL_MS);
      }
    }
    async function findFirst(judgeBy: typeof judge): Promise<void> {
      const evidence = await loadEvidence().catch(() => null);
      const found = evidence === null ? [] : judgeBy(evidence);
      const [first] = [...all.flatMap((robot) => robot.faults), ...found];
      if (evidence !== null && (first !== undefined || judgeBy === judge)) await saveEvidence(seed, evidence);
      if (first !== undefined) throw new Finding(first);
    }
    /** Waits. A hasty campaign looks for findings meanwhile. */
    async function until(holds: () => boolean | Promise<boolean>, describe = (): string => ""): Promise<void> {
      const startedMs = performance.now();
      let judgedMs = startedMs;
      while (!(await holds())) {
        const isPatient = performance.now() - startedMs < patienceMs;
        if (isHasty && (!isPatient || performance.now() - judgedMs > JUDGE_EVERY_MS)) {
          // The database may be down, or too slow for its time limits.
          await findFirst(isPatient ? judgeSoFar : judge);
          judgedMs = performance.now();
        }
        if (!isPatient) {
          const evidence = await loadEvidence().catch(() => null);
          if (evidence !== null) await saveEvidence(seed, evidence);
          throw new Finding(`after ${Math.round(patienceMs / 1_000)} s still not: ${holds}\n${describe()}`);
        }
        await sleep(POLL_MS);
      }
    }

    const lastRestart = faults.findLastIndex(isRestart);
    const isSwept = lastRestart >= 0 && faults.indexOf("time passes") > lastRestart;
    let round = -1;
    const nextFault = async (): Promise<FaultRound | null> => {
      round += 1;
      const target = Math.floor((games * (round + 1)) / (faults.length + 1));
      for (let ended = await stored.countEnded(); ended < target; ended = await stored.countEnded()) {
        const before = ended;
        await until(async () => (await stored.countEnded()) > before);
      }
      report(`${formatCount(await stored.countEnded(), "game")} ended`);
      const fault = faults[round] ?? null;
      if (round === lastRestart && isSwept) deserted = await desertGame(server, database, networks);
      if (fault !== null) await sleep(instants(INSTANT_MS));
      return fault;
    };
    await runRounds<FaultRound>({
      next: nextFault,
      disturbances,
      async inject(fault) {
        const victim = instants(servers);
        await Promise.all([fault].flat().map((one) => injectFault(one as Fault, { ...targets, victim }, faultMs)));
        await until(server.isReady);
      },
      async survived(fault) {
        report(`survived: ${[fault].flat().join(" with ")}`);
        if (isHasty) await findFirst(judgeSoFar);
        if (fault !== "time passes" || deserted === null) return;
        const gameId = deserted;
        const deadlineMs = performance.now() + SWEPT_MS;
        while (performance.now() < deadlineMs && !(await stored.isOver(gameId))) await sleep(POLL_MS);
        if (!(await stored.isOver(gameId))) throw new Finding(`${gameId} has expired, and nothing cancels it`);
      },
    });

    const findMissing = (): readonly string[] => carriedOut.filter((command) => !sumCounts(robots).has(command));
    await until(
      () => findMissing().length === 0,
      () => `never carried out: ${findMissing().join(", ")}`,
    );
    for (const network of networks) network.stopFaults();
    for (const client of all) client.setMood("resting");
    // A watcher who opens another table is sent something new.
    isResting = true;
    paying?.setPaused(true);
    const early = await rest();
    const restless = isHasty ? judge(early) : judgeAtRest(early);
    if (isHasty && restless[0] !== undefined) throw new Finding(restless[0]);
    isResting = false;
    paying?.setPaused(false);
    for (const client of all) client.setMood("lively");
    for (const robot of robots) robot.finish();
    await until(
      () => robots.every((robot) => robot.describePending() === null),
      () => robots.flatMap((robot) => robot.describePending() ?? []).join("\n"),
    );
    isOver = true;
    report("all games are over");
    await Promise.all([...running, watching]);
    await paying?.finish(server, jumps);
    report("all payments are over");
    const found = [
      ...(missing === null ? [] : [missing]),
      ...all.flatMap(({ faults }) => faults),
      ...(await compareSessions(accounts, database)),
    ];
    const evidence = await rest();
    for (const robot of all) robot.close();
    found.push(...restless, ...judge(evidence), ...compareWithStored(evidence.games, clients));
    const money = paying === null ? null : await paying.loadEvidence();
    if (money !== null) found.push(...judgePayments(evidence, money));
    if (found.length > 0) await saveEvidence(seed, evidence, money);
    const broken = await database.audit();
    if (broken !== null) found.push(`${broken.name}: ${broken.found}`);
    found.push(...server.takeLoggedErrors().filter((line) => !mayFail || line.includes('"BrokenInvariant"')));
    return {
      games: await stored.countEnded(),
      commands: sumCounts(robots),
      acknowledged: robots.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
      views: all.reduce((sum, { seen }) => sum + seen.size, 0),
      simulatedMs: Date.now() - startedMs + toAheadMs(jumps),
      faults: found,
    };
  } catch (error) {
    if (!(error instanceof Finding)) throw error;
    const nothing = {
      games: 0,
      commands: new Map(),
      acknowledged: 0,
      views: 0,
      simulatedMs: 0,
    };
    return { ...nothing, faults: [error.message] };
  } finally {
    isOver = true;
    for (const client of clients) client.close();
    await close();
  }
}

interface Parts {
  /** Why no machine could be built that some of the faults need. */
  readonly missing: string | null;
  readonly provider: Provider | null;
  readonly server: Installation;
  readonly database: ArenaDatabase;
  readonly stored: StoredGames;
  close(): Promise<void>;
}

/** A start that fails leaves nothing. */
async function openParts({
  seed,
  faults,
  servers,
  payers,
}: CampaignOptions & { readonly servers: number; readonly payers: number }): Promise<Parts> {
  await using opened = new AsyncDisposableStack();
  let missing: string | null = null;
  const say = (why: string): void => {
    missing = why;
  };
  const machine = faults.flat().some(needsMachine) ? makeFaultyMachine(say) : null;
  if (machine !== null) opened.defer(machine.remove);
  const provider = payers > 0 ? await startProvider() : null;
  if (provider !== null) opened.defer(provider.stop);
  const server = await makeInstallation(servers, provider?.env ?? {}, makeRandom(seed), machine);
  opened.defer(server.remove);
  await server.start();
  const database = await openArenaDatabase(server.dataDir);
  opened.defer(database.close);
  const stored = openStoredGames(await findConnectionString(server.dataDir));
  opened.defer(stored.close);
  await stored.watchOwners();
  const parts = opened.move();
  return { missing, provider, server, database, stored, close: () => parts.disposeAsync() };
}

/** The command that runs the same campaign again. Timing differs, so a fault may need some runs. */
export function toRepeatCommand(options: CampaignOptions): string {
  const { seed, games, servers = 1, faults, faultMs, players, payers = 0 } = options;
  const counts = `--seed ${seed} --servers ${servers} --games ${games} --players ${players} --payers ${payers}`;
  const lasting = faultMs === undefined ? "" : ` --fault-ms ${faultMs}`;
  return `npm run simulate -- ${counts} --faults "${faults.map((fault) => [fault].flat().join("+")).join()}"${lasting}`;
}

/** For investigating a fault: what each client was sent, and what was stored. */
async function saveEvidence(
  seed: number,
  { wallets: _, ...evidence }: Evidence,
  money: PaymentEvidence | null = null,
): Promise<void> {
  const folder = path.join(ROOT, ".cache", "simulation");
  await mkdir(folder, { recursive: true });
  const games = [...evidence.games].map(([id, { log, chat }]) => [id, { log, chat }]);
  const paid = money === null ? {} : { payments: money.payments, provider: money.provider, answers: money.answers };
  const text = JSON.stringify({ ...evidence, ...paid, games: Object.fromEntries(games) }, (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
  await writeFile(path.join(folder, `${seed}.json`), text);
}

/** At rest, a session shows the database's state. */
async function compareSessions(accounts: readonly Account[], database: ArenaDatabase): Promise<readonly string[]> {
  const found: string[] = [];
  for (const account of accounts) {
    const session = await account.loadSession();
    const balance = session === undefined ? null : formatCoins(toCoins(BigInt(session.balance)), "down", 6);
    const stored = await database.balance(account.id);
    if (balance !== stored) found.push(`${account.username} is shown ${balance} HC of ${stored}`);
    if (session?.openGame != null) found.push(`${account.username} is shown a game that is over`);
  }
  return found;
}

async function runRobot(robot: Robot, random: (below: number) => number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(random(2 * PACE_MS));
    await robot.takeTurn();
  }
}

async function watchRandomGames(
  watchers: readonly Robot[],
  stored: StoredGames,
  random: (below: number) => number,
  isOver: () => boolean,
  isResting: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const active = await stored.listByStatus("active");
    const gameId = active[random(Math.max(1, active.length))];
    if (gameId !== undefined && !isResting()) watchers[random(watchers.length)]!.watch(gameId);
    await sleep(POLL_MS);
  }
}

/** What is left of a round without a machine that can be broken. */
function toPossible(round: FaultRound): readonly FaultRound[] {
  const left = [round].flat().filter((fault) => !needsMachine(fault as Fault)) as readonly Fault[];
  return left.length === 0 ? [] : left.length === 1 ? [left[0]!] : [[left[0]!, left[1]!]];
}

function isRestart(round: FaultRound): boolean {
  return [round].flat().some((fault) => RESTARTS.has(fault));
}

async function repeat(act: () => Promise<void>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await act();
    await sleep(POLL_MS);
  }
}

/** Notes when this machine was slow: then late is not missing. */
async function watchMachine(
  server: Installation,
  disturbances: Span[],
  busy: BusySample[],
  isOver: () => boolean,
): Promise<void> {
  const busyOf = new Map<number, number>();
  while (!isOver()) {
    for (const [pid, busyMs] of server.servers.flatMap(readBusyMs)) busyOf.set(pid, busyMs);
    if (busyOf.size > 0) busy.push({ atMs: Date.now(), busyMs: [...busyOf.values()].reduce((sum, ms) => sum + ms, 0) });
    const fromMs = Date.now();
    await sleep(POLL_MS);
    await server.isReady();
    const toMs = Date.now();
    if (toMs - fromMs > POLL_MS + SLOW_MS) disturbances.push({ fromMs: fromMs - SLOW_MS, toMs });
  }
}

/** How long the main thread ran or waited for a processor; nothing if that is not known. */
function readBusyMs(server: Installation["servers"][number]): readonly (readonly [pid: number, ms: number])[] {
  try {
    const pid = server.pid();
    const [ranNs, waitedNs] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
    return [[pid, (ranNs! + waitedNs!) / 1_000_000]];
  } catch {
    return [];
  }
}

async function desertGame(server: Installation, database: ArenaDatabase, networks: Network[]): Promise<GameId> {
  const account = await register(server.url, database);
  await database.addCoins(account.id, COINS);
  const network = openNetwork(dialOver(server), account, makeRandom(1), NO_FAULTS);
  networks.push(network);
  const robot = startRobot(account, network, makeRandom(1));
  const gameId = await robot.createInvitation();
  robot.close();
  return gameId;
}

type Received = RecordedConnection["received"];

function copyReceived({ connections }: Recording): readonly Received[] {
  return connections.map(({ received }) => [...received]);
}

function copyRecording({ account, connections }: Recording, allReceived: readonly Received[]): Recording {
  const copies = connections.map(({ sent, silentFromMs, server }, index) => ({
    received: allReceived[index] ?? [],
    sent: [...sent],
    silentFromMs,
    server,
  }));
  return { account, connections: copies };
}

function toAheadMs(jumps: readonly Jump[]): number {
  return jumps.reduce((sum, { byMs }) => sum + byMs, 0);
}

function sumCounts(robots: readonly Robot[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of robots) for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
