import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { createGame, playOpening, resignGame } from "../../game/testing/test-game.ts";
import { gameOf, newId, type TestPlay } from "../../game/testing/test-play.ts";
import type { TestPerson } from "./test-http.ts";

export { addEndedGames } from "../../game/testing/ended-games.ts";
export { lengthenLog } from "../../game/testing/stored-logs.ts";
export { playOpening, resignGame } from "../../game/testing/test-game.ts";
export { codeOf, findBroken, gameOf, idOf, newId, waitUntilIdle } from "../../game/testing/test-play.ts";

type TestGameType = "checkers" | "chess";

export interface Pair {
  readonly white: TestPerson;
  readonly black: TestPerson;
}

export interface PlayedGame extends Pair {
  readonly gameId: GameId;
}

/** What the arena may know, and shows to everyone. */
export function toPlayerView({ id, username }: TestPerson): PlayerView {
  return { id, username };
}

export async function openGame(at: TestPlay, white: TestPerson, game: TestGameType = "checkers"): Promise<GameId> {
  return gameOf(await createGame(at, toPlayerView(white), game));
}

export async function cancelGame(at: TestPlay, player: TestPerson, gameId: GameId): Promise<void> {
  gameOf(await at.games.cancel(player.id as PlayerId, gameId, newId()));
}

export async function beginGame(at: TestPlay, pair: Pair, game: TestGameType = "checkers"): Promise<PlayedGame> {
  const gameId = await openGame(at, pair.white, game);
  gameOf(await at.matches.join(toPlayerView(pair.black), gameId, newId()));
  return { ...pair, gameId };
}

export async function playGame(at: TestPlay, pair: Pair): Promise<PlayedGame> {
  const game = await beginGame(at, pair);
  await playOpening(at, game);
  await resignGame(at, game);
  return game;
}
