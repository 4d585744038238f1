import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { GameType } from "@holo/rules/rules.ts";
import { NEW_PLAYER, toPool } from "@holo/table/rating.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { sql } from "kysely";
import type { Queries } from "../platform/database/database.ts";
import type { Seek } from "./rating-band.ts";
import type { WaitingGames } from "./waiting-games.ts";

const KEPT_MAX = 5_000;

/**
 * What the creators of waiting games look for. Read when it is needed: a rating does not change
 * while its player waits.
 */
export class Seeks {
  readonly #queries: Queries;
  readonly #byGame = new Map<GameId, Seek>();

  constructor(queries: Queries, waitingGames: WaitingGames) {
    this.#queries = queries;
    waitingGames.onChange(({ id, status }) => {
      if (status !== "pending") this.#byGame.delete(id);
    });
  }

  find(gameId: GameId): Seek | undefined {
    return this.#byGame.get(gameId);
  }

  async learn(gameIds: readonly GameId[]): Promise<void> {
    const unknown = gameIds.filter((id) => !this.#byGame.has(id));
    if (unknown.length === 0) return;
    const { rows } = await sql<Seek & { readonly id: GameId }>`
      select game.id, coalesce(own.rating, ${NEW_PLAYER.rating}) as rating, game.near_rating as "nearRating"
      from games game left join ratings own on own.player_id = game.player1_id and own.game_type = game.game_type
        and own.pool = case when game.stake_amount > 0 then 'staked' else 'free' end
      where game.id = any(${[...unknown]}::uuid[])`.execute(this.#queries);
    for (const { id, ...seek } of rows) this.#byGame.set(id, seek);
    for (const id of this.#byGame.keys()) {
      if (this.#byGame.size <= KEPT_MAX) return;
      this.#byGame.delete(id);
    }
  }

  async loadRating(playerId: PlayerId, game: GameType, stake: Stake): Promise<number> {
    const { rows } = await sql<{ readonly rating: number }>`
      select rating from ratings
      where player_id = ${playerId} and game_type = ${game} and pool = ${toPool(stake)}`.execute(this.#queries);
    return rows[0]?.rating ?? NEW_PLAYER.rating;
  }
}
