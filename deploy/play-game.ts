/**
 * `node deploy/play-game.ts ORIGIN`: players of the configured database play games until the line
 * `destroyed`, print what was lost after `restored`, and go on with an older game after `go`.
 */
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import { beginGame, countMoves, findLostMoves, type Pair, playSeries } from "../apps/server/src/testing/robot-pairs.ts";
import { addServerPlayers } from "../apps/server/src/testing/server-players.ts";
import { until } from "../apps/server/src/testing/server-process.ts";
import { startRobot } from "../apps/server/src/transport/testing/robot.ts";

interface Acknowledged {
  readonly pair: Pair;
  readonly commandId: string;
  readonly version: number;
  readonly atMs: number;
}

const MOVES = 6;
const NOTICE_EVERY_MS = 10;
const origin = process.argv[2]!;
const place = { origin: () => origin, page: origin };
const database = openDatabase({ connectionString: process.env.DATABASE_URL!, log: openLog("error"), poolSize: 2 });
const [white, black, ...others] = await addServerPlayers(database, 4, 10_000, true);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const all = new Map<string, Acknowledged>();

async function waitFor(line: string): Promise<void> {
  const { value } = await lines.next();
  if (value !== line) throw new Error(`${value} instead of ${line}`);
}

function notice(): void {
  const atMs = Date.now();
  for (const pair of series.pairs)
    for (const { acknowledged } of pair.robots)
      for (const [commandId, version] of acknowledged)
        if (!all.has(commandId)) all.set(commandId, { pair, commandId, version, atMs });
}

async function findLost(acknowledged: readonly Acknowledged[]): Promise<ReadonlySet<string>> {
  const lost = new Set<string>();
  for (const { gameId } of series.pairs) {
    const moves = acknowledged.filter(({ pair }) => pair.gameId === gameId);
    for (const { commandId, version } of moves) {
      if ((await findLostMoves(database, gameId, [[commandId, version]])).length > 0) lost.add(commandId);
    }
  }
  return lost;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const paused = await beginGame(place, [white!, black!], 0);
await until(() => countMoves([paused]) >= MOVES);
for (const robot of paused.robots) robot.stop();
print("paused");

const series = playSeries(place, [others[0]!, others[1]!], 1, 1);
const noticing = setInterval(notice, NOTICE_EVERY_MS);
await waitFor("destroyed");
clearInterval(noticing);
const destroyedAtMs = Date.now();
// What a game in its first moments waits for never arrives.
void series.stop().catch(() => undefined);
const acknowledged = [...all.values()];
print("stopped");

await waitFor("restored");
const lost = await findLost(acknowledged);
const isLost = ({ commandId }: Acknowledged): boolean => lost.has(commandId);
const newestMs = Math.max(...acknowledged.filter((one) => !isLost(one)).map(({ atMs }) => atMs));
print(`lost ${lost.size} of ${acknowledged.length} moves, ${(destroyedAtMs - newestMs) / SECOND_MS} s`);
// Nothing is lost between moves that survived, except within the moment in which they are noticed.
const gap = acknowledged.find((one) => isLost(one) && one.atMs < newestMs - SECOND_MS);
if (gap !== undefined) print(`LOST: ${gap.commandId}, ${newestMs - gap.atMs} ms before a move that survived`);

await waitFor("go");
const robots = paused.robots.map(({ player }, seat) => startRobot(() => origin, origin, player, seat + 1));
for (const robot of robots) robot.play(paused.gameId);
await until(() => robots.every((robot) => robot.acknowledged.size >= 2));
for (const robot of robots) robot.stop();
const moves = [...paused.robots, ...robots].flatMap((robot) => [...robot.acknowledged]);
const missing = await findLostMoves(database, paused.gameId, moves);
print(missing.length === 0 ? `played ${moves.length} moves` : `LOST: ${missing.join(", ")}`);
process.exit(missing.length === 0 && gap === undefined ? 0 : 1);
