import { setTimeout as sleep } from "node:timers/promises";
import { makeRandom } from "@holo/kernel/random.ts";
import { makeArenaServer } from "../e2e/support/arena-server.ts";
import { openArenaDatabase } from "../e2e/support/database.ts";
import { type Account, register } from "./account.ts";
import { BAD_NETWORK, type Network, openNetwork } from "./network.ts";
import { type Robot, startRobot } from "./robot.ts";
import { compareWithStored, openStoredGames, type StoredGames } from "./stored-games.ts";

export interface CampaignOptions {
  readonly seed: number;
  /** How many games have to come to an end. */
  readonly games: number;
  /** How often the server goes down among them, in order and as a crash by turns. */
  readonly restarts: number;
  readonly players: number;
  /** Hears how far it is. */
  readonly report?: (text: string) => void;
}

export interface CampaignReport {
  readonly games: number;
  readonly commands: ReadonlyMap<string, number>;
  readonly acknowledged: number;
  readonly views: number;
  /** What was found wrong; empty is what it should be. */
  readonly faults: readonly string[];
}

const COINS = 100_000;
const WATCHERS = 3;
const PACE_MS = 12;
const POLL_MS = 250;
const TIMEOUT_MS = 90_000;

/**
 * Robots play random games by every command there is, over connections that drop, delay, reorder and double messages and break, while the
 * server goes down in between. Then the network heals, everyone finishes, and what each of them saw and was told is held against the
 * database. The choices hang on the seed alone; what happens when is up to the machine.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { seed, games, restarts, players, report = () => undefined } = options;
  const server = await makeArenaServer();
  await server.start();
  const database = openArenaDatabase(server.dataDir);
  const truth = openStoredGames(server.dataDir);
  const networks: Network[] = [];
  const randomOf = (name: number) => makeRandom(seed * 1_009 + name);

  function enter(account: Account | null, index: number): Robot {
    const network = openNetwork(server.url, account?.cookie ?? null, randomOf(2 * index), BAD_NETWORK);
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
    const robots = accounts.map(enter);
    const watchers = Array.from({ length: WATCHERS }, (_, index) => enter(null, players + index));
    let isOver = false;
    const living = [...robots, ...watchers].map((robot, index) => runRobot(robot, randomOf(500 + index), () => isOver));
    const watching = watchRandomGames(watchers, truth, randomOf(900), () => isOver);

    for (let round = 1; round <= restarts + 1; round += 1) {
      const target = Math.floor((games * round) / (restarts + 1));
      await until(async () => (await truth.countEnded()) >= target, TIMEOUT_MS + target * 1_000);
      report(`${await truth.countEnded()} games have ended`);
      if (round > restarts) break;
      await (round % 2 === 0 ? server.stop() : server.kill());
      await sleep(POLL_MS);
      await server.start();
      report(round % 2 === 0 ? "the server was restarted in order" : "the server was killed");
    }

    for (const robot of robots) robot.finish();
    for (const network of networks) network.stopFaults();
    await until(
      () => robots.every((robot) => robot.describePending() === null),
      TIMEOUT_MS,
      () => robots.flatMap((robot) => robot.describePending() ?? []).join("\n"),
    );
    isOver = true;
    await Promise.all([...living, watching]);
    const everyone = [...robots, ...watchers];
    const found = [...everyone.flatMap(({ faults }) => faults), ...(await compareWithStored(truth, everyone))];
    for (const robot of everyone) robot.close();
    const broken = await database.audit();
    if (broken !== null) found.push(`${broken.name}: ${broken.found}`);
    found.push(...server.takeLoggedErrors());
    return {
      games: await truth.countEnded(),
      commands: sumCounts(robots),
      acknowledged: robots.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
      views: everyone.reduce((sum, { seen }) => sum + seen.size, 0),
      faults: found,
    };
  } finally {
    await truth.close();
    await database.close();
    await server.remove();
  }
}

async function runRobot(robot: Robot, random: (below: number) => number, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await sleep(random(2 * PACE_MS));
    await robot.takeTurn();
  }
}

/** Visitors look at one game after another while it is played. */
async function watchRandomGames(
  watchers: readonly Robot[],
  truth: StoredGames,
  random: (below: number) => number,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    const active = await truth.listActive();
    const gameId = active[random(Math.max(1, active.length))];
    if (gameId !== undefined) watchers[random(watchers.length)]!.watch(gameId);
    await sleep(POLL_MS);
  }
}

async function until(
  holds: () => boolean | Promise<boolean>,
  patienceMs: number,
  tellWhy: () => string = () => "",
): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) {
      throw new Error(`after ${Math.round(patienceMs / 1_000)} s still not: ${holds}\n${tellWhy()}`);
    }
    await sleep(POLL_MS);
  }
}

function sumCounts(robots: readonly Robot[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { counts } of robots) for (const [what, count] of counts) sums.set(what, (sums.get(what) ?? 0) + count);
  return new Map([...sums].sort(([a], [b]) => (a < b ? -1 : 1)));
}
