import { randomUUID } from "node:crypto";
import { chess } from "@holo/chess/chess.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, toInstant } from "@holo/kernel/instant.ts";
import type { BySeat } from "@holo/rules/by-seat.ts";
import { decideCreate } from "@holo/table/decide.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import { LOG_FORMAT, type LogRecord } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS } from "@holo/table/platform-fee.ts";
import type { TableState } from "@holo/table/state.ts";
import pg from "pg";
import { type LogProjection, toLogProjection } from "../../apps/server/src/game/log/game-projection.ts";
import { encodeRecord, toFirstHash } from "../../apps/server/src/game/log/log-record.ts";
import type { RandomGame } from "../rules/random-games.ts";

const LIMIT_MS = 600_000;
const GAMES_AT_ONCE = 250;

interface SeatedGame {
  readonly state: TableState<unknown>;
  readonly rows: readonly SeatedRow[];
}

interface SeatedRow extends LogProjection {
  readonly game_id: GameId;
  readonly version: number;
  readonly record: string;
  readonly hash: string;
}

/**
 * Inserts running games of chess with the given moves played: rows, logs and seats, but no stakes.
 * Returns their ids, in the order of the players.
 */
export async function insertGames(
  connectionString: string,
  playerIds: readonly PlayerId[],
  moves: RandomGame,
  clockMs = LIMIT_MS,
): Promise<readonly GameId[]> {
  const at = toInstant(Date.now());
  const client = new pg.Client({ connectionString });
  await client.connect();
  const ids: GameId[] = [];
  for (let from = 0; from < playerIds.length; from += 2 * GAMES_AT_ONCE) {
    const games: SeatedGame[] = [];
    for (let i = from; i < Math.min(from + 2 * GAMES_AT_ONCE, playerIds.length); i += 2) {
      games.push(seat(randomUUID() as GameId, [playerIds[i]!, playerIds[i + 1]!], moves, at, clockMs));
    }
    await insert(client, games, at);
    ids.push(...games.map(({ state }) => state.gameId));
  }
  await client.end();
  return ids;
}

function seat(
  gameId: GameId,
  [white, black]: BySeat<PlayerId>,
  moves: RandomGame,
  at: Instant,
  clockMs: number,
): SeatedGame {
  const newId = (): CommandId => randomUUID() as CommandId;
  const remainingMs = [clockMs, clockMs] as const;
  const records: LogRecord[] = [
    decideCreate("chess", 1, LIMIT_MS, DEFAULT_FEE_BPS, white, at, newId()),
    { version: 2, at, by: 2, events: [{ type: "joined", player: black, pairing: "matchmaking" }], commandId: newId() },
    ...moves.map(
      ({ path, promotion }, ply): LogRecord => ({
        version: ply + 3,
        at,
        by: ply % 2 === 0 ? 1 : 2,
        events: [{ type: "moved", path, ...(promotion === undefined ? {} : { promotion }), chargedMs: 0, remainingMs }],
        commandId: newId(),
      }),
    ),
  ];
  let state = openTable(chess, gameId, records[0]!);
  let hash = toFirstHash(gameId);
  const rows = records.map((record, index): SeatedRow => {
    if (index > 0) state = evolve(chess, state, record);
    const { version, text, hash: own } = encodeRecord(record, hash);
    hash = own;
    return { game_id: gameId, version, record: text, hash, ...toLogProjection(state as TableState<unknown>) };
  });
  return { state: state as TableState<unknown>, rows };
}

async function insert(client: pg.Client, games: readonly SeatedGame[], at: Instant): Promise<void> {
  await client.query(
    `insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, created_at,
       started_at)
     select id, 'chess', 'active', player1, player2, 1, $4, 0, $5, $6, $6 from unnest($1::uuid[], $2::text[], $3::text[]) as t (id, player1, player2)`,
    [
      games.map(({ state }) => state.gameId),
      games.map(({ state }) => state.players[0]),
      games.map(({ state }) => state.players[1]),
      DEFAULT_FEE_BPS,
      LIMIT_MS / 1_000,
      at,
    ],
  );
  const logged = games.flatMap(({ rows }) => rows.map((row) => ({ ...row, format: LOG_FORMAT })));
  await client.query("insert into game_log select * from json_populate_recordset(null::game_log, $1::json)", [
    JSON.stringify(logged),
  ]);
  await client.query(
    `insert into seats (player_id, game_id, seat)
     select player, id, seat from unnest($1::text[], $2::uuid[], $3::int[]) as t (player, id, seat)`,
    [
      games.flatMap(({ state }) => state.players),
      games.flatMap(({ state }) => [state.gameId, state.gameId]),
      games.flatMap(() => [1, 2]),
    ],
  );
}
