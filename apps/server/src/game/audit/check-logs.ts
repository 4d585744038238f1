import { BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { OUTAGE_BONUS_MS, OUTAGE_BONUSES_MAX } from "@holo/table/clock.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import { type Cancelled, LOG_FORMAT, LOG_RECORDS_MAX, type LogRecord } from "@holo/table/log-record.ts";
import { TAKEBACKS_MAX } from "@holo/table/offers.ts";
import type { TableState } from "@holo/table/state.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { parseRecord, toChainedHash, toFirstHash } from "../log/log-record.ts";

type ProjectedRow = Readonly<Record<string, string | number | null>>;

interface AuditedGame {
  readonly id: GameId;
  readonly row: ProjectedRow;
}

/** Few, so that the records of the longest games fit into memory. */
const GAMES_AT_ONCE = 100;

/** Replays every log from its first record. Returns the first fault, or null. */
export async function checkLogs(queries: Queries): Promise<string | null> {
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    const games = await loadGamesAfter(queries, after);
    for (const { game, log } of games) {
      const found = checkLog(game, log);
      if (found !== null) return `game ${game.id} ${found}`;
    }
    const last = games.at(-1);
    if (last === undefined) return null;
    after = last.game.id;
  }
}

/** The columns of a record that follow from the log up to it. */
interface StateColumns {
  readonly at: number;
  readonly board_state: string;
  readonly move_count: number;
  readonly player1_captures: number;
  readonly player2_captures: number;
  readonly player1_remaining_ms: number;
  readonly player2_remaining_ms: number;
}

interface AuditedRow extends StateColumns {
  readonly version: number;
  readonly format: number;
  readonly record: string;
  readonly hash: string;
}

interface LoggedGame {
  readonly game: AuditedGame;
  readonly log: readonly AuditedRow[];
}

async function loadGamesAfter(queries: Queries, after: string): Promise<readonly LoggedGame[]> {
  // A game without a log has one row without a record. `offset 0` reads each log by its key.
  const { rows } = await sql<
    { readonly id: GameId; readonly row: ProjectedRow | null } & {
      readonly [Column in keyof AuditedRow]: AuditedRow[Column] | null;
    }
  >`
    select g.id, case when l.nth is null or l.nth = 1 then to_json(g.*) end as row, l.version, l.format, l.record, l.hash,
      l.at::float8 as at, l.board_state, l.move_count, l.player1_captures, l.player2_captures, l.player1_remaining_ms,
      l.player2_remaining_ms
    from (select * from games where id > ${after}::uuid order by id limit ${GAMES_AT_ONCE}) g
    left join lateral (
      select *, row_number() over (order by version) as nth
      from game_log where game_id = g.id order by version offset 0) l on true
    order by g.id, l.version`.execute(queries);
  const games: { readonly game: AuditedGame; readonly log: AuditedRow[] }[] = [];
  for (const { id, row, ...record } of rows) {
    if (row !== null) games.push({ game: { id, row }, log: [] });
    if (record.version !== null) games.at(-1)!.log.push(record as AuditedRow);
  }
  return games;
}

function checkLog(game: AuditedGame, log: readonly AuditedRow[]): string | null {
  let hash = toFirstHash(game.id);
  let state: TableState<unknown> | null = null;
  let cancelled: Cancelled | null = null;
  for (const [index, row] of log.entries()) {
    if (row.version !== index + 1) return `has no record ${index + 1}`;
    if (row.format !== LOG_FORMAT) return `has a record ${row.version} of the unknown format ${row.format}`;
    hash = toChainedHash(hash, row.record);
    if (hash !== row.hash) return `has a record ${row.version} that does not continue the chain`;
    const record = parseRecord(row.record);
    const first = record.events[0];
    if (first?.type === "cancelled") cancelled = first;
    if (state === null) {
      if (first?.type !== "created") return "does not begin with its creation";
      state = openTable(rulesOf(first.game), game.id, record);
    } else {
      if (record.at < state.changedAt) return `goes back in time at record ${row.version}`;
      const next = evolveIfLegal(state, record);
      if (next === null) return `has a record ${row.version} that the rules do not know`;
      if (isPairingMissing(record, next)) return `does not say at record ${row.version} how its players met`;
      if (isTimeGained(record, state, next)) return `gives a clock time at record ${row.version}`;
      state = next;
      const limit = findPassedLimit(record, state);
      if (limit !== null) return `has a record ${row.version} beyond ${limit}`;
    }
    const stored = findDiffering(toStateColumns(state), row);
    if (stored !== null) return `has a record ${row.version} that ${stored}`;
  }
  if (state === null) return "has no log";
  return findDiffering(toProjectedRow(state, cancelled), game.row);
}

function findDiffering<Row extends object>(folded: Row, row: Readonly<Record<keyof Row, unknown>>): string | null {
  const names = Object.keys(folded) as (keyof Row & string)[];
  const differing = names.find((name) => folded[name] !== row[name]);
  if (differing === undefined) return null;
  return `says ${differing} ${row[differing]} where its log says ${folded[differing]}`;
}

function toStateColumns({ game, position, moves, captures, clock, changedAt }: TableState<unknown>): StateColumns {
  return {
    at: changedAt,
    board_state: rulesOf(game).formatPosition(position),
    move_count: moves.length,
    player1_captures: captures[0],
    player2_captures: captures[1],
    player1_remaining_ms: clock.remainingMs[0],
    player2_remaining_ms: clock.remainingMs[1],
  };
}

/** The limit of ruling 32 that the record passes, or null. */
function findPassedLimit({ events, version }: LogRecord, after: TableState<unknown>): string | null {
  const takenBack = events.find((event) => event.type === "taken_back");
  if (takenBack !== undefined && ofSeat(after.takebacks, takenBack.seat) > TAKEBACKS_MAX)
    return "the limit of takebacks";
  const isMove = events.some(({ type }) => type === "moved");
  const isFull = isMove && version >= LOG_RECORDS_MAX;
  const isEndedAsFull = after.result?.reason === "too_long" && isMove;
  if (isFull && after.status === "active") return "the limit of its length";
  return isEndedAsFull && !isFull ? "an end by length that it had not reached" : null;
}

/** The log says how the players met (ruling 42). */
function isPairingMissing({ events }: LogRecord, after: TableState<unknown>): boolean {
  return events.some(({ type }) => type === "joined") && (after.pairing ?? null) === null;
}

/** A clock gains nothing but bonuses (ruling 30). */
function isTimeGained({ events }: LogRecord, before: TableState<unknown>, after: TableState<unknown>): boolean {
  const credited = events.find((event) => event.type === "clock_credited");
  const bonusMs = credited?.bonusMs ?? 0;
  if (bonusMs > OUTAGE_BONUS_MS || (bonusMs > 0 && after.clock.bonuses > OUTAGE_BONUSES_MAX)) return true;
  return after.clock.remainingMs.some((ms, index) => ms > before.clock.remainingMs[index]! + bonusMs);
}

function evolveIfLegal(state: TableState<unknown>, record: LogRecord): TableState<unknown> | null {
  try {
    return evolve(rulesOf(state.game), state, record);
  } catch (error) {
    if (error instanceof BrokenInvariant) return null;
    throw error;
  }
}

function toProjectedRow(state: TableState<unknown>, cancelled: Cancelled | null): ProjectedRow {
  const { result, players } = state;
  const idOf = (seat: Seat | null | undefined) => (seat ? ofSeat(players, seat) : null);
  return {
    status: state.status,
    game_type: state.game,
    player1_id: players[0],
    player2_id: players[1],
    pairing: state.pairing,
    stake_amount: state.stake,
    fee_bps: state.feeBps,
    time_limit: state.limitMs / SECOND_MS,
    winner_id: idOf(result?.winner),
    end_reason: result?.reason ?? cancelled?.reason ?? null,
    cancelled_by: idOf(cancelled?.seat),
    created_at: state.createdAt,
    started_at: state.startedAt,
    completed_at: state.endedAt,
  };
}
