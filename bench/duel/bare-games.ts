/**
 * The floor of the lifecycle: the same rows in one prepared statement per step, without any checks.
 * Arguments: connection string, ms. A separate process, on PostgreSQL's core.
 */
import { randomUUID } from "node:crypto";
import process from "node:process";
import pg from "pg";

/** As many simultaneous games as the seekers can play. */
const GAMES_AT_ONCE = 32;
const CONNECTIONS = 16;
const WARM_UP_MS = 2_000;
const BUY_IN = 17_184_000;
const OPENING = 1_000_000_000_000;
const HASH = "0".repeat(64);
const BOARD = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/** As long as the arena's, on average. */
const ENTRY = JSON.stringify({ version: 1, at: Date.now(), by: 1, events: [{ type: "moved", path: [53, 45] }] }).padEnd(
  240,
);

const TABLES = ["games", "game_log", "seats", "game_commands", "player_outcomes"];
const LEDGER = ["ledger_accounts", "ledger_entries", "ledger_postings"];
const SCHEMA = [...TABLES, ...LEDGER]
  .map((name) => `create table if not exists bare_${name} (like ${name} including indexes including identity)`)
  .join(";");

/** A stake of a seat, as common table expressions: $1 game, $2 player, $3 instant in ms. */
const stake = (seat: number): string => `
  wallet as (update bare_ledger_accounts set balance = balance - ${BUY_IN}, sequence = sequence + 1
    where kind = 'wallet' and owner = $2 and balance >= ${BUY_IN} returning id, balance),
  escrow as (insert into bare_ledger_accounts as kept (kind, owner, balance, sequence, opened_at)
    values ('escrow', $1::text, ${BUY_IN}, 1, now())
    on conflict (kind, owner) do update set balance = kept.balance + excluded.balance, sequence = kept.sequence + 1
    returning id, balance),
  entry as (insert into bare_ledger_entries (kind, source, at, details, content_hash)
    values ('stake', $1::text || ':${seat}', now(), '{"gameId":"' || $1::text || '","seat":${seat}}', '${HASH}') returning id),
  postings as (insert into bare_ledger_postings
    select entry.id, wallet.id, -${BUY_IN}, wallet.balance from entry, wallet
    union all select entry.id, escrow.id, ${BUY_IN}, escrow.balance from entry, escrow),
  seated as (insert into bare_seats (player_id, game_id, seat) values ($2, $1::text::uuid, ${seat})),
  commanded as (insert into bare_game_commands (player_id, command_id, content, game_id, at)
    values ($2, $4, 'create chess 1 300000', $1::text::uuid, $3::bigint))`;

const logged = (version: string): string => `
  logged as (insert into bare_game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures,
      player2_captures, player1_remaining_ms, player2_remaining_ms)
    values ($1::text::uuid, ${version}, 6, '${ENTRY}', $3::bigint, '${HASH}', '${BOARD}', greatest(0, ${version} - 2), 0, 0,
      300000, 300000) returning game_id)`;

const STATEMENTS = {
  create: `with ${logged("1")}, ${stake(1)}
    insert into bare_games (id, game_type, status, player1_id, stake_amount, fee_bps, platform_fee, time_limit, deadline_at,
      created_at)
    values ($1::text::uuid, 'chess', 'waiting', $2, 1, 740, 2368000, 300, $3::bigint + 1800000, $3::bigint)`,
  join: `with ${logged("2")}, ${stake(2)}
    update bare_games set status = 'active', player2_id = $2, pairing = 'matchmaking', started_at = $3::bigint,
      deadline_at = null where id = $1::text::uuid and status = 'waiting'`,
  move: `with ${logged("$2::int")} select game_id from logged`,
  settle: `with ${logged("6")},
    escrow as (update bare_ledger_accounts set balance = balance - 2 * ${BUY_IN}, sequence = sequence + 1
      where kind = 'escrow' and owner = $1::text returning id, balance),
    wallet as (update bare_ledger_accounts set balance = balance + 2 * 16000000, sequence = sequence + 1
      where kind = 'wallet' and owner = $2 returning id, balance),
    revenue as (select id from bare_ledger_accounts where kind = 'revenue' and owner = ''),
    entry as (insert into bare_ledger_entries (kind, source, settled_game, at, details, content_hash)
      values ('win', $1::text, $1::text, now(), '{"finalHash":"${HASH}","gameId":"' || $1::text || '"}', '${HASH}') returning id),
    postings as (insert into bare_ledger_postings
      select entry.id, escrow.id, -2 * ${BUY_IN}, escrow.balance from entry, escrow
      union all select entry.id, wallet.id, 2 * 16000000, wallet.balance from entry, wallet
      union all select entry.id, revenue.id, 2368000, null from entry, revenue),
    freed as (delete from bare_seats where game_id = $1::text::uuid),
    counted as (insert into bare_player_outcomes as kept (player_id, game_type, pool, wins, losses, draws)
      values ($2, 'chess', 'staked', 1, 0, 0), ($4, 'chess', 'staked', 0, 1, 0)
      on conflict (player_id, game_type, pool) do update set wins = kept.wins + excluded.wins, losses = kept.losses + excluded.losses)
    update bare_games set status = 'completed', winner_id = $2, end_reason = 'checkmate', completed_at = $3::bigint
      where id = $1::text::uuid and status = 'active'`,
} as const;

const [connectionString, measuredMs] = process.argv.slice(2) as [string, string];
const pool = new pg.Pool({ connectionString, max: CONNECTIONS, options: "-c synchronous_commit=on" });
const players = Array.from({ length: 2 * GAMES_AT_ONCE }, (_, index) => `bare-player-${index}`);

async function run(name: keyof typeof STATEMENTS, ...values: readonly unknown[]): Promise<void> {
  const { rowCount } = await pool.query({ name, text: STATEMENTS[name], values: [...values] });
  if (rowCount !== 1) throw new Error(`the floor's ${name} wrote ${rowCount} games`);
}

async function playGame(first: string, second: string): Promise<void> {
  const id = randomUUID();
  await run("create", id, first, Date.now(), randomUUID());
  await run("join", id, second, Date.now(), randomUUID());
  for (let version = 3; version <= 5; version += 1) await run("move", id, version, Date.now());
  await run("settle", id, second, Date.now(), first);
}

async function play(forMs: number): Promise<number> {
  const startedMs = performance.now();
  let games = 0;
  await Promise.all(
    Array.from({ length: GAMES_AT_ONCE }, async (_, lane) => {
      const pair = [players[2 * lane]!, players[2 * lane + 1]!] as const;
      for (; performance.now() - startedMs < forMs; games += 1) {
        await (games % 2 === 0 ? playGame(pair[0], pair[1]) : playGame(pair[1], pair[0]));
      }
    }),
  );
  return games;
}

await pool.query(SCHEMA);
await pool.query(
  `insert into bare_ledger_accounts (kind, owner, balance, sequence, opened_at)
   select 'wallet', unnest($1::text[]), $2::bigint, 0, now() union all select 'revenue', '', null, 0, now()
   on conflict do nothing`,
  [players, OPENING],
);
await play(WARM_UP_MS);
process.send?.("warm");
process.send?.(await play(Number(measuredMs)));
await pool.end();
process.disconnect?.();
