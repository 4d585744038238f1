import pg from "pg";

interface LogRow {
  readonly gameId: string;
  readonly version: number;
  readonly record: string;
  readonly at: number;
  readonly board: string;
}

/** Group commit with the statement and the waiting of the arena's own. */
interface LogWriter {
  insertGame(gameId: string, board: string, version: number): Promise<void>;
  /** Calls `written` after the commit. */
  add(row: LogRow, written: () => void): void;
  batchSizes(): { readonly commits: number; readonly rows: number };
}

const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
const ROWS_MAX = 256;
const HASH = "0".repeat(64);
const REMAINING_MS = 600_000;

const STATEMENT = `
  with input as (
    select * from unnest($1::uuid[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::int[], $8::int[], $9::int[],
      $10::int[], $11::int[], $12::bigint[])
      as t (game_id, version, record, at, hash, board, move_count, captures1, captures2, remaining1, remaining2, deadline_at)
  ), logged as (
    insert into game_log (game_id, version, format, record, at, hash)
    select game_id, version, 1, record, at, hash from input order by game_id
    on conflict do nothing returning game_id, version
  )
  update games set version = input.version, board_state = input.board, move_count = input.move_count,
    current_turn = input.move_count + 1, player1_captures = input.captures1, player2_captures = input.captures2,
    player1_remaining_ms = input.remaining1, player2_remaining_ms = input.remaining2, updated_at = input.at,
    deadline_at = input.deadline_at
  from input join logged using (game_id, version)
  where games.id = input.game_id`;

export async function openLogWriter(connectionString: string): Promise<LogWriter> {
  const client = new pg.Client({ connectionString, options: "-c synchronous_commit=on" });
  await client.connect();
  /** For creating games, which is not measured. */
  const pool = new pg.Pool({ connectionString, max: 4 });
  let waiting: { readonly row: LogRow; readonly written: () => void }[] = [];
  let isBusy = false;
  let startedMs = 0;
  let windowFromMs = 0;
  let windowRows = 0;
  let ratePerS = 0;
  let commits = 0;
  let rows = 0;

  function schedule(): void {
    isBusy = true;
    const lingerMs =
      ratePerS > LINGER_ABOVE_PER_S && waiting.length < ROWS_MAX ? startedMs + LINGER_MS - performance.now() : 0;
    if (lingerMs > 1) setTimeout(flush, lingerMs);
    else setImmediate(flush);
  }

  async function flush(): Promise<void> {
    const batch = waiting.slice(0, ROWS_MAX);
    waiting = waiting.slice(ROWS_MAX);
    startedMs = performance.now();
    commits += 1;
    rows += batch.length;
    countRate(batch.length);
    const values = toValues(batch.map(({ row }) => row));
    const { rowCount } = await client.query({ name: "commit_moves", text: STATEMENT, values });
    if (rowCount !== batch.length) throw new Error("a row was not written");
    for (const { written } of batch) written();
    isBusy = false;
    if (waiting.length > 0) schedule();
  }

  function countRate(count: number): void {
    windowRows += count;
    const elapsedMs = startedMs - windowFromMs;
    if (elapsedMs < 250) return;
    ratePerS = (windowRows * 1_000) / elapsedMs;
    windowFromMs = startedMs;
    windowRows = 0;
  }

  return {
    async insertGame(gameId, board, version) {
      await pool.query(
        `insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, board_state,
           current_turn, move_count, player1_remaining_ms, player2_remaining_ms, version, created_at, updated_at, started_at)
         values ($1, 'chess', 'active', 'floor-player-1', 'floor-player-2', 1, 740, 0, 600, $2, 1, 0, $4, $4, $3, 0, 0, 0)`,
        [gameId, board, version, REMAINING_MS],
      );
    },
    add(row, written) {
      waiting.push({ row, written });
      if (!isBusy) schedule();
    },
    batchSizes: () => ({ commits, rows }),
  };
}

function toValues(rows: readonly LogRow[]): unknown[] {
  const same = (value: unknown): unknown[] => rows.map(() => value);
  return [
    rows.map((row) => row.gameId),
    rows.map((row) => row.version),
    rows.map((row) => row.record),
    rows.map((row) => row.at),
    same(HASH),
    rows.map((row) => row.board),
    rows.map((row) => row.version - 2),
    same(0),
    same(0),
    same(REMAINING_MS),
    same(REMAINING_MS),
    same(null),
  ];
}
