import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { expect, test } from "vitest";
import { openPlayForAll } from "../game/testing/play-hooks.ts";
import { createGame, playOpening, resignGame } from "../game/testing/test-game.ts";
import { addPlayer, gameOf, newId, type TestPlay } from "../game/testing/test-play.ts";
import type { Database } from "../platform/database/database.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

async function begin(white: PlayerView, black: PlayerView, game: "checkers" | "chess" = "checkers") {
  const gameId = gameOf(await createGame(at, white, game));
  gameOf(await at.matches.join(black, gameId, newId()));
  return { white, black, gameId };
}

const cancel = (player: PlayerView, gameId: GameId) => at.games.cancel(player.id, gameId, newId());
const loadRecord = (player: PlayerView, viewer: PlayerView | null = null) =>
  at.players.loadPlayerStats(player.id, viewer?.id ?? null);
const NONE = { wins: 0, losses: 0, draws: 0 };

test("counts completed games by game type, and the player's own aborts", async () => {
  const [ada, bola] = [await addPlayer(database, at, 2_000), await addPlayer(database, at, 2_000)];
  const nothing = { games: { checkers: NONE, chess: NONE }, rated: [], score: null, aborts: 0, recent: [] };
  expect(await loadRecord(ada)).toEqual(nothing);

  const resigned = await begin(ada, bola);
  await playOpening(at, resigned);
  await resignGame(at, resigned);
  const timedOut = await begin(bola, ada);
  await playOpening(at, timedOut);
  await at.advance(301 * SECOND_MS);
  const drawn = await begin(ada, bola);
  await playOpening(at, drawn);
  await at.games.offer("offer_draw", ada.id, drawn.gameId, newId());
  gameOf(await at.games.offer("offer_draw", bola.id, drawn.gameId, newId()));

  // Three games without a result: one cancelled while waiting, one cancelled by ada, one
  // without her first move.
  await cancel(ada, gameOf(await createGame(at, ada)));
  await cancel(ada, (await begin(ada, bola, "chess")).gameId);
  await begin(ada, bola, "chess");
  await at.advance(61 * SECOND_MS);

  const record = await loadRecord(ada);
  expect(record).toMatchObject({ games: { checkers: { wins: 1, losses: 1, draws: 1 }, chess: NONE }, aborts: 2 });
  expect(record.recent.map(({ id, winner, status }) => ({ id, winner, status }))).toEqual([
    { id: drawn.gameId, winner: null, status: "completed" },
    { id: timedOut.gameId, winner: 2, status: "completed" },
    { id: resigned.gameId, winner: 2, status: "completed" },
  ]);
  const other = await loadRecord(bola);
  expect(other).toMatchObject({ games: { checkers: { wins: 1, losses: 1, draws: 1 } }, aborts: 0 });
  expect(other.recent).toEqual(record.recent);
});

test("lists the newest ten games of both sides", async () => {
  const [ada, bola] = [await addPlayer(database, at, 5_000), await addPlayer(database, at, 5_000)];
  const played: GameId[] = [];
  for (let i = 0; i < 12; i += 1) {
    at.time.advance(1_000);
    const game = i % 3 === 0 ? await begin(bola, ada) : await begin(ada, bola);
    await playOpening(at, game);
    await resignGame(at, game);
    played.unshift(game.gameId);
  }
  const { recent, games } = await loadRecord(ada);
  expect(recent.map(({ id }) => id)).toEqual(played.slice(0, 10));
  expect(games.checkers).toEqual({ wins: 4, losses: 8, draws: 0 });
});
