import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { COST } from "../../admission/admission.ts";
import {
  beginGame,
  cancelGame,
  lengthenLog,
  openGame,
  type Pair,
  playOpening,
  resignGame,
} from "../../testing/test-games.ts";
import { ORIGIN, openTestHttp, send, type TestHttp } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;
let pair: Pair;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  pair = { white: await http.addPlayer(), black: await http.addPlayer() };
});

afterAll(async () => {
  await http.close();
  await database.close();
});

const load = (gameId: string, cookie?: string) =>
  send(http.app, "GET", `/api/matches/${gameId}/export`, undefined, cookie === undefined ? {} : { cookie });

test("exports a game of checkers as PDN to anyone, during and after the game", async () => {
  const game = await beginGame(http.at, pair);
  await playOpening(http.at, game);
  const running = await (await load(game.gameId)).text();
  expect(running).toContain('[Result "*"]');
  expect(running).not.toContain("Lag");
  await resignGame(http.at, game);
  const answer = await load(game.gameId);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-disposition": `attachment; filename="holo-arena-${game.gameId.slice(0, 8)}.pdn"`,
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  const text = await answer.text();
  expect(text).toContain(`[Site "${ORIGIN}/game/${game.gameId}"]`);
  // These tests use player ids as names.
  expect(text).toContain(`[White "${game.white.id}"]`);
  expect(text).toContain(`[Black "${game.black.id}"]`);
  expect(text).toContain('[Result "0-1"]');
  expect(text).toContain('[WhiteLag "0 ms, at most 0 ms a move"]');
  expect(text).toMatch(/\n1\. c3-d4 .*1\.\.\. d6-c5 /);
  expect(await (await load(game.gameId.toUpperCase())).text()).toBe(text);
});

test("exports a game of chess as PGN", async () => {
  const { white, gameId } = await beginGame(http.at, pair, "chess");
  const answer = await load(gameId);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="holo-arena-[0-9a-f]{8}\.pgn"$/);
  expect(answer.headers.get("content-type")).toBe("application/vnd.chess-pgn; charset=utf-8");
  expect(await answer.text()).toContain('[Event "Holo Arena"]');
  await cancelGame(http.at, white, gameId);
});

test("has no export of a waiting or never joined game", async () => {
  const { white } = pair;
  const gameId = await openGame(http.at, white);
  expect(await (await load(gameId)).json()).toMatchObject({ code: "unknown_game" });
  expect(await (await load(gameId, white.cookie)).json()).toMatchObject({ code: "not_started" });
  await cancelGame(http.at, white, gameId);
  expect(await (await load(gameId)).json()).toMatchObject({ code: "not_started" });
});

test.each([
  ["no-game", 400, "bad_request"],
  [randomUUID(), 404, "unknown_game"],
  ["%00", 400, "bad_request"],
])("has no export of %s", async (id, status, code) => {
  const answer = await load(id);
  expect(answer.status).toBe(status);
  expect(await answer.json()).toMatchObject({ code });
});

test("allows only reading, with a rate limit", async () => {
  const { gameId } = await beginGame(http.at, pair);
  const posted = await send(http.app, "POST", `/api/matches/${gameId}/export`, {});
  expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET"]);
  const limited = await openTestHttp(database, { budgets: { perAddress: { burst: COST.route, refillMs: 60_000 } } });
  const ask = async () => (await send(limited.app, "GET", `/api/matches/${gameId}/export`)).status;
  expect([await ask(), await ask()]).toEqual([200, 429]);
  await limited.close();
});

test("counts a file that takes a long log to make as several requests, and the same file again as one", async () => {
  const begin = async () => await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const [long, short] = [await begin(), await begin()];
  await lengthenLog(database.kysely, long.gameId, 448);
  const limited = await openTestHttp(database, {
    budgets: { perAddress: { burst: 12 * COST.route, refillMs: 60_000 } },
  });
  const ask = async (gameId: string) => (await send(limited.app, "GET", `/api/matches/${gameId}/export`)).status;
  expect([await ask(short.gameId), await ask(short.gameId), await ask(short.gameId)]).toEqual([200, 200, 200]);
  expect([await ask(long.gameId), await ask(long.gameId)]).toEqual([200, 429]);
  await limited.close();
});
