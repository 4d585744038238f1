import type { PlayerId } from "@holo/kernel/ids.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { PlayerRating, RatingPool } from "@holo/table/rating.ts";
import { type RatedGame, type RatingChange, toRatingChanges } from "../../game/game.ts";

/** Ratings that follow from games, given in the order in which they ended. */
export class RatingFold {
  readonly #ratings = new Map<string, PlayerRating>();

  rate(game: RatedGame): BySeat<RatingChange> {
    const [white, black] = game.players.map((playerId) => this.#ratings.get(toKey(game, playerId)) ?? null);
    const changes = toRatingChanges(game, [white ?? null, black ?? null]);
    for (const { player_id, rating, deviation, volatility, games, rated_at } of changes) {
      this.#ratings.set(toKey(game, player_id), { rating, deviation, volatility, games, ratedAt: rated_at });
    }
    return changes;
  }
}

function toKey({ game, pool }: { readonly game: GameType; readonly pool: RatingPool }, playerId: PlayerId): string {
  return `${game} ${pool} ${playerId}`;
}
