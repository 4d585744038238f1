import { SECOND_MS } from "@holo/kernel/instant.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  addPlayer,
  balanceOf,
  codeOf,
  findBroken,
  gameOf,
  newId,
  openTestServers,
  type TestPlay,
  waitUntilIdle,
} from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../platform/testing/test-database.ts";
import { isWithinBands, type WaitingSeek } from "./rating-band.ts";

let database: Database;
let servers: readonly [TestPlay, TestPlay];

beforeEach(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
  servers = await openTestServers(database);
});
afterEach(async () => {
  for (const server of servers) await server.close();
  // They follow from no games.
  await database.pool.query("delete from ratings");
  const broken = await findBroken(database);
  await database.close();
  expect(broken).toBeNull();
});

async function seat(rating: number, server: TestPlay): Promise<PlayerView> {
  const player = await addPlayer(database, server);
  await sql`insert into ratings values (${player.id}, 'checkers', 'staked', ${rating}, 60, 0.06, 20, ${server.time.now()})`.execute(
    database.kysely,
  );
  return player;
}

const seek = (player: PlayerView, server: TestPlay, nearRating: boolean) =>
  server.matches.create({
    player,
    commandId: newId(),
    game: "checkers",
    stake: 5,
    limitMinutes: 5,
    feeBps: 740,
    nearRating,
  });

async function advance(ms: number): Promise<void> {
  for (const { time } of servers) time.advance(ms);
  for (const { tick } of servers) tick();
  await waitUntilIdle(database);
}

async function loadWaiting(): Promise<readonly (WaitingSeek & { readonly playerId: string })[]> {
  const { rows } = await sql<WaitingSeek & { readonly playerId: string }>`
    select own.rating, game.near_rating as "nearRating", game.created_at::float8 as "sinceAt", game.player1_id as "playerId"
    from games game join ratings own on own.player_id = game.player1_id where game.status = 'waiting'`.execute(
    database.kysely,
  );
  return rows;
}

async function findSuiting(): Promise<string | null> {
  const all = await loadWaiting();
  const at = servers[0].time.now();
  for (const [index, one] of all.entries()) {
    const other = all.slice(index + 1).find((later) => isWithinBands(one, later, at));
    if (other !== undefined) return `${one.rating} and ${other.rating}`;
  }
  return null;
}

// [RATE-03 §- r43] A seeker may ask for an opponent near their own rating. The band widens while they wait, until
// anyone will do; otherwise the longest waiting game comes first. The one who waits less joins the game of the other.
test("two who are far apart both wait, and play once a band is wide enough [RATE-03]", async () => {
  const [first, second] = servers;
  const [ada, bola] = [await seat(1500, first), await seat(1750, second)];
  const older = gameOf(await seek(ada, first, true));
  const younger = gameOf(await seek(bola, second, false));
  expect(younger).not.toBe(older);
  await advance(10 * SECOND_MS);
  expect((await loadWaiting()).length).toBe(2);
  await advance(20 * SECOND_MS);
  expect(await loadWaiting()).toEqual([]);
  expect(await second.games.loadOpenGame(bola.id)).toEqual({ gameId: older, status: "active" });
  expect(await balanceOf(database, bola)).toBe(await balanceOf(database, ada));
  const { rows } = await database.pool.query("select status, end_reason from games where id = $1", [younger]);
  expect(rows).toEqual([{ status: "cancelled", end_reason: "paired_elsewhere" }]);
  const open = second.playerFrames.filter(({ playerId, frame }) => playerId === bola.id && frame.type === "open_game");
  expect(open.at(-1)?.frame).toMatchObject({ openGame: { gameId: older, status: "active" } });
});

// [RATE-04 §- r43] Two seekers who suit each other never both wait, on any server: the one who comes later joins, and
// those whom a widening band makes suitable are paired within a second.
test("no two who suit each other wait, whoever comes at once and however bands widen [RATE-04]", async () => {
  const random = makeRandom(43);
  const players = [];
  for (let i = 0; i < 61; i += 1) players.push(await seat(1100 + random(900), servers[i % 2]!));
  for (let from = 0; from < players.length; from += 20) {
    await advance(SECOND_MS);
    const wave = players.slice(from, from + 20);
    const answers = await Promise.all(wave.map((player, i) => seek(player, servers[(from + i) % 2]!, i % 4 !== 0)));
    expect(new Set(answers.map(codeOf))).toEqual(new Set(["done"]));
    expect(await findSuiting()).toBeNull();
  }
  for (let waitedMs = 0; waitedMs <= 100 * SECOND_MS; waitedMs += 5 * SECOND_MS) {
    await advance(5 * SECOND_MS);
    await advance(SECOND_MS);
    expect(await findSuiting()).toBeNull();
  }
  expect((await loadWaiting()).length).toBe(1);
});

test("a pairing that races a cancellation, or another player's join, seats nobody twice", async () => {
  const [first, second] = servers;
  for (let round = 0; round < 12; round += 1) {
    const [ada, bola, chidi] = [await seat(1500, first), await seat(1780, second), await seat(1500, first)];
    const older = gameOf(await seek(ada, first, true));
    const younger = gameOf(await seek(bola, second, true));
    for (const { time } of servers) time.advance(40 * SECOND_MS);
    const disturb = [
      () => first.games.cancel(ada.id, older, newId(), true),
      () => second.games.cancel(bola.id, younger, newId(), true),
      () => first.matches.join(chidi, older, newId()),
      () => first.matches.join(chidi, younger, newId()),
    ][round % 4]!;
    for (const { tick } of servers) tick();
    await disturb();
    await waitUntilIdle(database);
    for (const player of [ada, bola, chidi]) {
      const open = await first.games.loadOpenGame(player.id);
      if (open?.status === "waiting") await first.games.cancel(player.id, open.gameId, newId(), true);
    }
  }
});
