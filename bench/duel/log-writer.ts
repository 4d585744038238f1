import pg from "pg";

interface LogRow {
  readonly gameId: string;
  readonly version: number;
  readonly record: string;
  readonly at: number;
  readonly board: string;
}

/** Group commit that waits as the arena's own does: one row a move, without a fence or hashes. */
interface LogWriter {
  /** Calls `written` after the commit. */
  add(row: LogRow, written: () => void): void;
}

const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
const ROWS_MAX = 256;
const HASH = "0".repeat(64);
const REMAINING_MS = 600_000;

const STATEMENT = `
  insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures, player2_captures,
    player1_remaining_ms, player2_remaining_ms)
  select game_id, version, 1, record, at, '${HASH}', board, move_count, 0, 0, ${REMAINING_MS}, ${REMAINING_MS}
  from unnest($1::uuid[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::int[])
    as t (game_id, version, record, at, board, move_count)
  on conflict do nothing`;

export async function openLogWriter(connectionString: string): Promise<LogWriter> {
  const client = new pg.Client({ connectionString, options: "-c synchronous_commit=on" });
  await client.connect();
  let waiting: { readonly row: LogRow; readonly written: () => void }[] = [];
  let isBusy = false;
  let startedMs = 0;
  let windowFromMs = 0;
  let windowRows = 0;
  let ratePerS = 0;

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
    add(row, written) {
      waiting.push({ row, written });
      if (!isBusy) schedule();
    },
  };
}

function toValues(rows: readonly LogRow[]): unknown[] {
  return [
    rows.map((row) => row.gameId),
    rows.map((row) => row.version),
    rows.map((row) => row.record),
    rows.map((row) => row.at),
    rows.map((row) => row.board),
    rows.map((row) => row.version - 2),
  ];
}
