import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatCoins, toCoins } from "@holo/kernel/money.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { makeArenaServer } from "../e2e/support/arena-server.ts";
import { type ArenaDatabase, openArenaDatabase } from "../e2e/support/database.ts";
import { type Account, register } from "./account.ts";
import type { Evidence, Span } from "./evidence.ts";
import { type Fault, injectFault, PASSING_MS } from "./faults.ts";
import { judge } from "./judge.ts";
import { BAD_NETWORK, type Network, openNetwork } from "./network.ts";
import { type Robot, startRobot } from "./robot.ts";
import { compareWithStored, openStoredGames, type StoredGames } from "./stored-games.ts";

const ROOT = path.resolve(import.meta.dirname, "..");

interface CampaignOptions {
  readonly seed: number;
  /** Number of games to finish. */
  readonly games: number;
  /** One after the other, with games in between. */
  readonly faults: readonly Fault[];
  /** How long each fault lasts that is no restart. */
  readonly faultMs?: number;
  readonly players: number;
  /** Receives progress messages. */
  readonly report?: (text: string) => void;
}

interface CampaignReport {
  readonly games: number;
  readonly commands: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly views: number;
  /** Empty if everything is consistent. */
  readonly faults: readonly string[];
}

/** The provider's stand-in covers them; the daily comparison reports what it does not cover. */
const COINS = 900;
const WATCHERS = 3;
const PACE_MS = 12;
const POLL_MS = 250;
const TIMEOUT_MS = 90_000;

/**
 * Robots play random games with every command over faulty connections while the server stops and
 * restarts. Then the faults end, all games finish, and everything the robots received is compared
 * with the database. Choices depend on the seed only; timing depends on the machine.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, games, faults, faultMs = 2_000, players, report = () => undefined } = options;
  const server = await makeArenaServer();
  await server.start();
  const database = openArenaDatabase(server.dataDir);
  const stored = openStoredGames(server.dataDir);
  const networks: Network[] = [];
  const disturbances: Span[] = [];
  const downtimes: Span[] = [];
  let tablesAheadFromMs: number | null = null;
  // Queries fail in these faults, and are logged as errors.
  const mayFail = faults.some((fault) => fault !== "kill" && fault !== "stop");
  const randomOf = (name: number) => makeRandom(seed * 1_009 + name);

  function startOne(account: Account | null, index: number): Robot {
    const network = openNetwork(server.url, account, randomOf(2 * index), BAD_NETWORK);
    networks.push(network);
    return startRobot(account, network, randomOf(2 * index + 1));
  }

  try {
    const accounts: Account[] = [];
    for (let i = 0; i < players; i += 1) {
      const account = await register(server.url, database);
      await database.addCoins(account.id, COINS);
      accounts.push(account);
    }
    const robots = accounts.map(startOne);
    const watchers = Array.from({ length: WATCHERS }, (_, index) => startOne(null, players + index));
    let isOver = false;
    const running = [...robots, ...watchers].map((robot, index) =>
      runRobot(robot, randomOf(500 + index), () => isOver),
    );
    const watching = watchRandomGames(watchers, stored, randomOf(900), () => isOver);

    for (const [round, fault] of [...faults, null].entries()) {
      const target = Math.floor((games * (round + 1)) / (faults.length + 1));
      await until(async () => (await stored.countEnded()) >= target, TIMEOUT_MS + target * 1_000);
      report(`${await stored.countEnded()} games have ended`);
      if (fault === null) break;
      const fromMs = Date.now();
      if (fault === "time passes") tablesAheadFromMs = fromMs;
      await injectFault(fault, { server, networks }, faultMs);
      await until(server.isReady, TIMEOUT_MS);
      const passedMs = fault === "time passes" ? PASSING_MS : 0;
      disturbances.push({ fromMs, toMs: Date.now() + passedMs });
      if (fault === "kill" || fault === "stop") downtimes.push({ fromMs, toMs: Date.now() });
      report(`survived: ${fault}`);
    }

    for (const robot of robots) robot.finish();
    for (const network of networks) network.stopFaults();
    await until(
      () => robots.every((robot) => robot.describePending() === null),
      TIMEOUT_MS,
      () => robots.flatMap((robot) => robot.describePending() ?? []).join("\n"),
    );
    isOver = true;
    await Promise.all([...running, watching]);
    const all = [...robots, ...watchers];
    const found = [
      ...all.flatMap(({ faults }) => faults),
      ...(await stored.findUnfoundedBonuses()),
      ...(await compareSessions(accounts, database)),
    ];
    for (const robot of all) robot.close();
    const truth = await stored.loadAll();
    const clients = networks.map(({ recording }) => recording);
    found.push(...compareWithStored(truth.games, all));
    found.push(...judge({ ...truth, clients, disturbances, downtimes, tablesAheadFromMs }));
    if (found.length > 0) await saveEvidence(seed, { ...truth, clients });
    const broken = await database.audit();
    if (broken !== null) found.push(`${broken.name}: ${broken.found}`);
    found.push(...server.takeLoggedErrors().filter((line) => !mayFail || line.includes('"BrokenInvariant"')));
    return {
      games: await stored.countEnded(),
      commands: sumCounts(robots),
      acknowledged: robots.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
      views: all.reduce((sum, { seen }) => sum + seen.size, 0),
      faults: found,
    };
  } finally {
    await stored.close();
    await database.close();
    await server.remove();
  }
}

/** For a person who looks into a fault: what each client was sent, and what was stored. */
async function saveEvidence(seed: number, evidence: Pick<Evidence, "games" | "outages" | "clients">): Promise<void> {
  const folder = path.join(ROOT, ".cache", "simulation");
  await mkdir(folder, { recursive: true });
  const games = Object.fromEntries(evidence.games);
  await writeFile(path.join(folder, `${seed}.json`), JSON.stringify({ ...evidence, games }));
}

/** At rest, a session shows what the database says. */
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

/** Visitors watch one running game after another. */
async function watchRandomGames(
  watchers: readonly Robot[],
  stored: StoredGames,
  random: (below: number) => number,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const active = await stored.listActive();
    const gameId = active[random(Math.max(1, active.length))];
    if (gameId !== undefined) watchers[random(watchers.length)]!.watch(gameId);
    await sleep(POLL_MS);
  }
}

async function until(
  holds: () => boolean | Promise<boolean>,
  timeoutMs: number,
  describe: () => string = () => "",
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`after ${Math.round(timeoutMs / 1_000)} s still not: ${holds}\n${describe()}`);
    }
    await sleep(POLL_MS);
  }
}

function sumCounts(robots: readonly Robot[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of robots) for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
