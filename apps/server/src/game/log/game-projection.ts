import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import type { CancelReason, EndReason, LogRecord, Pairing } from "@holo/table/log-record.ts";
import type { Status, TableState } from "@holo/table/state.ts";

/** The columns of `games` that starts, joins and ends change, named as in the database. */
export interface GameProjection {
  readonly status: Status;
  readonly player2_id: PlayerId | null;
  readonly pairing: Pairing | null;
  readonly winner_id: PlayerId | null;
  readonly end_reason: EndReason | CancelReason | null;
  readonly cancelled_by: PlayerId | null;
  /** Of a waiting game. Deadlines of active games are only in memory. */
  readonly deadline_at: Instant | null;
  readonly started_at: Instant | null;
  readonly completed_at: Instant | null;
}

/** The columns of `game_log` that say what holds after a record, named as in the database. */
export interface LogProjection {
  readonly at: Instant;
  readonly board_state: string;
  readonly move_count: number;
  readonly player1_captures: number;
  readonly player2_captures: number;
  readonly player1_remaining_ms: number;
  readonly player2_remaining_ms: number;
}

/** The row of a game after its newest record. A cancelled game gets no further records. */
export function toGameProjection(state: TableState<unknown>, { events }: LogRecord): GameProjection {
  const { result, players } = state;
  const cancelled = state.status === "cancelled" ? events.find(({ type }) => type === "cancelled") : undefined;
  const cancellation = cancelled?.type === "cancelled" ? cancelled : null;
  return {
    status: state.status,
    player2_id: players[1],
    pairing: state.pairing,
    winner_id: result?.winner ? ofSeat(players, result.winner) : null,
    end_reason: result?.reason ?? cancellation?.reason ?? null,
    cancelled_by: cancellation?.seat ? ofSeat(players, cancellation.seat) : null,
    deadline_at: state.status === "waiting" ? (toDeadline(rulesOf(state.game), state, NO_DELIVERY)?.at ?? null) : null,
    started_at: state.startedAt,
    completed_at: state.endedAt,
  };
}

/** `state` is the one after the record. */
export function toLogProjection({
  game,
  position,
  moves,
  captures,
  clock,
  changedAt,
}: TableState<unknown>): LogProjection {
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
