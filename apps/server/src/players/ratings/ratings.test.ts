import type { GameId } from "@holo/kernel/ids.ts";
import { DAY_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { NEW_PLAYER, rateGame } from "@holo/table/rating.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openPlayForAll } from "../../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame } from "../../game/testing/test-game.ts";
import { addPlayer, findBroken, gameOf, newId, type TestPlay } from "../../game/testing/test-play.ts";
import type { Database } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { playerInvariants } from "../audit.ts";
import { rebuildRatings } from "./rebuild-ratings.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

async function begin(white: PlayerView, black: PlayerView) {
  const gameId = gameOf(await createGame(at, white));
  gameOf(await at.matches.join(black, gameId, newId()));
  return { white, black, gameId };
}

/** White loses. */
async function lose(white: PlayerView, black: PlayerView): Promise<GameId> {
  const game = await begin(white, black);
  await playOpening(at, game);
  await resignGame(at, game);
  return game.gameId;
}

async function draw(white: PlayerView, black: PlayerView): Promise<void> {
  const game = await begin(white, black);
  await playOpening(at, game);
  await at.games.offer("offer_draw", white.id, game.gameId, newId());
  gameOf(await at.games.offer("offer_draw", black.id, game.gameId, newId()));
}

interface StoredRating {
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
  readonly games: number;
}

async function loadRatings(player: PlayerView): Promise<readonly StoredRating[]> {
  const { rows } = await sql<StoredRating>`
    select rating, deviation, volatility, games from ratings where player_id = ${player.id} order by game_type, pool`.execute(
    database.kysely,
  );
  return rows;
}

const dump = async () => {
  const stored = await database.pool.query(
    `select (select json_agg(r order by player_id, game_type, pool) from ratings r)::text as ratings,
      (select json_agg(c order by player_id, game_id) from rating_changes c)::text as changes`,
  );
  return stored.rows[0];
};
const rebuild = () => transact(database, rebuildRatings);
const rate = (score: 0 | 0.5 | 1) => {
  const [white, black] = rateGame([NEW_PLAYER, NEW_PLAYER], score, at.time.now());
  const of = ({ rating, deviation, volatility, games }: StoredRating) => ({ rating, deviation, volatility, games });
  return [of(white), of(black)];
};

// [RATE-01 §- r43] A game that ends by play, resignation, time or an agreed draw changes the ratings of both players at
// that game, in the transaction that ends it. A cancelled game changes none.
test("a resignation, a flag and a draw are rated, a cancelled game is not [RATE-01]", async () => {
  for (const [score, end] of [
    [0, lose],
    [0.5, draw],
  ] as const) {
    const [white, black] = [await addPlayer(database, at), await addPlayer(database, at)];
    await end(white, black);
    const [first, second] = rate(score);
    expect([await loadRatings(white), await loadRatings(black)]).toEqual([[first], [second]]);
  }
  const [late, other] = [await addPlayer(database, at), await addPlayer(database, at)];
  const timedOut = await begin(late, other);
  await playOpening(at, timedOut);
  await at.advance(301 * SECOND_MS);
  expect(await loadRatings(late)).toEqual([rate(0)[0]]);

  const [ada, bola] = [await addPlayer(database, at), await addPlayer(database, at)];
  await at.games.cancel(ada.id, (await begin(ada, bola)).gameId, newId());
  await begin(ada, bola);
  await at.advance(61 * SECOND_MS);
  await at.games.cancelByStaff((await begin(bola, ada)).gameId, "a fault of ours", async () => null);
  expect([await loadRatings(ada), await loadRatings(bola)]).toEqual([[], []]);
});

// [RATE-02 §- r43] Ratings are rebuilt from the logs of the games, and are exactly the same. The operator has a command
// for it; the auditor computes them too.
test("rebuilds all ratings from the logs, exactly as they were [RATE-02]", async () => {
  const people = [];
  for (let i = 0; i < 4; i += 1) people.push(await addPlayer(database, at, 9_000));
  for (let i = 0; i < 14; i += 1) {
    const [white, black] = [people[i % 4]!, people[(i * 3 + 1 + (i % 2)) % 4]!];
    if (white === black) continue;
    at.time.advance(i % 5 === 0 ? 40 * DAY_MS : 1_000);
    for (const { id } of people) at.lobby.connect(id);
    if (i % 4 === 3) await draw(white, black);
    else await lose(white, black);
  }
  const before = await dump();
  expect(await rebuild()).toMatchObject({ corrected: 0 });
  expect(await dump()).toEqual(before);
  expect(await findBroken(database)).toBeNull();

  await sql`delete from ratings where player_id = ${people[0]!.id}`.execute(database.kysely);
  await sql`update ratings set rating = rating + 1e-9 where player_id = ${people[1]!.id}`.execute(database.kysely);
  await sql`update rating_changes set score = 1 - score where player_id = ${people[2]!.id}`.execute(database.kysely);
  expect(await audit(database.kysely, playerInvariants)).toMatchObject({ name: /rated once/ });
  expect((await rebuild()).corrected).toBeGreaterThan(3);
  expect(await dump()).toEqual(before);
  await sql`truncate ratings, rating_changes`.execute(database.kysely);
  await rebuild();
  expect(await dump()).toEqual(before);
});

test("games that end during a rebuild are rated once, and by it as well", async () => {
  const pairs = [];
  for (let i = 0; i < 6; i += 1) pairs.push(await begin(await addPlayer(database, at), await addPlayer(database, at)));
  for (const game of pairs) await playOpening(at, game);
  await Promise.all([rebuild(), ...pairs.map((game) => resignGame(at, game)), rebuild()]);
  expect(await findBroken(database)).toBeNull();
  expect(await rebuild()).toMatchObject({ corrected: 0 });
});
