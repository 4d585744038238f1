/**
 * `node deploy/play-game.ts ORIGIN`: two players of the configured database play, pause until a
 * line arrives on standard input, and continue. Fails if an acknowledged move is missing.
 */
import { once } from "node:events";
import process from "node:process";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import { beginGame, countMoves, findLostMoves } from "../apps/server/src/testing/robot-pairs.ts";
import { addServerPlayers } from "../apps/server/src/testing/server-players.ts";
import { until } from "../apps/server/src/testing/server-process.ts";
import { startRobot } from "../apps/server/src/transport/testing/robot.ts";

const MOVES = 6;
const origin = process.argv[2]!;
const database = openDatabase({ connectionString: process.env.DATABASE_URL!, log: openLog("error"), poolSize: 2 });
const [white, black] = await addServerPlayers(database, 2, 100, true);
const pair = await beginGame({ origin: () => origin, page: origin }, [white!, black!], 0);
await until(() => countMoves([pair]) >= MOVES);
for (const robot of pair.robots) robot.stop();
process.stdout.write("paused\n");
await once(process.stdin, "data");
const robots = pair.robots.map(({ player }, seat) => startRobot(() => origin, origin, player, seat + 1));
for (const robot of robots) robot.play(pair.gameId);
await until(() => robots.every((robot) => robot.acknowledged.size >= 2));
for (const robot of robots) robot.stop();
const moves = [...pair.robots, ...robots].flatMap((robot) => [...robot.acknowledged]);
const lost = await findLostMoves(database, pair.gameId, moves);
process.stdout.write(lost.length === 0 ? `played ${moves.length} moves\n` : `LOST: ${lost.join(", ")}\n`);
process.exit(lost.length === 0 ? 0 : 1);
