import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { refuse } from "@holo/kernel/result.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Seat } from "@holo/rules/rules.ts";
import { appendRecord, type DecisionResult } from "./append.ts";
import type { TableCommand } from "./command.ts";
import { toAnswered } from "./decide-offers.ts";
import type { TableEvent } from "./log-record.ts";
import { REMATCH_LIMIT_MS, REMATCHES_MAX } from "./offers.ts";
import type { TableState } from "./state.ts";

type RematchCommand = Extract<TableCommand, { readonly type: "offer_rematch" | "answer_rematch" }>;

/** The rematch of a finished game (ruling 19). The settlement checks whether both can pay. */
export function decideRematch<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: RematchCommand,
  seat: Seat,
  at: Instant,
): DecisionResult<Position> {
  const { rematch } = state.offers;
  const write = (...events: readonly TableEvent[]) => appendRecord(rules, state, at, seat, command.id, events);
  const start = (gameId: GameId, feeBps: number): TableEvent => ({ type: "rematch_started", gameId, feeBps });
  if (state.result === null) return refuse("not_over");
  if (rematch.gameId !== null) return refuse("rematch_started");
  const { pending } = rematch;
  const isExpired = pending !== null && at >= addMs(pending.at, REMATCH_LIMIT_MS);
  if (command.type === "answer_rematch") {
    if (pending === null || pending.version !== command.offer || isExpired) return refuse("no_offer");
    if (pending.seat === seat) return refuse("own_offer");
    const answered = toAnswered("rematch_answered", command, seat);
    return command.answer === "accept" ? write(answered, start(command.nextGameId, pending.feeBps)) : write(answered);
  }
  if (pending !== null && !isExpired) {
    const { feeBps } = pending;
    if (pending.seat === seat) return refuse("offer_stands");
    // The rematch would have another fee than this player was shown.
    if (command.feeBps !== feeBps) return refuse("fee_changed");
    return write({ type: "rematch_offered", seat, feeBps }, start(command.nextGameId, feeBps));
  }
  if (ofSeat(rematch.declined, seat)) return refuse("rematch_declined");
  if (ofSeat(rematch.offered, seat) >= REMATCHES_MAX) return refuse("rematch_spent");
  return write({ type: "rematch_offered", seat, feeBps: command.feeBps });
}
