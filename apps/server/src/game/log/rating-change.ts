import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import {
  NEW_PLAYER,
  type PlayerRating,
  type RatedResult,
  type RatingPool,
  rateGame,
  toDeviationAt,
  toPool,
} from "@holo/table/rating.ts";
import type { TableState } from "@holo/table/state.ts";
import type { Finding } from "./finding.ts";

/** A game that counts for ratings (ruling 43): one with a result. Cancelled games have none. */
export interface RatedGame {
  readonly gameId: GameId;
  readonly game: GameType;
  readonly pool: RatingPool;
  readonly players: BySeat<PlayerId>;
  /** Null: a draw. */
  readonly winner: Seat | null;
  readonly at: Instant;
}

/** A row of `rating_changes`, with the columns of `ratings` among its own. */
export interface RatingChange {
  readonly game_id: GameId;
  readonly player_id: PlayerId;
  readonly game_type: GameType;
  readonly pool: RatingPool;
  readonly games: number;
  readonly score: RatedResult["score"];
  readonly opponent_id: PlayerId;
  readonly opponent_rating: number;
  readonly opponent_deviation: number;
  readonly rating: number;
  readonly deviation: number;
  readonly volatility: number;
  readonly rated_at: Instant;
}

/** Null for a game that does not count. */
export function toRatedGame({ gameId, game, stake, players, result, endedAt }: TableState<unknown>): RatedGame | null {
  if (result === null) return null;
  const [white, black] = players;
  assert(black !== null && endedAt !== null, "a game with a result was played");
  return { gameId, game, pool: toPool(stake), players: [white, black], winner: result.winner, at: endedAt };
}

/** What a game does to both ratings. `before`: null for a player without a rated game. */
export function toRatingChanges(
  { gameId, game, pool, players, winner, at }: RatedGame,
  before: BySeat<PlayerRating | null>,
): BySeat<RatingChange> {
  const [white, black] = before.map((rating) => rating ?? NEW_PLAYER) as [PlayerRating, PlayerRating];
  const score = winner === null ? 0.5 : winner === 1 ? 1 : 0;
  const [first, second] = rateGame([white, black], score, at);
  const toChange = (seat: 0 | 1, after: PlayerRating, opponent: PlayerRating): RatingChange => ({
    game_id: gameId,
    player_id: players[seat],
    game_type: game,
    pool,
    games: after.games,
    score: (seat === 0 ? score : 1 - score) as RatedResult["score"],
    opponent_id: players[seat === 0 ? 1 : 0],
    opponent_rating: opponent.rating,
    opponent_deviation: toDeviationAt(opponent, at),
    rating: after.rating,
    deviation: after.deviation,
    volatility: after.volatility,
    rated_at: after.ratedAt ?? at,
  });
  return [toChange(0, first, black), toChange(1, second, white)];
}

export function findRatings(findings: readonly Finding[], { players }: RatedGame): BySeat<PlayerRating | null> {
  const find = (playerId: PlayerId): PlayerRating | null => {
    const found = findings.find((finding) => finding.type === "rating" && finding.player === playerId);
    return found?.type === "rating" ? found : null;
  };
  return [find(players[0]), find(players[1])];
}
