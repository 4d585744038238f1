import type { GameId } from "@holo/kernel/ids.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import {
  addPlayer,
  codeOf,
  findBroken,
  gameOf,
  makeWatcher,
  move,
  newId,
  openTestNodes,
  type TestArena,
} from "../testing/test-arena.ts";
import { B2, C3, C5, createGame, D4, D6, F6, G5, type TestGame } from "../testing/test-game.ts";

/** One game on two servers: the clocks of players who use either, or both. */
let database: Database;
let first: TestArena;
let second: TestArena;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  [first, second] = await openTestNodes(database);
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  expect(await findBroken(database)).toBeNull();
  await database.pool.query("delete from outages");
});
afterAll(() => database.close());

async function advance(ms: number): Promise<void> {
  for (const at of [first, second]) await at.advance(ms);
}

/** White plays at the first server and black at the second; white is to move at version 6. */
async function startAcross(): Promise<TestGame> {
  const white = await addPlayer(database, first);
  const black = await addPlayer(database, second);
  const gameId = gameOf(await createGame(first, white));
  expect(codeOf(await second.arena.join(black, gameId, newId()))).toBe("done");
  await first.arena.watch(makeWatcher(white), gameId, 0);
  await second.arena.watch(makeWatcher(black), gameId, 0);
  const paths = [
    [C3!, D4!],
    [D6!, C5!],
    [B2!, C3!],
    [F6!, G5!],
  ];
  for (const [ply, path] of paths.entries()) {
    await advance(1_000);
    const [at, mover] = ply % 2 === 0 ? [first, white] : [second, black];
    expect(codeOf(await move(at, mover, gameId, ply + 2, path))).toBe("done");
  }
  return { white, black, gameId };
}

/** What both do every second. */
async function catchUp(): Promise<void> {
  await advance(0);
  for (const at of [first, second, first]) await at.arena.catchUp();
  await advance(0);
}

async function loadEvents(gameId: GameId): Promise<readonly TableEvent[]> {
  const { rows } = await sql<{ entry: string }>`
    select entry from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  return rows.flatMap(({ entry }) => (JSON.parse(entry) as LogRecord).events);
}

async function loadCredits(gameId: GameId): Promise<readonly TableEvent[]> {
  return (await loadEvents(gameId)).filter(({ type }) => type === "clock_credited");
}

test.each(["without watching there", "after watching there again"])(
  "charges a thought at one server to a move at another that has an older state in memory, %s [SERVERS-33]",
  async (how) => {
    const white = await addPlayer(database, first);
    const black = await addPlayer(database, first);
    const gameId = gameOf(await createGame(first, white));
    expect(codeOf(await first.arena.join(black, gameId, newId()))).toBe("done");
    const thinking = makeWatcher(white);
    await first.arena.watch(thinking, gameId, 0);
    const paths = [
      [C3!, D4!],
      [D6!, C5!],
      [B2!, C3!],
    ];
    for (const [ply, path] of paths.entries()) {
      await advance(1_000);
      expect(codeOf(await move(first, ply % 2 === 0 ? white : black, gameId, ply + 2, path))).toBe("done");
    }
    const again = makeWatcher(white);
    await second.arena.watch(again, gameId, 0);
    second.arena.unwatch(again, gameId);
    expect(second.arena.isServed(gameId)).toBe(true);
    await advance(1_000);
    expect(codeOf(await move(first, black, gameId, 5, [F6!, G5!]))).toBe("done");
    await advance(19_000);
    if (how !== "without watching there") await second.arena.watch(again, gameId, 0);
    await advance(1_000);
    expect(codeOf(await move(second, white, gameId, 6, [C3!, 33]))).toBe("done");
    expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 20_000 });
  },
);

test("lets a clock run out at once at the mover's server, and three seconds later at another [SERVERS-37]", async () => {
  const loadStatus = async ({ gameId }: TestGame) => (await first.arena.loadMatch(gameId, null))?.status;
  const game = await startAcross();
  await second.advance(299_500);
  await second.advance(2_000);
  expect(await loadStatus(game)).toBe("active");
  await second.advance(2_000);
  expect(await loadStatus(game)).toBe("completed");
  await first.advance(303_500);
  const other = await startAcross();
  await first.advance(299_500);
  expect(await loadStatus(other)).toBe("completed");
});

test("credits an outage that only the server of the opponent measured [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross();
  first.time.advance(4_000);
  second.lose(4_000, "database");
  await advance(0);
  expect(await loadCredits(gameId)).toEqual([]);
  await catchUp();
  // The mover's own server has lost nothing: the time counts, and the bonus is both players'.
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [305_000, 309_000] }]);
  await advance(2_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 2_000 });
});

test("credits it also if the mover's server stores their move only then [SERVERS-34b]", async () => {
  const { gameId, white } = await startAcross();
  first.time.advance(4_000);
  second.lose(4_000, "database");
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [305_000, 309_000] }]);
});

test("credits an outage once that both servers measured, with what it took from the mover [SERVERS-34c]", async () => {
  const { gameId } = await startAcross();
  for (const at of [second, first]) at.lose(4_000, "database");
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [309_000, 309_000] }]);
});

test("credits nothing to a game without a player on the server that alone lost the database [SERVERS-34d]", async () => {
  const { gameId } = await startAcross();
  const alone = { white: await addPlayer(database, first), black: await addPlayer(database, first) };
  const other = gameOf(await createGame(first, alone.white, "chess"));
  expect(codeOf(await first.arena.join(alone.black, other, newId()))).toBe("done");
  first.time.advance(61_000);
  second.lose(61_000, "database");
  await catchUp();
  expect(await loadCredits(other)).toEqual([]);
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, awaiting: true }]);
});
