import type { PlayerId } from "@holo/kernel/ids.ts";
import type { HistoryView, LeaderboardView } from "@holo/protocol/accounts/players.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../platform/database/database.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { addEndedGames, beginGame, cancelGame, findBroken, playGame } from "../../testing/test-games.ts";
import { openTestHttp, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
});

afterAll(async () => {
  const broken = await findBroken(database);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

const ask = (path: string, person?: TestPerson) =>
  send(http.app, "GET", path, undefined, person === undefined ? {} : { cookie: person.cookie });

test("shows the ranking to everyone, and players their own rank", async () => {
  const pair = { white: await http.addPlayer(), black: await http.addPlayer() };
  const { white, black } = await playGame(http.at, pair);
  const outcome = (person: TestPerson, rank: number, wins: number) => ({
    rank,
    // Tests use player ids as names.
    player: { id: person.id, username: person.id },
    wins,
    losses: 1 - wins,
    draws: 0,
  });
  const expected = { top: [outcome(black, 1, 1), outcome(white, 2, 0)], rows: [], pages: 0, players: 2 };
  const shown = (await (await ask("/api/leaderboard")).json()) as LeaderboardView;
  expect(shown).toEqual({ ...expected, own: null });
  const own = await (await ask("/api/leaderboard?game=checkers&period=week&page=1", white)).json();
  expect(own).toEqual({ ...expected, own: outcome(white, 2, 0) });
  for (const query of ["game=ludo", "period=year", "page=0", "page=1000", "limit=5"]) {
    expect((await ask(`/api/leaderboard?${query}`)).status, query).toBe(400);
  }
});

test("shows a player's balance and win rate over time to that player only", async () => {
  expect((await ask("/api/history")).status).toBe(401);
  const pair = { white: await http.addPlayer(), black: await http.addPlayer() };
  http.at.time.advance(1_000);
  await playGame(http.at, pair);
  http.at.time.advance(1_000);
  const { gameId } = await beginGame(http.at, pair);
  await cancelGame(http.at, pair.white, gameId);
  const { balance, winRate } = (await (await ask("/api/history", pair.white)).json()) as HistoryView;
  expect(balance.map((point) => point.balance)).toEqual(["5000000000", "4935560000", expect.any(String), "4935560000"]);
  expect(winRate).toEqual([{ at: expect.any(Number), wins: 0, games: 1 }]);
  const other = (await (await ask("/api/history", pair.black)).json()) as HistoryView;
  expect(other.winRate).toEqual([{ at: winRate[0]?.at, wins: 1, games: 1 }]);
});

test("reduces a long history to the points of a chart, including the newest", async () => {
  const player = await http.addPlayer();
  const other = await http.addPlayer();
  const id = player.id as PlayerId;
  const at = http.at.time.now();
  const otherId = other.id as PlayerId;
  // The first fifty were played with the other colour.
  const games = Array.from({ length: 1_500 }, (_, i) => ({
    white: i < 50 ? otherId : id,
    black: i < 50 ? id : otherId,
    winner: i % 3 === 0 ? id : otherId,
    at: (at - 2_000_000 + i * 1_000) as typeof at,
  }));
  await addEndedGames(database, games);
  const { winRate } = (await (await ask("/api/history", player)).json()) as HistoryView;
  expect(winRate).toHaveLength(120);
  expect(winRate.at(-1)).toEqual({ at: games.at(-1)?.at, wins: 500, games: 1_500 });
  for (const point of winRate) {
    const earlier = games.filter((game) => game.at <= point.at);
    expect(point).toMatchObject({ games: earlier.length, wins: earlier.filter(({ winner }) => winner === id).length });
  }
  expect(winRate[0]?.games).toBeGreaterThan(500);
  await database.pool.query("delete from games where player1_id = $1 or player2_id = $1", [id]);
  await database.pool.query("delete from player_outcomes where player_id in ($1, $2)", [id, other.id]);
});

test("shows how to contact support", async () => {
  expect(await (await ask("/api/contact")).json()).toEqual({
    email: "support@arena.test",
    messagingUrl: "https://messages.arena.test/holo",
    version: "1.2.3+test",
  });
});
