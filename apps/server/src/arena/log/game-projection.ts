import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import { toDeadline } from "@holo/table/deadline.ts";
import type { CancelReason, EndReason, LogRecord, Pairing } from "@holo/table/log-record.ts";
import type { Status, TableState } from "@holo/table/state.ts";

/** The columns of `games` that change with a game's log, named as in the database. */
export interface GameProjection {
  readonly version: number;
  readonly status: Status;
  readonly player2_id: PlayerId | null;
  readonly pairing: Pairing | null;
  readonly board_state: string;
  readonly move_count: number;
  readonly current_turn: number;
  readonly player1_captures: number;
  readonly player2_captures: number;
  readonly player1_remaining_ms: number;
  readonly player2_remaining_ms: number;
  readonly winner_id: PlayerId | null;
  readonly end_reason: EndReason | CancelReason | null;
  readonly cancelled_by: PlayerId | null;
  readonly deadline_at: Instant | null;
  readonly updated_at: Instant;
  readonly started_at: Instant | null;
  readonly completed_at: Instant | null;
}

/** The row of a game after its newest record. A cancelled game gets no further records. */
export function toGameProjection(state: TableState<unknown>, { events }: LogRecord): GameProjection {
  const { clock, result, players, captures } = state;
  const rules = rulesOf(state.game);
  const cancelled = state.status === "cancelled" ? events.find(({ type }) => type === "cancelled") : undefined;
  const cancellation = cancelled?.type === "cancelled" ? cancelled : null;
  return {
    version: state.version,
    status: state.status,
    player2_id: players[1],
    pairing: state.pairing,
    board_state: rules.formatPosition(state.position),
    move_count: state.moves.length,
    current_turn: state.moves.length + 1,
    player1_captures: captures[0],
    player2_captures: captures[1],
    player1_remaining_ms: clock.remainingMs[0],
    player2_remaining_ms: clock.remainingMs[1],
    winner_id: result?.winner ? ofSeat(players, result.winner) : null,
    end_reason: result?.reason ?? cancellation?.reason ?? null,
    cancelled_by: cancellation?.seat ? ofSeat(players, cancellation.seat) : null,
    deadline_at: toDeadline(rules, state, NO_DELIVERY)?.at ?? null,
    updated_at: state.changedAt,
    started_at: state.startedAt,
    completed_at: state.endedAt,
  };
}
