import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { Database } from "../../platform/database/database.ts";

export interface EndedGame {
  readonly white: PlayerId;
  readonly black: PlayerId;
  readonly winner: PlayerId | null;
  readonly at: Instant;
  readonly game?: GameType;
  readonly status?: "completed" | "timeout" | "cancelled";
  /** Default: 1. */
  readonly stake?: Stake;
}

function toStart(game: GameType): string {
  const rules = rulesOf(game);
  return rules.formatPosition(rules.start());
}

/** Rows of games with their newest records only. */
export async function addEndedGames({ pool }: Pick<Database, "pool">, games: readonly EndedGame[]): Promise<void> {
  const column = <Value>(of: (game: EndedGame) => Value) => games.map(of);
  await pool.query(
    `with ended as (
       select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::int[])
         as t (id, game_type, status, white, black, winner, at, board, stake)
     ), logged as (
       insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures,
         player2_captures, player1_remaining_ms, player2_remaining_ms)
       select id, 6, 1, '{}', at, repeat('0', 64), board, 4, 0, 0, 1, 1 from ended)
     insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, winner_id,
       created_at, started_at, completed_at)
     select id, game_type, status, white, black, stake, (stake > 0)::int * 740, stake * 1776000, 300, winner, at - 1000, at - 900, at from ended`,
    [
      games.map(() => randomUUID()),
      column(({ game }) => game ?? "checkers"),
      column(({ status }) => status ?? "completed"),
      column(({ white }) => white),
      column(({ black }) => black),
      column(({ winner }) => winner),
      column(({ at }) => at),
      column(({ game }) => toStart(game ?? "checkers")),
      column(({ stake }) => stake ?? 1),
    ],
  );
}
