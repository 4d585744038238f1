import type { GameId } from "@holo/kernel/ids.ts";
import { makeRandom, type Random } from "@holo/kernel/random.ts";
import { sleep } from "../apps/server/src/platform/runtime.ts";
import type { Account } from "./account.ts";
import { BAD_NETWORK, type Dial, type Network, openNetwork } from "./network.ts";
import { type Robot, startRobot } from "./robot.ts";

/** Robots at play, in a campaign or in virtual time. */
export interface Play {
  readonly robots: readonly Robot[];
  /** With the watchers. */
  readonly all: readonly Robot[];
  /** Ends after `end`. */
  readonly running: Promise<unknown>;
  /** How many frames brought something new, in either direction. */
  countNews(): number;
  /** Networks heal, and no one begins anything. */
  rest(): void;
  goOn(): void;
  /** From now on games only end. */
  finish(): void;
  /** Of robots that are still at a table. */
  describePending(): readonly string[];
  end(): void;
}

interface PlayOptions {
  readonly seed: number;
  readonly accounts: readonly Account[];
  readonly dial: Dial;
  readonly watchers: number;
  /** Each robot acts twice in this time on average. */
  readonly paceMs: number;
  /** Filled here. */
  readonly networks: Network[];
  listByStatus(status: "waiting" | "active"): Promise<readonly GameId[]>;
}

/** Some players have two tabs open. */
const TABS_EVERY = 5;
const LIST_EVERY_MS = 250;

export function startPlay(options: PlayOptions): Play {
  const { accounts, dial, watchers: watcherCount, paceMs, networks, listByStatus } = options;
  let waiting: readonly GameId[] = [];
  let isOver = false;
  let isResting = false;
  const randomOf = (name: number): Random => makeRandom(options.seed * 1_009 + name);

  function startOne(account: Account | null, index: number): Robot {
    const network = openNetwork(dial, account, randomOf(2 * index), BAD_NETWORK);
    networks.push(network);
    return startRobot(account, network, randomOf(2 * index + 1), () => waiting);
  }

  const tabs = accounts.filter((_, index) => index % TABS_EVERY === 0);
  const robots = [...accounts, ...tabs].map(startOne);
  const watchers = Array.from({ length: watcherCount }, (_, index) => startOne(null, 2 * accounts.length + index));
  for (const watcher of watchers) watcher.watchLobby();
  const all = [...robots, ...watchers];

  async function playOn(robot: Robot, index: number): Promise<void> {
    const pause = randomOf(500 + index);
    while (!isOver) {
      await sleep(pause(2 * paceMs));
      await robot.takeTurn();
    }
  }

  async function lookAround(): Promise<void> {
    const choose = randomOf(900);
    while (!isOver) {
      waiting = await listByStatus("waiting");
      const active = await listByStatus("active");
      const gameId = active[choose(Math.max(1, active.length))];
      // A watcher who opens another table is sent something new.
      if (gameId !== undefined && !isResting) watchers[choose(watchers.length)]!.watch(gameId);
      await sleep(LIST_EVERY_MS);
    }
  }

  return {
    robots,
    all,
    running: Promise.all([...all.map(playOn), lookAround()]),
    countNews: () => networks.reduce((sum, { recording }) => sum + recording.countNews(), 0),
    rest() {
      isResting = true;
      for (const network of networks) network.stopFaults();
      for (const robot of all) robot.setMood("resting");
    },
    goOn() {
      isResting = false;
      for (const robot of all) robot.setMood("lively");
    },
    finish() {
      for (const robot of robots) robot.finish();
    },
    describePending: () => robots.flatMap((robot) => robot.describePending() ?? []),
    end() {
      isOver = true;
    },
  };
}
