import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Database } from "../../platform/database/database.ts";

export interface EndedGame {
  readonly white: PlayerId;
  readonly black: PlayerId;
  readonly winner: PlayerId | null;
  readonly at: Instant;
  readonly game?: GameType;
  readonly status?: "completed" | "timeout" | "cancelled";
}

function toStart(game: GameType): string {
  const rules = rulesOf(game);
  return rules.formatPosition(rules.start());
}

export async function addEndedGames({ pool }: Pick<Database, "pool">, games: readonly EndedGame[]): Promise<void> {
  const column = <Value>(of: (game: EndedGame) => Value) => games.map(of);
  await pool.query(
    `insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, board_state,
       current_turn, move_count, player1_remaining_ms, player2_remaining_ms, winner_id, version, created_at, updated_at, started_at,
       completed_at)
     select id, game_type, status, white, black, 1, 740, 1776000, 300, board, 5, 4, 1, 1, winner, 6, at - 1000, at, at - 900, at
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])
       as t (id, game_type, status, white, black, winner, at, board)`,
    [
      games.map(() => randomUUID()),
      column(({ game }) => game ?? "checkers"),
      column(({ status }) => status ?? "completed"),
      column(({ white }) => white),
      column(({ black }) => black),
      column(({ winner }) => winner),
      column(({ at }) => at),
      column(({ game }) => toStart(game ?? "checkers")),
    ],
  );
}
