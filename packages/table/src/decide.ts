import { assert, assertNever } from "@holo/kernel/assert.ts";
import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, refuse } from "@holo/kernel/result.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, GameType, Seat } from "@holo/rules/rules.ts";
import { appendRecord, type DecisionResult } from "./append.ts";
import { CLOCK_STARTS_AFTER_PLIES, toCharge } from "./clock.ts";
import type { TableCommand } from "./command.ts";
import { formatContent } from "./command-content.ts";
import { toDeadline } from "./deadline.ts";
import { decideOffer } from "./decide-offers.ts";
import { decideOutageCredit } from "./decide-outage-credit.ts";
import { decideRematch } from "./decide-rematch.ts";
import {
  type Created,
  type Ended,
  type Joined,
  LOG_RECORDS_MAX,
  type LogRecord,
  type TableEvent,
} from "./log-record.ts";
import { toRemaining } from "./remaining.ts";
import type { Stake } from "./stakes.ts";
import { findSeat, isOpen, isUnlisted, type TableState, toOpponent } from "./state.ts";

/** Ruling 17: cancel before both have made two moves, resign after that. */
export const RESIGN_AFTER_PLIES = 4;

export type { Decision } from "./append.ts";

export function decideCreate(
  game: GameType,
  stake: Stake,
  limitMs: number,
  feeBps: number,
  player: PlayerId,
  at: Instant,
  cause: CommandId | { readonly rematchOf: GameId },
  byInvitation = false,
): LogRecord {
  const terms = { type: "created", game, stake, limitMs, feeBps, player } as const;
  if (typeof cause !== "string") {
    const created: Created = { ...terms, rematchOf: cause.rematchOf };
    return { version: 1, at, by: 1, events: [created] };
  }
  const created: Created = byInvitation ? { ...terms, byInvitation } : terms;
  return { version: 1, at, by: 1, events: [created], commandId: cause };
}

/**
 * What a command does to a table: one record, or a refusal that changes nothing. Pure: `at` is the
 * command's arrival, and counts as the newest record's time if it is earlier.
 */
export function decide<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: TableCommand,
  at: Instant,
): DecisionResult<Position> {
  const now = Math.max(at, state.changedAt) as Instant;
  switch (command.type) {
    case "join":
      return decideJoin(rules, state, command, now);
    case "cancel":
    case "resign":
    case "move":
    case "offer_draw":
    case "answer_draw":
    case "request_takeback":
    case "answer_takeback":
    case "offer_rematch":
    case "answer_rematch":
      return decidePlayer(rules, state, command, now);
    case "expire":
      return decideExpire(rules, state, command, now);
    case "credit":
      return decideOutageCredit(rules, state, command, now);
    case "return":
      if (!state.clock.awaited.includes(command.seat)) return refuse("not_due");
      return appendRecord(rules, state, now, command.seat, undefined, [{ type: "returned", seat: command.seat }]);
    case "cancel_by_staff": {
      if (!isOpen(state.status)) return refuse("game_over");
      if (state.status !== "active") return refuse("not_started");
      const { note } = command;
      return appendRecord(rules, state, now, 0, undefined, [{ type: "cancelled", reason: "staff", seat: null, note }]);
    }
    case "pair_elsewhere":
      if (state.status !== "waiting") return refuse("already_started");
      return appendRecord(rules, state, now, 0, undefined, [
        { type: "cancelled", reason: "paired_elsewhere", seat: null },
      ]);
    case "lapse_rematch": {
      if (state.offers.rematch.pending === null) return refuse("not_due");
      const { reason, seat } = command;
      return appendRecord(rules, state, now, 0, undefined, [{ type: "rematch_lapsed", reason, seat }]);
    }
    default:
      return assertNever(command);
  }
}

type Of<Type extends TableCommand["type"]> = Extract<TableCommand, { readonly type: Type }>;
type OfPlayer = Extract<TableCommand, { readonly player: PlayerId }>;

function decideJoin<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Of<"join">,
  at: Instant,
): DecisionResult<Position> {
  const repeated = findRepeated(state, command, findSeat(state, command.player));
  if (repeated !== null) return repeated;
  if (state.players[0] === command.player) return refuse("own_game");
  const { player, pairing } = command;
  if (isUnlisted(state) && pairing !== "invitation") return refuse("unknown_game");
  if (state.status !== "waiting") return refuse("seat_taken");
  // A game by invitation says so from its first record.
  const joined: Joined = { type: "joined", player, pairing: state.pairing ?? pairing };
  return appendRecord(rules, state, at, 2, command.id, [joined]);
}

function decidePlayer<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Exclude<OfPlayer, { readonly type: "join" }>,
  at: Instant,
): DecisionResult<Position> {
  const seat = findSeat(state, command.player);
  if (seat === null) return refuse(isUnlisted(state) ? "unknown_game" : "not_a_player");
  const repeated = findRepeated(state, command, seat);
  if (repeated !== null) return repeated;
  if (command.type === "offer_rematch" || command.type === "answer_rematch") {
    return decideRematch(rules, state, command, seat, at);
  }
  if (!isOpen(state.status)) return refuse("game_over");
  switch (command.type) {
    case "move":
      return decideMove(rules, state, command, seat, at);
    case "cancel":
      if (command.whileWaiting && state.status !== "waiting") return refuse("already_started");
      if (state.pliesEver >= RESIGN_AFTER_PLIES) return refuse("too_late_to_cancel");
      return appendRecord(rules, state, at, seat, command.id, [{ type: "cancelled", reason: "player", seat }]);
    case "resign": {
      if (state.status !== "active") return refuse("not_started");
      if (state.pliesEver < RESIGN_AFTER_PLIES) return refuse("too_early_to_resign");
      return appendRecord(rules, state, at, seat, command.id, [
        { type: "ended", winner: toOpponent(seat), reason: "resignation", remainingMs: toRemaining(rules, state, at) },
      ]);
    }
    case "offer_draw":
    case "answer_draw":
    case "request_takeback":
    case "answer_takeback":
      if (state.status !== "active") return refuse("not_started");
      return decideOffer(rules, state, command, seat, at);
    default:
      return assertNever(command);
  }
}

function decideMove<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Of<"move">,
  seat: Seat,
  at: Instant,
): DecisionResult<Position> {
  if (state.status !== "active") return refuse("not_started");
  if (command.atVersion !== state.boardVersion) return refuse("stale_version");
  if (rules.toMove(state.position) !== seat) return refuse("not_your_turn");
  const played = rules.play(state.position, command.path, command.promotion);
  if (!played.ok) return refuse("illegal_move");
  const charge = toCharge(state.clock, seat, at, command.delivery);
  const isTimed = state.pliesEver >= CLOCK_STARTS_AFTER_PLIES;
  const chargedMs = isTimed ? charge.chargedMs : 0;
  const leftMs = ofSeat(state.clock.remainingMs, seat) - chargedMs;
  if (leftMs <= 0) return refuse("time_up");
  const remainingMs = replaceSeat(state.clock.remainingMs, seat, leftMs);
  const moved: TableEvent = {
    type: "moved",
    path: command.path,
    ...(command.promotion === undefined ? {} : { promotion: command.promotion }),
    chargedMs,
    remainingMs,
  };
  const ended = findEnd(rules, state, played.value.position, remainingMs);
  const events: readonly TableEvent[] = ended === null ? [moved] : [moved, ended];
  return appendRecord(rules, state, at, seat, command.id, events, isTimed ? charge.lagMs : 0, played.value);
}

function decideExpire<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  command: Of<"expire">,
  at: Instant,
): DecisionResult<Position> {
  const deadline = toDeadline(rules, state, command.delivery);
  if (deadline === null || at < deadline.at) return refuse("not_due");
  const turn = rules.toMove(state.position);
  switch (deadline.type) {
    case "not_joined":
    case "void":
      return appendRecord(rules, state, at, 0, undefined, [{ type: "cancelled", reason: deadline.type, seat: null }]);
    case "first_move":
      return appendRecord(rules, state, at, 0, undefined, [{ type: "cancelled", reason: "first_move", seat: turn }]);
    case "time": {
      const winner = rules.canWin(state.position, toOpponent(turn)) ? toOpponent(turn) : null;
      const reason = winner === null ? "time_without_material" : "time";
      const remainingMs = replaceSeat(state.clock.remainingMs, turn, 0);
      return appendRecord(rules, state, at, 0, undefined, [{ type: "ended", winner, reason, remainingMs }]);
    }
    case "wait": {
      const [seat] = state.clock.awaited;
      assert(seat !== undefined, "the table waits for a player");
      return appendRecord(rules, state, at, 0, undefined, [{ type: "wait_ended", seat }]);
    }
    case "rematch":
      return appendRecord(rules, state, at, 0, undefined, [{ type: "rematch_lapsed", reason: "time", seat: null }]);
    default:
      return assertNever(deadline.type);
  }
}

/** The end that a move causes, or null: by the rules, else by the length of the log (ruling 32). */
function findEnd<Position>(
  rules: GameRules<Position>,
  { version }: TableState<Position>,
  position: Position,
  remainingMs: BySeat<number>,
): Ended | null {
  const outcome = rules.outcome(position);
  if (outcome !== null) {
    const winner = outcome.type === "win" ? outcome.winner : null;
    return { type: "ended", winner, reason: outcome.reason, remainingMs };
  }
  const isTooLong = version + 1 >= LOG_RECORDS_MAX;
  return isTooLong ? { type: "ended", winner: null, reason: "too_long", remainingMs } : null;
}

function findRepeated<Position>(
  state: TableState<Position>,
  command: OfPlayer,
  seat: Seat | null,
): DecisionResult<Position> | null {
  const earlier = state.answered.find(command.id);
  if (earlier === null) return null;
  if (earlier.by !== seat || earlier.content !== formatContent(command)) return refuse("command_id_reused");
  return ok({ type: "repeated", version: earlier.version });
}
