import { assert, assertNever, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import type { GameRules, Played } from "@holo/rules/rules.ts";
import { type AnsweredCommand, AnsweredCommands } from "./answered-commands.ts";
import { type Clock, RETURN_LIMIT_MS, startWaiting } from "./clock.ts";
import { formatCreate, toRecordContent } from "./command-content.ts";
import { evolveOffers } from "./evolve-offers.ts";
import type { ClockCredited, Ended, LogRecord, Moved, TableEvent, TakenBack } from "./log-record.ts";
import { dropPendingOffers, lapseByMove, NO_OFFERS } from "./offers.ts";
import { PlayedMoves } from "./played-moves.ts";
import type { TableState } from "./state.ts";

/** A takeback replays fewer moves than this. */
const PLIES_PER_CHECKPOINT = 32;

export function openTable<Position>(
  rules: GameRules<Position>,
  gameId: GameId,
  record: LogRecord,
): TableState<Position> {
  const created = record.events[0];
  assert(record.version === 1 && created?.type === "created", "a log begins with `created`");
  const { commandId } = record;
  const none = AnsweredCommands.none();
  return {
    gameId,
    game: created.game,
    stake: created.stake,
    limitMs: created.limitMs,
    feeBps: created.feeBps,
    version: 1,
    boardVersion: 1,
    status: "waiting",
    pairing: created.byInvitation === true ? "invitation" : created.rematchOf !== undefined ? "rematch" : null,
    players: [created.player, null],
    position: rules.start(),
    checkpoints: [rules.start()],
    moves: PlayedMoves.none(),
    captures: [0, 0],
    pliesEver: 0,
    movesMade: [0, 0],
    takebacks: [0, 0],
    offers: NO_OFFERS,
    clock: startWaiting(created.limitMs, record.at),
    result: null,
    answered:
      commandId === undefined ? none : none.add({ id: commandId, by: 1, content: formatCreate(created), version: 1 }),
    createdAt: record.at,
    startedAt: null,
    endedAt: null,
    changedAt: record.at,
  };
}

/** The table after the next record. `played` is the move if the decision has already played it. */
export function evolve<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  record: LogRecord,
  played?: Played<Position>,
): TableState<Position> {
  assert(record.version === state.version + 1, `record ${record.version} after version ${state.version}`);
  let next: TableState<Position> = {
    ...state,
    version: record.version,
    changedAt: record.at,
    answered:
      record.commandId === undefined ? state.answered : state.answered.add(toAnswered(record, record.commandId)),
  };
  for (const event of record.events) next = evolveEvent(rules, next, record, event, played);
  return next;
}

function evolveEvent<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  record: LogRecord,
  event: TableEvent,
  played: Played<Position> | undefined,
): TableState<Position> {
  switch (event.type) {
    case "created":
      throw new BrokenInvariant("a table is created once");
    case "joined":
      return {
        ...state,
        status: "active",
        pairing: event.pairing,
        players: [state.players[0], event.player],
        boardVersion: record.version,
        startedAt: record.at,
        clock: { ...state.clock, waitingUntil: null, turnStartedAt: record.at },
      };
    case "moved":
      return evolveMoved(rules, state, record, event, played);
    case "ended":
      return evolveEnded(state, record, event);
    case "cancelled":
      return {
        ...state,
        status: "cancelled",
        endedAt: record.at,
        offers: dropPendingOffers(state.offers),
        clock: { ...state.clock, waitingUntil: null, turnStartedAt: null, awaited: [], returnBy: null },
      };
    case "clock_credited":
      return evolveCredited(state, record, event);
    case "returned":
    case "wait_ended": {
      const awaited = state.clock.awaited.filter((seat) => seat !== event.seat);
      const isTurn = rules.toMove(state.position) === event.seat;
      return {
        ...state,
        clock: {
          ...state.clock,
          awaited,
          returnBy: awaited.length === 0 ? null : state.clock.returnBy,
          turnStartedAt: isTurn ? record.at : state.clock.turnStartedAt,
        },
      };
    }
    case "taken_back":
      return evolveTakenBack(rules, state, record, event);
    case "draw_offered":
    case "takeback_requested":
    case "draw_answered":
    case "takeback_answered":
    case "rematch_answered":
    case "rematch_offered":
    case "rematch_started":
    case "rematch_lapsed":
      return { ...state, offers: evolveOffers(state, record, event) };
    default:
      return assertNever(event);
  }
}

function evolveMoved<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  record: LogRecord,
  event: Moved,
  given: Played<Position> | undefined,
): TableState<Position> {
  const mover = rules.toMove(state.position);
  const played = given ?? replay(rules, state.position, event);
  const { chargedMs, remainingMs } = event;
  const moves = state.moves.add({ move: played.move, chargedMs, remainingMs });
  const movesMade = replaceSeat(state.movesMade, mover, ofSeat(state.movesMade, mover) + 1);
  const taken = played.move.captured.length;
  const turn = rules.toMove(played.position);
  return {
    ...state,
    position: played.position,
    checkpoints: isCheckpoint(moves) ? [...state.checkpoints, played.position] : state.checkpoints,
    boardVersion: record.version,
    moves,
    captures: taken === 0 ? state.captures : replaceSeat(state.captures, mover, ofSeat(state.captures, mover) + taken),
    pliesEver: Math.max(state.pliesEver, moves.length),
    movesMade,
    offers: lapseByMove(state.offers, mover, movesMade),
    clock: {
      ...state.clock,
      remainingMs,
      lagUsedMs: replaceSeat(state.clock.lagUsedMs, mover, ofSeat(state.clock.lagUsedMs, mover) + (record.lagMs ?? 0)),
      turnStartedAt: state.clock.awaited.includes(turn) ? null : record.at,
    },
  };
}

function evolveTakenBack<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  record: LogRecord,
  event: TakenBack,
): TableState<Position> {
  const kept = state.moves.length - event.plies;
  const moves = state.moves.take(kept);
  assert(kept >= 0, "only moves on the board are taken back");
  const checkpoints = state.checkpoints.slice(0, Math.floor(kept / PLIES_PER_CHECKPOINT) + 1);
  const position = replayFrom(rules, checkpoints, moves);
  const turn = rules.toMove(position);
  return {
    ...state,
    position,
    checkpoints,
    boardVersion: record.version,
    moves,
    captures: [
      state.captures[0] - countTaken(state.moves, kept, 1),
      state.captures[1] - countTaken(state.moves, kept, 2),
    ],
    takebacks: replaceSeat(state.takebacks, event.seat, ofSeat(state.takebacks, event.seat) + 1),
    offers: { ...state.offers, takeback: { ...state.offers.takeback, pending: null } },
    clock: {
      ...state.clock,
      remainingMs: event.remainingMs,
      turnStartedAt: state.clock.awaited.includes(turn) ? null : record.at,
    },
  };
}

function countTaken(moves: PlayedMoves, fromPly: number, seat: 1 | 2): number {
  return moves
    .slice(fromPly)
    .reduce((count, { move }, index) => count + ((fromPly + index) % 2 === seat - 1 ? move.captured.length : 0), 0);
}

/** A position takes 400 bytes, so few are kept. */
function isCheckpoint(moves: PlayedMoves): boolean {
  return moves.length % PLIES_PER_CHECKPOINT === 0;
}

/** The position after these moves, by those that follow the newest checkpoint. */
function replayFrom<Position>(
  rules: GameRules<Position>,
  checkpoints: readonly Position[],
  moves: PlayedMoves,
): Position {
  let position: Position = checkpoints.at(-1)!;
  const from = (checkpoints.length - 1) * PLIES_PER_CHECKPOINT;
  for (const { move } of moves.slice(from)) position = replay(rules, position, move).position;
  return position;
}

function replay<Position>(
  rules: GameRules<Position>,
  position: Position,
  move: Pick<Moved, "path" | "promotion">,
): Played<Position> {
  const played = rules.play(position, move.path, move.promotion);
  assert(played.ok, `the log holds a move that is not legal: ${move.path.join("-")}`);
  return played.value;
}

function evolveEnded<Position>(state: TableState<Position>, record: LogRecord, event: Ended): TableState<Position> {
  return {
    ...state,
    status: event.reason === "time" ? "timeout" : "completed",
    result: { winner: event.winner, reason: event.reason },
    endedAt: record.at,
    offers: dropPendingOffers(state.offers),
    clock: { ...state.clock, remainingMs: event.remainingMs, turnStartedAt: null, awaited: [], returnBy: null },
  };
}

function evolveCredited<Position>(
  state: TableState<Position>,
  record: LogRecord,
  event: ClockCredited,
): TableState<Position> {
  const { clock } = state;
  const outageMs = event.outageToAt - event.outageFromAt;
  return {
    ...state,
    clock: {
      ...clock,
      remainingMs: event.remainingMs,
      waitingUntil: clock.waitingUntil === null ? null : addMs(clock.waitingUntil, outageMs),
      // A clock that was paused for an absent player stays paused.
      turnStartedAt: clock.turnStartedAt === null || event.awaiting ? null : record.at,
      awaited: event.awaiting ? [1, 2] : clock.awaited,
      returnBy: toReturnBy(clock, event),
      creditedTo: event.outageToAt,
      bonuses: clock.bonuses + (event.bonusMs > 0 ? 1 : 0),
    },
  };
}

function toReturnBy(clock: Clock, event: ClockCredited): Instant | null {
  if (event.awaiting) return addMs(event.outageToAt, RETURN_LIMIT_MS);
  return clock.returnBy === null ? null : addMs(clock.returnBy, event.outageToAt - event.outageFromAt);
}

function toAnswered(record: LogRecord, id: NonNullable<LogRecord["commandId"]>): AnsweredCommand {
  assert(record.by !== 0, "commands of the platform carry no id");
  return { id, by: record.by, content: toRecordContent(record), version: record.version };
}
