import process from "node:process";
import type { ClockCredited, LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPlayer } from "./accounts/testing/test-players.ts";
import { adminInvariants } from "./admin/audit.ts";
import { gameInvariants } from "./game/audit/audit.ts";
import { ledgerInvariants } from "./ledger/audit/audit.ts";
import { paymentInvariants } from "./payments/audit/audit.ts";
import { type Database, openDatabase } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { openTestLog } from "./platform/testing/test-log.ts";
import { startTestPostgres, type TestPostgres } from "./platform/testing/test-postgres.ts";
import { beginGame, countMoves, type Pair } from "./testing/robot-pairs.ts";
import { addServerPlayers } from "./testing/server-players.ts";
import { makeServerProcess, type ServerProcess, until } from "./testing/server-process.ts";
import { connect } from "./transport/testing/test-client.ts";

/** A server that freezes or is killed during a game: what its players are charged. */
const isDeep = process.env.DEEP === "1";
const PAGE = "http://arena.test";
const INVARIANTS = [...ledgerInvariants, ...paymentInvariants, ...gameInvariants, ...adminInvariants];
const PATIENCE_MS = isDeep ? 300_000 : 60_000;

let postgres: TestPostgres;
let database: Database;
let server: ServerProcess;
let players: readonly TestPlayer[];

beforeAll(async () => {
  postgres = await startTestPostgres(true);
  database = openDatabase({ connectionString: postgres.connectionString, log: openTestLog() });
  server = await makeServerProcess({
    DATA_DIR: postgres.folder,
    DATABASE_URL: postgres.connectionString,
    PUBLIC_URL: PAGE,
  });
  await server.start();
  players = await addServerPlayers(database, 2, 100);
}, 120_000);

afterAll(async () => {
  await server.end("SIGTERM");
  await database.close();
  await postgres.stop();
});

/** Longer than a stall that is credited immediately. */
const FREEZE_MS = 4_000;
const FREEZES: readonly (readonly [freeze: (ms: number) => Promise<void>, ms: number])[] = isDeep
  ? [
      [freezeServer, FREEZE_MS],
      [freezeServer, 20_000],
      [freezeDatabase, 5_000],
      [freezeServer, 9_000],
      [freezeDatabase, 12_000],
    ]
  : [[freezeServer, FREEZE_MS]];

test(
  "charges no player for a frozen server, nor for a restart until it listens [CLOCK-10]",
  async () => {
    const startedMs = performance.now();
    const pair = await beginGame({ origin: () => server.origin, page: PAGE }, [players[0]!, players[1]!], 0);
    let frozenMs = 0;
    for (const [freeze, ms] of FREEZES) {
      const movesBefore = countMoves([pair]);
      await until(() => countMoves([pair]) > movesBefore + 4);
      await freeze(ms);
      frozenMs += ms;
      const movesAfter = countMoves([pair]);
      await until(() => countMoves([pair]) > movesAfter + 1);
    }
    for (const robot of pair.robots) robot.rest();
    await until(() => pair.robots.every((robot) => robot.isAtRest()));
    // Each freeze was in the middle of a turn. A busy machine lengthens both sides.
    const charged = (await loadEvents(pair)).flatMap((event) => (event.type === "moved" ? [event.chargedMs] : []));
    const sumMs = charged.reduce((sum, chargedMs) => sum + chargedMs, 0);
    expect(sumMs).toBeLessThan(performance.now() - startedMs - frozenMs + FREEZE_MS / 2);

    // No player sends anything during this one: a record corrects the clock, without a bonus.
    const loadCredits = async () =>
      (await loadEvents(pair)).filter((event): event is ClockCredited => event.type === "clock_credited");
    const { length: known } = await loadCredits();
    await freezeServer(FREEZE_MS);
    await until(async () => (await loadCredits()).length > known);
    expect((await loadCredits())[known]).toMatchObject({ bonusMs: 0, awaiting: false });
    for (const robot of pair.robots) robot.stop();

    await server.end("SIGKILL");
    // Simulates a database clock set back by an hour: stored instants are ahead of it.
    const { rows } = await sql<{ seen: number }>`
      with killed as (update servers set started_at = started_at + interval '1 hour'
        where started_at = (select max(started_at) from servers) returning server_id)
      update server_beats set seen_at = seen_at + 3600000 from killed where server_beats.server_id = killed.server_id
      returning seen_at::float8 as seen`.execute(database.kysely);
    await server.start();
    const visitor = await connect(server.origin, null, PAGE);
    visitor.send({ type: "watch", gameId: pair.gameId, since: 0 });
    const findCredit = async () => (await loadCredits()).find(({ outageFromAt }) => outageFromAt === rows[0]!.seen);
    await until(async () => (await findCredit()) !== undefined);
    visitor.close();
    const outage = (await findCredit())!;
    expect(outage.bonusMs).toBeGreaterThan(0);
    const boots = await sql<{ started: number }>`
      select extract(epoch from max(started_at))::float8 * 1000 as started from servers`.execute(database.kysely);
    expect(boots.rows[0]!.started).toBeGreaterThan(outage.outageFromAt);
    expect(outage.outageToAt).toBeGreaterThan(boots.rows[0]!.started);
    expect(await audit(database.kysely, INVARIANTS)).toBeNull();
  },
  3 * PATIENCE_MS,
);

async function freezeServer(ms: number): Promise<void> {
  server.signal("SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, ms));
  server.signal("SIGCONT");
}

async function freezeDatabase(ms: number): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity`.execute(database.kysely);
  const pids = [postgres.pid(), ...rows.map(({ pid }) => pid)];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await new Promise((resolve) => setTimeout(resolve, ms));
  for (const pid of pids) process.kill(pid, "SIGCONT");
}

async function loadEvents({ gameId }: Pair): Promise<readonly TableEvent[]> {
  const { rows } = await sql<{ record: string }>`
    select record from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  return rows.flatMap(({ record }) => (JSON.parse(record) as LogRecord).events);
}
