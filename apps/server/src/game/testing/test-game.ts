import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { DEFAULT_FEE_BPS, toGameFeeBps } from "@holo/table/platform-fee.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { expect } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import type { Answer } from "../game.ts";
import { addPlayer, gameOf, move, newId, type TestPlay } from "./test-play.ts";

export interface TestGame {
  readonly white: PlayerView;
  readonly black: PlayerView;
  readonly gameId: GameId;
}

export async function createGame(
  at: TestPlay,
  player: PlayerView,
  game: "checkers" | "chess" = "checkers",
  stake: Stake = 5,
): Promise<Answer> {
  const feeBps = toGameFeeBps(stake, DEFAULT_FEE_BPS);
  return await at.matches.create({ player, commandId: newId(), game, stake, limitMinutes: 5, feeBps });
}

export async function startGame(
  database: Database,
  at: TestPlay,
  game: "checkers" | "chess" = "checkers",
): Promise<TestGame> {
  const white = await addPlayer(database, at);
  const black = await addPlayer(database, at);
  const gameId = gameOf(await createGame(at, white, game));
  const joined = await at.matches.join(black, gameId, newId());
  expect(joined).toMatchObject({ type: "done", gameId, status: "active" });
  return { white, black, gameId };
}

export const [C3, D4, D6, C5, B2, F6, G5] = [42, 35, 19, 26, 49, 21, 30];

/** Two moves of each player, a second each; then the board is at version 6. */
export async function playOpening(at: TestPlay, { white, black, gameId }: TestGame, lagMs = 0): Promise<void> {
  const paths = [
    [C3, D4],
    [D6, C5],
    [B2, C3],
    [F6, G5],
  ] as readonly number[][];
  for (const [ply, path] of paths.entries()) {
    at.time.advance(1_000);
    const moved = await move(at, ply % 2 === 0 ? white : black, gameId, ply + 2, path, newId(), lagMs);
    expect(moved).toMatchObject({ type: "done" });
  }
}

export async function resignGame(at: TestPlay, game: TestGame): Promise<void> {
  const resigned = await at.games.resign(game.white.id, game.gameId, newId());
  expect(resigned).toMatchObject({ type: "done", status: "ended" });
}
