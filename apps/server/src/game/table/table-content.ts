import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { Queries } from "../../platform/database/database.ts";
import { slices } from "../../platform/time/slices.ts";
import { type FoldedGame, foldInSteps } from "../log/fold.ts";
import { loadLog, loadLogs } from "../log/game-store.ts";

export type LoadPlayers = (ids: readonly PlayerId[]) => Promise<ReadonlyMap<PlayerId, PlayerView>>;

export interface TableContent extends FoldedGame {
  readonly players: BySeat<PlayerView, PlayerView | null>;
}

/** Null without such a game. */
export async function loadTableContent(
  queries: Queries,
  loadPlayers: LoadPlayers,
  gameId: GameId,
): Promise<TableContent | null> {
  const rows = await loadLog(queries, gameId, 0);
  if (rows.length === 0) return null;
  return await withPlayers(loadPlayers, await slices.run(foldInSteps(gameId, rows)));
}

/**
 * The tables of several games by two queries; omits games that do not exist. A broken log fails its
 * own table alone.
 */
export async function loadTableContents(
  queries: Queries,
  loadPlayers: LoadPlayers,
  gameIds: readonly GameId[],
): Promise<ReadonlyMap<GameId, TableContent | BrokenInvariant>> {
  const logs = [...(await loadLogs(queries, gameIds))];
  const folded = await Promise.all(
    logs.map(([gameId, rows]) => slices.run(foldInSteps(gameId, rows)).catch(toBrokenInvariant)),
  );
  const games = folded.filter((game): game is FoldedGame => !(game instanceof BrokenInvariant));
  const players = await loadPlayers(
    [...new Set(games.flatMap(({ state }) => state.players))].filter((id) => id !== null),
  );
  return new Map(
    logs.map(([gameId], index) => {
      const game = folded[index]!;
      return [gameId, game instanceof BrokenInvariant ? game : nameSeats(players, game)];
    }),
  );
}

function toBrokenInvariant(error: unknown): BrokenInvariant {
  if (error instanceof BrokenInvariant) return error;
  throw error;
}

async function withPlayers(loadPlayers: LoadPlayers, folded: FoldedGame): Promise<TableContent> {
  const [first, second] = folded.state.players;
  const players = await loadPlayers(second === null ? [first] : [first, second]);
  return nameSeats(players, folded);
}

function nameSeats(players: Awaited<ReturnType<LoadPlayers>>, folded: FoldedGame): TableContent {
  const [first, second] = folded.state.players;
  return {
    ...folded,
    players: [
      players.get(first) ?? { id: first, username: "Player 1" },
      second === null ? null : (players.get(second) ?? { id: second, username: "Player 2" }),
    ],
  };
}
