import { type PlayerId, toPlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import type { LeaderboardView } from "@holo/protocol/accounts/players.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { addEndedGames, type EndedGame } from "../game/testing/ended-games.ts";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { makeTestTime, type TestTime } from "../platform/testing/test-time.ts";
import { type Leaderboard, type LeaderboardOrder, openLeaderboard } from "./leaderboard.ts";

const NOW = toInstant(1_800_000_000_000);
const [ADA, BOLA, CHIDI, DAYO, EFE] = ["ada", "bola", "chidi", "dayo", "efe"].map((name) => `player-${name}`) as [
  PlayerId,
  PlayerId,
  PlayerId,
  PlayerId,
  PlayerId,
];

let database: Database;
let time: TestTime;
let board: Leaderboard;

beforeEach(async () => {
  database = await createTestDatabase();
  time = makeTestTime(NOW);
  board = openLeaderboard({
    queries: database.kysely,
    time,
    loadPlayers: async (ids) => new Map(ids.map((id) => [id, { id, username: id.slice("player-".length) }])),
  });
});

afterEach(() => database.close());

const load = (order: Partial<LeaderboardOrder> = {}) =>
  board.loadLeaderboard({ game: null, period: "all", page: 1, viewer: null, ...order });

const write = ({ top, rows }: Pick<LeaderboardView, "top" | "rows">) =>
  [...top, ...rows].map(
    ({ rank, player, wins, losses, draws }) => `${rank} ${player.username} ${wins}-${losses}-${draws}`,
  );

const won = (winner: PlayerId, loser: PlayerId, more: Partial<EndedGame> = {}): EndedGame => ({
  white: winner,
  black: loser,
  winner,
  at: addMs(NOW, -1_000),
  ...more,
});

// [CALL-14 §7,9 r11] The leaderboard ranks by completed games, then by win rate.
test("ranks players by completed games, then by win rate, and leaves out players without any [CALL-14]", async () => {
  expect(await load()).toEqual({ top: [], rows: [], pages: 0, players: 0, own: null });
  await addEndedGames(database, [
    won(ADA, BOLA),
    won(ADA, BOLA, { status: "timeout" }),
    won(CHIDI, DAYO),
    { ...won(BOLA, CHIDI), winner: null },
    won(EFE, ADA, { winner: null, status: "cancelled" }),
  ]);
  time.advance(5 * SECOND_MS);
  const shown = await load();
  expect(write(shown)).toEqual(["1 bola 0-2-1", "2 ada 2-0-0", "3 chidi 1-0-1", "4 dayo 0-1-0"]);
  expect(shown).toMatchObject({ pages: 1, players: 4 });
  expect(shown.top).toHaveLength(3);
});

test("gives equal players one rank in a stable order and skips the next rank", async () => {
  await addEndedGames(database, [won(BOLA, ADA), won(DAYO, CHIDI), won(EFE, ADA)]);
  const expected = ["1 ada 0-2-0", "2 bola 1-0-0", "2 dayo 1-0-0", "2 efe 1-0-0", "5 chidi 0-1-0"];
  expect(write(await load())).toEqual(expected);
  expect(write(await load({ period: "week" }))).toEqual(expected);
});

test("ranks each game and each period separately", async () => {
  const ago = (days: number): Instant => addMs(NOW, -days * DAY_MS);
  await addEndedGames(database, [
    won(ADA, BOLA, { at: ago(40) }),
    won(ADA, BOLA, { at: ago(20), game: "chess" }),
    won(BOLA, ADA, { at: ago(3) }),
  ]);
  expect(write(await load())).toEqual(["1 ada 2-1-0", "2 bola 1-2-0"]);
  expect(write(await load({ period: "month" }))).toEqual(["1 ada 1-1-0", "1 bola 1-1-0"]);
  expect(write(await load({ period: "week" }))).toEqual(["1 bola 1-0-0", "2 ada 0-1-0"]);
  expect(write(await load({ game: "chess" }))).toEqual(["1 ada 1-0-0", "2 bola 0-1-0"]);
  expect(write(await load({ game: "checkers", period: "month" }))).toEqual(["1 bola 1-0-0", "2 ada 0-1-0"]);
  expect(write(await load({ game: "chess", period: "week" }))).toEqual([]);
});

// [LEAD-03 §2] The other players follow page by page, with the viewer's own rank, for each game and for two periods.
test("continues below the top in pages, each with the viewer's own rank [LEAD-03]", async () => {
  const many = Array.from({ length: 45 }, (_, i) => toPlayerId(`player-${String(i).padStart(3, "0")}`));
  await addEndedGames(
    database,
    many.flatMap((player, i) => Array.from({ length: 60 - i }, () => won(ADA, player))),
  );
  const last = await load({ page: 3, viewer: many[44] ?? null });
  expect(last).toMatchObject({ pages: 3, players: 46 });
  expect(write({ top: [], rows: last.rows })).toEqual(["44 042 0-18-0", "45 043 0-17-0", "46 044 0-16-0"]);
  expect(last.top[0]).toMatchObject({ rank: 1, player: { username: "ada" } });
  expect(last.own).toMatchObject({ rank: 46, player: { id: many[44] }, losses: 16 });
  expect((await load({ page: 2 })).rows).toHaveLength(20);
  expect(await load({ page: 4, viewer: EFE })).toMatchObject({ rows: [], own: null });
});

test("gives players after the last page their own rank", async () => {
  const many = Array.from({ length: 1_010 }, (_, i) => toPlayerId(`player-${String(i).padStart(4, "0")}`));
  await addEndedGames(database, [
    ...many.flatMap((player) => [won(ADA, player), won(player, ADA)]),
    won(EFE, BOLA),
    won(CHIDI, DAYO),
  ]);
  for (const period of ["all", "week"] as const) {
    const shown = await load({ page: 50, viewer: DAYO, period });
    expect(shown).toMatchObject({ pages: 50, players: 1_015 });
    expect(shown.rows).toHaveLength(20);
    expect(shown.own).toEqual({ rank: 1_014, player: { id: DAYO, username: "dayo" }, wins: 0, losses: 1, draws: 0 });
  }
});

test("caches a ranking for seconds and shares it among concurrent requests", async () => {
  await addEndedGames(database, [won(ADA, BOLA)]);
  const [first, second] = await Promise.all([load(), load()]);
  expect(first).toEqual(second);
  await addEndedGames(database, [won(BOLA, ADA), won(BOLA, ADA)]);
  expect(write(await load())).toEqual(["1 ada 1-0-0", "2 bola 0-1-0"]);
  time.advance(5 * SECOND_MS);
  expect(write(await load())).toEqual(["1 bola 2-1-0", "2 ada 1-2-0"]);
});
