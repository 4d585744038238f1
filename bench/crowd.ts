import { setTimeout as sleep } from "node:timers/promises";
import type { GameId } from "@holo/kernel/ids.ts";
import { startWatchers } from "./evening/watchers.ts";
import { atMost, type Finding, formatNumber, note } from "./report.ts";
import { audit, connectAll, startArena } from "./servers/arena.ts";
import { startCluster } from "./servers/cluster.ts";
import { makeEndingGames, openPairs } from "./servers/pairs.ts";
import { pinLoadGenerator } from "./servers/processes.ts";
import { quantile } from "./statistics.ts";

const CROWD = 1_000;
const COINS = 100_000;
const PAIRS = 8;
const THINK_MS = 500;
const WARM_UP_MS = 2_000;
/** A game takes more than half a minute; a round during which it ended is repeated. */
const ROUND_MS = 10_000;
/** Until everyone knows that a thousand have come. */
const SETTLE_MS = 2_000;
const POLL_MS = 50;
const RATIO_MAX = 1.5;
const MODES = ["alone", "watched"] as const;
type Mode = (typeof MODES)[number];

/** The moves of one game without watchers and with a thousand, in turns on one server. */
export async function benchCrowd(seconds: number, profileDir?: string): Promise<readonly Finding[]> {
  const rounds = Math.ceil((seconds * 1_000) / ROUND_MS / MODES.length);
  note(`crowd: ${PAIRS} games, ${formatNumber(CROWD)} watchers of one, ${rounds} rounds of 10 s with and without`);
  const samples = makeEndingGames();
  const cluster = await startCluster();
  pinLoadGenerator();
  const arena = await startArena(cluster, { profileDir });
  const players = [...(await arena.makePlayers(2 * PAIRS + CROWD, COINS))];
  const sockets = await connectAll(() => arena, players.splice(0, 2 * PAIRS));
  const crowd = await startWatchers(arena, players);
  const pairs = openPairs(sockets, samples, { limits: [10] });

  async function findGame(): Promise<GameId> {
    for (;;) {
      const found = pairs.findGame(0);
      if (found !== null) return found;
      await sleep(POLL_MS);
    }
  }

  /** Of the first pair's game; null if it ended meanwhile. */
  async function measure(mode: Mode): Promise<readonly number[] | null> {
    const { usage: isWhole, seen } = await pairs.play(
      { type: "thinking", drawMs: () => THINK_MS },
      WARM_UP_MS,
      async () => {
        const gameId = await findGame();
        if (mode === "watched") await crowd.watchGame(gameId);
        await sleep(SETTLE_MS + ROUND_MS);
        const isStill = pairs.findGame(0) === gameId;
        if (mode === "watched") await crowd.leaveGame(gameId);
        return isStill;
      },
    );
    return isWhole ? seen.flatMap(({ viewer, ms }) => (viewer < 2 ? [ms] : [])) : null;
  }

  const seenMs: Record<Mode, number[]> = { alone: [], watched: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const mode of MODES) {
      let measured: readonly number[] | null = null;
      while (measured === null) measured = await measure(mode);
      seenMs[mode].push(...measured);
    }
  }
  const open = await crowd.countOpen();
  if (open < CROWD) throw new Error(`${CROWD - open} connections of the benchmark were lost`);
  crowd.stop();
  for (const socket of sockets) socket.terminate();
  await arena.stop();
  audit(arena.connectionString);
  await cluster.stop();

  const part = "crowd";
  const format = (ms: readonly number[]): string =>
    `${[0.5, 0.95, 0.99].map((q) => `p${q * 100} ${formatNumber(quantile(ms, q), 1)}`).join(", ")} (${ms.length} moves)`;
  const ratio = quantile(seenMs.watched, 0.99) / quantile(seenMs.alone, 0.99);
  return [
    { part, what: "a move until seen, ms, without watchers", figures: format(seenMs.alone) },
    {
      part,
      what: `a move until seen, ms, with ${formatNumber(CROWD)} watchers`,
      figures: `${format(seenMs.watched)}; ${formatNumber(ratio, 2)} times at p99`,
      goal: atMost(ratio, RATIO_MAX),
    },
  ];
}
