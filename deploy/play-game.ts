/**
 * `node deploy/play-game.ts ORIGIN PORT`: people register, play, and pay a provider on PORT. The
 * lines `verified` (the owner), `destroyed`, `restored` and `go` begin, end, count losses, go on.
 */
import process from "node:process";
import { createInterface } from "node:readline/promises";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { TestPlayer } from "../apps/server/src/accounts/testing/test-players.ts";
import { startTestSandbox } from "../apps/server/src/payments/testing/test-sandbox.ts";
import { openDatabase } from "../apps/server/src/platform/database/database.ts";
import { openLog } from "../apps/server/src/platform/log.ts";
import { findLostDeposits, payOnce, startPayer } from "../apps/server/src/testing/payer.ts";
import { beginGame, countMoves, findLostMoves, type Pair, playSeries } from "../apps/server/src/testing/robot-pairs.ts";
import { addServerPlayers } from "../apps/server/src/testing/server-players.ts";
import { until } from "../apps/server/src/testing/server-process.ts";
import { startRobot } from "../apps/server/src/transport/testing/robot.ts";

interface Acknowledged {
  /** A move's command, or a deposit's reference. */
  readonly id: string;
  /** Null for a deposit. */
  readonly move: { readonly pair: Pair; readonly version: number } | null;
  readonly atMs: number;
}

const MOVES = 6;
/** Deposits until the database is destroyed, and no player exceeds the number allowed at once. */
const PAYERS = 8;
const DEPOSIT_EVERY_MS = 1_000;
const NOTICE_EVERY_MS = 10;
const [, , origin, port] = process.argv as [string, string, string, string];
const place = { origin: () => origin, page: origin };
const database = openDatabase({ connectionString: process.env.DATABASE_URL!, log: openLog("error"), poolSize: 2 });
const players = await addServerPlayers(database, PAYERS, 10_000, true);
const sandbox = await startTestSandbox({ PORT: port, HOST: "127.0.0.1" }, process.env.PAYSTACK_SECRET_KEY);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const all = new Map<string, Acknowledged>();

async function waitFor(line: string): Promise<void> {
  const { value } = await lines.next();
  if (value !== line) throw new Error(`${value} instead of ${line}`);
}

async function post(address: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", origin };
  const answer = await fetch(`${origin}${address}`, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Registers and logs in as a person does; `verify` replaces the mailed link. */
async function enter(username: string, email: string, verify: () => Promise<unknown>): Promise<TestPlayer> {
  const password = `the password of ${username}`;
  await post("/api/register", { username, email, password });
  await verify();
  const answer = await post("/api/login", { email, password });
  const { player } = (await answer.json()) as SessionView;
  const cookie = answer.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { id: player!.id, username, email, cookie: cookie.join("; ") };
}

async function verifyAll(): Promise<void> {
  await database.pool.query("update players set email_verified = true");
}

function notice(): void {
  const atMs = Date.now();
  for (const pair of series.pairs)
    for (const { acknowledged } of pair.robots)
      for (const [id, version] of acknowledged) if (!all.has(id)) all.set(id, { id, move: { pair, version }, atMs });
  for (const id of payer.completed) if (!all.has(id)) all.set(id, { id, move: null, atMs });
}

async function isLost({ id, move }: Acknowledged): Promise<boolean> {
  if (move === null) return (await findLostDeposits(database, [id])).length > 0;
  return (await findLostMoves(database, move.pair.gameId, [[id, move.version]])).length > 0;
}

async function findLost(acknowledged: readonly Acknowledged[]): Promise<ReadonlySet<Acknowledged>> {
  const lost = new Set<Acknowledged>();
  for (const one of acknowledged) if (await isLost(one)) lost.add(one);
  return lost;
}

function toCounts(found: Iterable<Acknowledged>): string {
  const { moves = [], deposits = [] } = Object.groupBy(found, ({ move }) => (move === null ? "deposits" : "moves"));
  return `${moves.length} moves, ${deposits.length} deposits`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const owner = await enter("chief", process.env.OWNER_EMAIL!, async () => {
  print("registered");
  await waitFor("verified");
});
const guest = await enter("newcomer", "newcomer@mail.example.ng", verifyAll);
// No player begins with coins.
await payOnce({ ...place, sandbox }, [owner, guest]);
const paused = await beginGame(place, [owner, guest], 0);
await until(() => countMoves([paused]) >= MOVES);
for (const robot of paused.robots) robot.stop();
print("paused");

const series = playSeries(place, [players[0]!, players[1]!], 1, 1);
const payer = startPayer({ ...place, sandbox, players, pauseMs: DEPOSIT_EVERY_MS });
const noticing = setInterval(notice, NOTICE_EVERY_MS);
await waitFor("destroyed");
clearInterval(noticing);
const destroyedAtMs = Date.now();
// What a game in its first moments waits for, and a deposit, never arrive.
void series.stop().catch(() => undefined);
void payer.stop().catch(() => undefined);
const acknowledged = [...all.values()];
print("stopped");

await waitFor("restored");
const lost = await findLost(acknowledged);
const newestMs = Math.max(...acknowledged.filter((one) => !lost.has(one)).map(({ atMs }) => atMs));
print(`lost ${toCounts(lost)} of ${toCounts(acknowledged)}, ${(destroyedAtMs - newestMs) / SECOND_MS} s`);
// Nothing is lost between commands that survived, except within the moment of noticing them.
const gap = acknowledged.find((one) => lost.has(one) && one.atMs < newestMs - SECOND_MS);
if (gap !== undefined) print(`LOST: ${gap.id}, ${newestMs - gap.atMs} ms before a command that survived`);

await waitFor("go");
await enter("latecomer", "latecomer@mail.example.ng", verifyAll);
const robots = paused.robots.map(({ player }, seat) => startRobot(() => origin, origin, player, seat + 1));
for (const robot of robots) robot.play(paused.gameId);
await until(() => robots.every((robot) => robot.acknowledged.size >= 2));
for (const robot of robots) robot.stop();
const moves = [...paused.robots, ...robots].flatMap((robot) => [...robot.acknowledged]);
const missing = await findLostMoves(database, paused.gameId, moves);
print(missing.length === 0 ? `played ${moves.length} moves` : `LOST: ${missing.join(", ")}`);
process.exit(missing.length === 0 && gap === undefined ? 0 : 1);
