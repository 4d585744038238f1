import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { toChainedHash } from "../log/log-record.ts";
import { playOpening, resignGame, startGame, type TestGame } from "../testing/test-game.ts";
import { findBroken, makeWatcher, newId, openTestPlay, type TestPlay } from "../testing/test-play.ts";

let database: Database;
let at: TestPlay;

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestPlay(database);
});

afterEach(async () => expect(await findBroken(database)).toBeNull());

afterAll(async () => {
  await at.close();
  await database.close();
});

async function loadLog({ gameId }: TestGame) {
  const log = await at.games.loadGameLog(gameId, null);
  if (!log.ok) throw new Error(log.refusal);
  return log.value;
}

test("chains a finished game's log to the hash of its settlement and on to a rematch", async () => {
  const game = await startGame(database, at);
  for (const player of [game.white, game.black]) await at.games.watch(makeWatcher(player), game.gameId, 0);
  await playOpening(at, game);
  await resignGame(at, game);
  const atEnd = await loadLog(game);
  await at.games.offer("offer_rematch", game.black.id, game.gameId, newId());
  const { before, rows, finalHash } = await loadLog(game);
  let hash = before;
  for (const row of rows) {
    hash = toChainedHash(hash, row.text);
    expect(row.hash).toBe(hash);
  }
  expect(rows.slice(0, -1)).toEqual(atEnd.rows);
  expect(finalHash).toBe(rows.at(-2)?.hash);
  expect(atEnd.finalHash).toBe(finalHash);
  const settled = await sql<{ details: string }>`
    select details from ledger_entries where settled_game = ${game.gameId}`.execute(database.kysely);
  expect(JSON.parse(settled.rows[0]?.details ?? "{}")).toMatchObject({ finalHash });
});

test("ends a cancelled game's log with its cancellation and refunds both players", async () => {
  const game = await startGame(database, at);
  await at.games.cancel(game.black.id, game.gameId, newId());
  const { rows, finalHash } = await loadLog(game);
  expect(rows.at(-1)).toMatchObject({ hash: finalHash, text: expect.stringContaining('"cancelled"') });
  const settlement = await at.games.loadSettlement(game.gameId, game.black.id);
  expect(settlement.ok && settlement.value.headToHead).toBeNull();
  expect(settlement.ok && settlement.value.entries.at(-1)).toMatchObject({
    kind: "refund",
    postings: [
      { holder: "escrow", amount: "-128880000" },
      { holder: expect.stringMatching(/white|black/), amount: "64440000" },
      { holder: expect.stringMatching(/white|black/), amount: "64440000" },
    ],
  });
});
