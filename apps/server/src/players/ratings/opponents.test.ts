import type { GameId } from "@holo/kernel/ids.ts";
import { DAY_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openPlayForAll } from "../../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame } from "../../game/testing/test-game.ts";
import { addPlayer, gameOf, newId, type TestPlay } from "../../game/testing/test-play.ts";
import type { Database } from "../../platform/database/database.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

/** White loses. */
async function lose(white: PlayerView, black: PlayerView): Promise<GameId> {
  at.time.advance(SECOND_MS);
  const gameId = gameOf(await createGame(at, white));
  gameOf(await at.matches.join(black, gameId, newId()));
  await playOpening(at, { white, black, gameId });
  await resignGame(at, { white, black, gameId });
  return gameId;
}

const add = () => addPlayer(database, at, 9_000);
const ask = (playerIds: readonly PlayerView[], viewer: PlayerView | null) =>
  at.players.loadOpponents({
    playerIds: playerIds.map(({ id }) => id),
    game: "checkers",
    pool: "staked",
    viewer: viewer?.id ?? null,
  });

async function setRating(player: PlayerView, rating: number, games: number): Promise<void> {
  await sql`
    insert into ratings values (${player.id}, 'chess', 'staked', ${rating}, 60, 0.06, ${games}, ${at.time.now()})`.execute(
    database.kysely,
  );
}

/** The names of tests are ids: the profiles that name them in the database. */
async function addProfile({ id }: PlayerView): Promise<void> {
  await sql`insert into players (id, email, updated_at) values (${id}, ${`${id}@example.com`}, now())`.execute(
    database.kysely,
  );
  await sql`insert into profiles (id, username, created_at, updated_at)
    values (${id}, ${id.slice(0, 20)}, now(), now())`.execute(database.kysely);
}

// [RATE-05 §- r43] Before a stake a player sees what an opponent is like at this game: the rating with its uncertainty,
// games won, lost and drawn, the last five results, and the score between the two.
test("shows rating, record, form and the score between the two [RATE-05]", async () => {
  const [ada, bola, chidi] = [await add(), await add(), await add()];
  for (const player of [ada, bola, chidi]) await addProfile(player);
  expect(await ask([chidi], ada)).toEqual([
    { id: chidi.id, rating: null, record: { wins: 0, losses: 0, draws: 0 }, form: [], score: null },
  ]);
  for (let i = 0; i < 4; i += 1) await lose(ada, bola);
  await lose(bola, ada);
  await lose(chidi, bola);
  await lose(bola, chidi);
  const [seen] = await ask([bola], ada);
  expect(seen).toMatchObject({
    record: { wins: 5, losses: 2, draws: 0 },
    form: ["won", "won", "lost", "won", "lost"],
    score: { wins: 1, losses: 4, draws: 0 },
  });
  expect(seen?.rating?.rating).toBeGreaterThan(1500);
  const deviation = seen?.rating?.deviation ?? 0;
  at.time.advance(200 * DAY_MS);
  expect((await ask([bola], null))[0]).toMatchObject({ score: null });
  expect((await ask([bola], null))[0]?.rating?.deviation).toBeGreaterThan(deviation);
});

// [RATE-06 §-] A player's page shows for each game how the rating went, the best win, the streak and the score against
// the viewer.
test("tells how the rating went, the best win and the streak [RATE-06]", async () => {
  const [ada, bola, chidi] = [await add(), await add(), await add()];
  // Until bola is known well enough.
  for (let i = 0; i < 20; i += 1) await lose(...(i % 4 !== 0 ? ([chidi, bola] as const) : ([bola, chidi] as const)));
  const best = await lose(bola, ada);
  await lose(chidi, ada);
  const { rated, score } = await at.players.loadPlayerStats(ada.id, bola.id);
  expect(score).toEqual({ wins: 0, losses: 1, draws: 0 });
  expect(rated).toHaveLength(1);
  expect(rated[0]).toMatchObject({
    game: "checkers",
    pool: "staked",
    form: ["won", "won"],
    streak: { result: "won", games: 2 },
    bestWin: { gameId: best, player: { id: bola.id } },
  });
  expect(rated[0]!.points.map(({ rating }) => rating)).toEqual([expect.any(Number), rated[0]!.rating!.rating]);
  const ofBola = (await at.players.loadPlayerStats(bola.id, null)).rated[0]!;
  expect(ofBola).toMatchObject({ streak: { result: "lost", games: 1 }, points: { length: 21 } });
});

// [LEAD-04 §-] Below the Top 3 Players stand ratings and wins of the last seven days, each with the viewer's own place
// and what is missing to the next one. A place takes ten rated games.
test("ranks ratings and the week's wins, and names the distance to the next place [LEAD-04]", async () => {
  const [ada, bola, chidi, dayo] = [await add(), await add(), await add(), await add()];
  await setRating(ada, 1700, 40);
  await setRating(bola, 1652.4, 10);
  await setRating(chidi, 1900, 9);
  const { ratings } = await at.players.loadLadders("chess", bola.id);
  expect(ratings).toEqual({
    places: [
      { rank: 1, player: ada, figure: 1700 },
      { rank: 2, player: bola, figure: 1652 },
    ],
    own: { rank: 2, figure: 1652, games: 10, toNext: 48 },
  });
  const ownOf = async (player: PlayerView) => (await at.players.loadLadders("chess", player.id)).ratings.own;
  expect(await ownOf(ada)).toEqual({ rank: 1, figure: 1700, games: 40, toNext: null });
  expect(await ownOf(chidi)).toEqual({ rank: null, figure: 1900, games: 9, toNext: null });
  expect(await ownOf(dayo)).toBeNull();

  const [efe, femi] = [await add(), await add()];
  for (let i = 0; i < 12; i += 1)
    await lose(...((i % 4 === 0 ? [efe, femi] : [femi, efe]) as [PlayerView, PlayerView]));
  const { wins } = await at.players.loadLadders("checkers", femi.id);
  expect(wins.places.filter(({ player }) => [efe.id, femi.id].includes(player.id)).map(({ figure }) => figure)).toEqual(
    [9, 3],
  );
  expect(wins.own).toMatchObject({ figure: 3, games: 12 });
  at.time.advance(8 * DAY_MS);
  expect((await at.players.loadLadders("checkers", femi.id)).wins).toEqual({ places: [], own: null });
});
