import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { LOG_FORMAT } from "@holo/table/log-record.ts";
import pg from "pg";
import { type Database, toClientConfig } from "../../platform/database/database.ts";
import type { Log } from "../../platform/log.ts";
import type { Metrics } from "../../platform/metrics/metrics.ts";

/** A move as it is stored: its log row and what it makes of the game's row. */
export interface MoveRow {
  readonly gameId: GameId;
  readonly version: number;
  readonly entry: string;
  readonly at: number;
  readonly hash: string;
  readonly board: string;
  readonly moveCount: number;
  readonly captures: readonly [number, number];
  readonly remainingMs: readonly [number, number];
  readonly deadlineAt: number | null;
}

export type RowOutcome =
  | { readonly type: "committed" }
  /** Another entry has this version: reload and decide again. */
  | { readonly type: "stale" }
  /** The database would not have this row, alone as well; that table stops. */
  | { readonly type: "fault"; readonly error: unknown };

/** Lane one: moves, many at a time. Each row is answered once, by itself, after it is on disk. */
export interface GroupCommit {
  /** One row of a game at a time: a second before the first is answered is a fault, since of the two only one can be told apart. */
  add(row: MoveRow, answer: (outcome: RowOutcome) => void): void;
  /** Waits until nothing is on its way, then closes the connection. */
  close(): Promise<void>;
}

/** Above this rate a commit waits a little for company: it spares PostgreSQL most of its work (docs/decisions/0003). */
const LINGER_ABOVE_PER_S = 300;
const LINGER_MS = 4;
const ROWS_MAX = 256;
const RECONNECT_MS = 100;
const RATE_WINDOW_MS = 250;

const COMMITTED: RowOutcome = { type: "committed" };
const STALE: RowOutcome = { type: "stale" };

const STATEMENT = `
  with input as (
    select * from unnest($1::uuid[], $2::int[], string_to_array($3, chr(10)), $4::bigint[], $5::text[],
      string_to_array($6, chr(10)), $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::bigint[])
      as t (game_id, version, entry, at, hash, board, move_count, captures1, captures2, remaining1, remaining2, deadline_at)
  ), logged as (
    insert into game_log (game_id, version, format, entry, at, hash)
    select game_id, version, ${LOG_FORMAT}, entry, at, hash from input order by game_id
    on conflict do nothing returning game_id, version
  )
  update games set version = input.version, board_state = input.board, move_count = input.move_count,
    current_turn = input.move_count + 1, player1_captures = input.captures1, player2_captures = input.captures2,
    player1_remaining_ms = input.remaining1, player2_remaining_ms = input.remaining2, updated_at = input.at,
    deadline_at = input.deadline_at
  from input join logged using (game_id, version)
  where games.id = input.game_id`;

interface Waiting {
  readonly row: MoveRow;
  readonly answer: (outcome: RowOutcome) => void;
}

export function openGroupCommit(
  { connectionString, responseTimeoutMs }: Pick<Database, "connectionString" | "responseTimeoutMs">,
  log: Log,
  metrics: Metrics,
): GroupCommit {
  const batchSize = metrics.histogram("holo_commit_rows", "Moves in one commit", [1, 2, 4, 8, 16, 32, 64, 128, 256]);
  let client: pg.Client | null = null;
  let waiting: Waiting[] = [];
  /** Whose row is on its way. */
  const games = new Set<GameId>();
  let isFlushing = false;
  let isScheduled = false;
  let isClosed = false;
  let startedMs = 0;
  let windowFromMs = 0;
  let windowRows = 0;
  let ratePerS = 0;
  let whenIdle: (() => void) | null = null;

  async function connect(): Promise<pg.Client> {
    if (client !== null) return client;
    // A network that swallows what is sent answers nothing at all: then the rows go over another connection.
    const opened = new pg.Client({ ...toClientConfig({ connectionString }), query_timeout: responseTimeoutMs });
    opened.on("error", (err) => {
      log.warn({ err }, "the connection of the moves was lost");
      if (client === opened) client = null;
    });
    await opened.connect();
    client = opened;
    return opened;
  }

  /** How many of the rows were written. */
  async function writeBatch(rows: readonly MoveRow[]): Promise<number> {
    const opened = await connect();
    const { rowCount } = await opened.query({ name: "commit_moves", text: STATEMENT, values: toValues(rows) });
    return rowCount ?? 0;
  }

  /** Games whose row stands as it was sent, by this attempt or an earlier one that did get through; others' keys were taken. */
  async function findCommitted(rows: readonly MoveRow[]): Promise<ReadonlySet<string>> {
    const opened = await connect();
    const { rows: found } = await opened.query<{ game_id: string }>(
      `select l.game_id from game_log l
       join unnest($1::uuid[], $2::int[], $3::text[]) as t (game_id, version, hash) using (game_id, version, hash)`,
      [rows.map((row) => row.gameId), rows.map((row) => row.version), rows.map((row) => row.hash)],
    );
    return new Set(found.map((row) => row.game_id));
  }

  async function commit(rows: readonly MoveRow[]): Promise<ReadonlyMap<string, RowOutcome>> {
    const isWhole = (await writeBatch(rows)) === rows.length;
    const own = isWhole ? null : await findCommitted(rows);
    return new Map(rows.map(({ gameId }) => [gameId, own === null || own.has(gameId) ? COMMITTED : STALE]));
  }

  /** Until the database has answered: a lost connection leaves the outcome unknown, and the identical rows are sent again. */
  async function commitWithRetry(rows: readonly MoveRow[]): Promise<ReadonlyMap<string, RowOutcome>> {
    for (;;) {
      try {
        return await commit(rows);
      } catch (error) {
        if (isRowFault(error)) return await commitOneByOne(rows, error);
        log.warn({ err: error, rows: rows.length }, "moves are sent to the database again");
        client?.end().catch(() => undefined);
        client = null;
        await new Promise((resolve) => setTimeout(resolve, RECONNECT_MS));
      }
    }
  }

  /** One bad row must not fail the others. */
  async function commitOneByOne(rows: readonly MoveRow[], error: unknown): Promise<ReadonlyMap<string, RowOutcome>> {
    if (rows.length === 1) return new Map([[rows[0]!.gameId, { type: "fault", error }]]);
    const outcomes = new Map<string, RowOutcome>();
    for (const row of rows) for (const [id, outcome] of await commitWithRetry([row])) outcomes.set(id, outcome);
    return outcomes;
  }

  async function flush(): Promise<void> {
    isScheduled = false;
    isFlushing = true;
    startedMs = performance.now();
    const batch = waiting.length > ROWS_MAX ? waiting.slice(0, ROWS_MAX) : waiting;
    waiting = waiting.length > ROWS_MAX ? waiting.slice(ROWS_MAX) : [];
    countRate(batch.length);
    batchSize.observe(batch.length);
    const outcomes = await commitWithRetry(batch.map(({ row }) => row));
    isFlushing = false;
    for (const { row } of batch) games.delete(row.gameId);
    for (const { row, answer } of batch) answer(outcomes.get(row.gameId)!);
    if (waiting.length > 0) schedule();
    else whenIdle?.();
  }

  function countRate(rows: number): void {
    windowRows += rows;
    const elapsedMs = startedMs - windowFromMs;
    if (elapsedMs < RATE_WINDOW_MS) return;
    ratePerS = (windowRows * 1_000) / elapsedMs;
    windowFromMs = startedMs;
    windowRows = 0;
  }

  function schedule(): void {
    if (isScheduled || isFlushing) return;
    isScheduled = true;
    const lingerMs =
      ratePerS > LINGER_ABOVE_PER_S && waiting.length < ROWS_MAX ? startedMs + LINGER_MS - performance.now() : 0;
    if (lingerMs > 1) setTimeout(flush, lingerMs);
    else setImmediate(flush);
  }

  return {
    add(row, answer) {
      if (isClosed) return answer({ type: "fault", error: new Error("the arena is closed") });
      if (games.has(row.gameId)) {
        const error = new BrokenInvariant(`two entries of game ${row.gameId} are on their way at once`);
        return answer({ type: "fault", error });
      }
      games.add(row.gameId);
      waiting.push({ row, answer });
      schedule();
    },
    async close() {
      isClosed = true;
      if (isFlushing || waiting.length > 0) {
        await new Promise<void>((resolve) => {
          whenIdle = resolve;
        });
      }
      await client?.end();
    },
  };
}

/** Data the database refuses (class 22, 23) is a fault of a row; all else may pass on another attempt. */
function isRowFault(error: unknown): boolean {
  return error instanceof pg.DatabaseError && /^(22|23|42|54)/.test(error.code ?? "");
}

/**
 * Arrays as PostgreSQL reads them, put together here: the library's way of quoting element by element cost more than validating the
 * moves. Entries and boards go as lines, which neither JSON nor FEN can break.
 */
function toValues(rows: readonly MoveRow[]): string[] {
  const toArray = (toItem: (row: MoveRow) => string | number): string => `{${rows.map(toItem).join()}}`;
  const toLines = (toLine: (row: MoveRow) => string): string => rows.map(toLine).join("\n");
  return [
    toArray((row) => row.gameId),
    toArray((row) => row.version),
    toLines((row) => row.entry),
    toArray((row) => row.at),
    toArray((row) => row.hash),
    toLines((row) => row.board),
    toArray((row) => row.moveCount),
    toArray((row) => row.captures[0]),
    toArray((row) => row.captures[1]),
    toArray((row) => row.remainingMs[0]),
    toArray((row) => row.remainingMs[1]),
    toArray((row) => row.deadlineAt ?? "null"),
  ];
}
