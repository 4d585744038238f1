import type { GameId } from "@holo/kernel/ids.ts";
import { type Coins, toCoins, wholeCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import { createGame, playOpening, type TestGame } from "../testing/test-game.ts";
import {
  addPlayer,
  balanceOf,
  codeOf,
  findBroken,
  gameOf,
  idOf,
  newId,
  openTestServers,
  type TestPlay,
} from "../testing/test-play.ts";

let database: Database;
let at: TestPlay;
let other: TestPlay;

beforeAll(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
});
beforeEach(async () => {
  [at, other] = await openTestServers(database);
});
afterEach(async () => {
  await Promise.all([at.close(), other.close()]);
  expect(await findBroken(database)).toBeNull();
});
afterAll(() => database.close());

/** 60 + 7.4 % */
const ENTRY = toCoins(64_440_000n);

async function playToEnd(white: PlayerView, black: PlayerView): Promise<TestGame> {
  const gameId = gameOf(await createGame(at, white));
  await at.matches.join(black, gameId, newId());
  await playOpening(at, { white, black, gameId });
  await at.games.resign(idOf(white), gameId, newId());
  return { white, black, gameId };
}

async function offer(game: TestGame): Promise<TestGame & { readonly offered: number }> {
  const offered = await at.games.offer("offer_rematch", idOf(game.black), game.gameId, newId());
  if (offered.type !== "done") throw new Error(offered.type);
  return { ...game, offered: offered.version };
}

async function playAndOffer(white: PlayerView, black: PlayerView): ReturnType<typeof offer> {
  return await offer(await playToEnd(white, black));
}

async function seatPlayers(count: number, coins = 500): Promise<readonly PlayerView[]> {
  return await Promise.all(Array.from({ length: count }, () => addPlayer(database, at, coins)));
}

function accept(
  node: TestPlay,
  player: PlayerView,
  { gameId, offered }: { gameId: GameId; offered: number },
  id = newId(),
) {
  return node.games.answerOffer({
    type: "answer_rematch",
    player: idOf(player),
    commandId: id,
    gameId,
    offer: offered,
    answer: "accept",
  });
}

async function countOpenGames(player: PlayerView): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from games
    where status in ('waiting', 'active') and ${player.id} in (player1_id, player2_id)`.execute(database.kysely);
  return rows[0]!.count;
}

/** The player paid the buy-ins of their open games and nothing else. */
async function expectPaid(player: PlayerView, before: Coins, games: number): Promise<void> {
  expect(await countOpenGames(player)).toBe(games);
  expect(await balanceOf(database, player)).toBe(toCoins(before - ENTRY * BigInt(games)));
}

test("starts one rematch, paid once by each, when it is accepted on two servers at once", async () => {
  for (let round = 0; round < 6; round += 1) {
    const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const game = await playAndOffer(white, black);
    const before = [await balanceOf(database, white), await balanceOf(database, black)] as const;
    const [first, second] = [newId(), round % 2 === 0 ? newId() : null];
    const answers = await Promise.all([accept(at, white, game, first), accept(other, white, game, second ?? first)]);
    expect(answers.map(codeOf).sort()).toEqual(second === null ? ["done", "done"] : ["done", "rematch_started"]);
    await expectPaid(white, before[0], 1);
    await expectPaid(black, before[1], 1);
  }
});

test("takes both buy-ins or none when either player sits down elsewhere at once", async () => {
  const ends = new Set<string>();
  for (let round = 0; round < 16; round += 1) {
    const [white, black, third] = (await seatPlayers(3)) as [PlayerView, PlayerView, PlayerView];
    const game = await playAndOffer(white, black);
    const waiting = gameOf(await createGame(at, third, "chess"));
    const players = [white, black] as const;
    const before = [await balanceOf(database, white), await balanceOf(database, black)] as const;
    const seeker = players[round % 2]!;
    const node = round % 4 < 2 ? at : other;
    const leave = round % 8 < 4 ? () => createGame(node, seeker) : () => node.matches.join(seeker, waiting, newId());
    const [rematch, elsewhere] = await Promise.all([accept(at, white, game), leave()]);
    ends.add(`${codeOf(rematch)} ${codeOf(elsewhere)}`);
    const hasBegun = rematch.type === "done";
    expect(hasBegun).not.toBe(elsewhere.type === "done");
    for (const [index, player] of players.entries()) {
      expect(await countOpenGames(player)).toBe(hasBegun || player === seeker ? 1 : 0);
      if (hasBegun || player !== seeker) await expectPaid(player, before[index]!, hasBegun ? 1 : 0);
    }
    const open = await at.games.loadOpenGame(idOf(seeker));
    await at.games.cancel(idOf(seeker), open!.gameId, newId());
    await at.games.cancel(idOf(third), waiting, newId());
  }
  const known =
    /^(done (pending|active)_game_exists|(opponent_busy|pending_game_exists|active_game_exists|no_offer) done)$/;
  expect([...ends].filter((end) => !known.test(end))).toEqual([]);
});

test("seats two of three players who accept each other's rematches at once; the third keeps their coins", async () => {
  for (let round = 0; round < 6; round += 1) {
    const players = await seatPlayers(3);
    const played: TestGame[] = [];
    for (const [index, white] of players.entries()) played.push(await playToEnd(white, players[(index + 1) % 3]!));
    const games = await Promise.all(played.map(offer));
    const before = await Promise.all(players.map((player) => balanceOf(database, player)));
    const answers = await Promise.all(
      games.map((game, index) => accept(index % 2 === 0 ? at : other, game.white, game)),
    );
    const begun = answers.filter(({ type }) => type === "done");
    expect(begun).toHaveLength(1);
    for (const [index, player] of players.entries()) {
      const open = await countOpenGames(player);
      expect(open).toBeLessThanOrEqual(1);
      await expectPaid(player, before[index]!, open);
    }
  }
});

test("takes one buy-in from a player with coins for one who accepts and creates at once", async () => {
  for (let round = 0; round < 6; round += 1) {
    const [white] = (await seatPlayers(1, 129)) as [PlayerView];
    const [black] = (await seatPlayers(1)) as [PlayerView];
    const game = await playAndOffer(white, black);
    const before = await balanceOf(database, white);
    expect(before).toBeLessThan(ENTRY * 2n);
    await Promise.all([accept(at, white, game), createGame(other, white, "chess")]);
    expect(await countOpenGames(white)).toBeLessThanOrEqual(1);
    expect(await balanceOf(database, white)).toBeGreaterThanOrEqual(0n);
    const open = await at.games.loadOpenGame(idOf(white));
    if (open !== null) await at.games.cancel(idOf(white), open.gameId, newId());
    expect(await balanceOf(database, white)).toBe(before);
  }
});

test("starts a rematch once after its commit lost its connection, and answers", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
    const game = await playAndOffer(white, black);
    const before = await balanceOf(database, white);
    const accepting = accept(at, white, game);
    await new Promise((resolve) => setTimeout(resolve, round * 3));
    // Waits for their end: a connection that is still ending would be given to the next query.
    await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database() and state <> 'idle'`.execute(database.kysely);
    await new Promise(setImmediate);
    expect(await accepting).toMatchObject({ type: "done" });
    await expectPaid(white, before, 1);
    const open = await at.games.loadOpenGame(idOf(black));
    expect(open).toMatchObject({ status: "active" });
    await at.games.cancel(idOf(black), open!.gameId, newId());
    expect(await balanceOf(database, white)).toBe(before);
  }
});

test("makes one game of offers that cross on two servers", async () => {
  const [white, black] = (await seatPlayers(2)) as [PlayerView, PlayerView];
  const { gameId } = await playToEnd(white, black);
  expect(wholeCoins(500) - ENTRY).toBe(await balanceOf(database, white));
  const answers = await Promise.all([
    at.games.offer("offer_rematch", idOf(white), gameId, newId()),
    other.games.offer("offer_rematch", idOf(black), gameId, newId()),
  ]);
  expect(answers.map(codeOf)).toEqual(["done", "done"]);
  expect([await countOpenGames(white), await countOpenGames(black)]).toEqual([1, 1]);
  expect(wholeCoins(500) - ENTRY * 2n).toBe(await balanceOf(database, white));
});
