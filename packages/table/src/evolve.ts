import { assert, assertNever, BrokenInvariant } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { GameRules, Played } from "@holo/rules/rules.ts";
import { type Answered, Answers } from "./answers.ts";
import { type Clock, RETURN_LIMIT_MS, replaceSeat, startWaiting } from "./clock.ts";
import { formatMoveContent } from "./command.ts";
import type { ClockCredited, Created, Ended, Entry, Moved, TableEvent } from "./entry.ts";
import type { TableState } from "./state.ts";

/** The table after its first entry, which creates it. */
export function open<Position>(rules: GameRules<Position>, gameId: GameId, entry: Entry): TableState<Position> {
  const created = entry.events[0];
  assert(entry.version === 1 && created?.type === "created", "a log begins with `created`");
  const { commandId } = entry;
  const none = Answers.none();
  return {
    gameId,
    game: created.game,
    stake: created.stake,
    limitMs: created.limitMs,
    feeBps: created.feeBps,
    version: 1,
    boardVersion: 1,
    status: "waiting",
    players: [created.player, null],
    position: rules.start(),
    moves: [],
    captures: [0, 0],
    pliesEver: 0,
    clock: startWaiting(created.limitMs, entry.at),
    result: null,
    answered:
      commandId === undefined ? none : none.add({ id: commandId, by: 1, content: formatCreate(created), version: 1 }),
    createdAt: entry.at,
    startedAt: null,
    endedAt: null,
    changedAt: entry.at,
  };
}

export function formatCreate(created: Omit<Created, "type" | "player" | "feeBps">): string {
  return `create ${created.game} ${created.stake} ${created.limitMs}`;
}

/** The table after one more entry. `played` spares the rules a second look where the decision has already taken it. */
export function evolve<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  entry: Entry,
  played?: Played<Position>,
): TableState<Position> {
  assert(entry.version === state.version + 1, `entry ${entry.version} after version ${state.version}`);
  let next: TableState<Position> = {
    ...state,
    version: entry.version,
    changedAt: entry.at,
    answered: entry.commandId === undefined ? state.answered : state.answered.add(toAnswered(entry, entry.commandId)),
  };
  for (const event of entry.events) next = evolveEvent(rules, next, entry, event, played);
  return next;
}

function evolveEvent<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  entry: Entry,
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
        players: [state.players[0], event.player],
        boardVersion: entry.version,
        startedAt: entry.at,
        clock: { ...state.clock, waitingUntil: null, turnStartedAt: entry.at },
      };
    case "moved":
      return evolveMoved(rules, state, entry, event, played);
    case "ended":
      return evolveEnded(state, entry, event);
    case "cancelled":
      return {
        ...state,
        status: "cancelled",
        endedAt: entry.at,
        clock: { ...state.clock, waitingUntil: null, turnStartedAt: null, awaited: [], returnBy: null },
      };
    case "clock_credited":
      return evolveCredited(state, event);
    case "returned": {
      const awaited = state.clock.awaited.filter((seat) => seat !== event.seat);
      const isTurn = rules.toMove(state.position) === event.seat;
      return {
        ...state,
        clock: {
          ...state.clock,
          awaited,
          returnBy: awaited.length === 0 ? null : state.clock.returnBy,
          turnStartedAt: isTurn ? entry.at : state.clock.turnStartedAt,
        },
      };
    }
    default:
      return assertNever(event);
  }
}

function evolveMoved<Position>(
  rules: GameRules<Position>,
  state: TableState<Position>,
  entry: Entry,
  event: Moved,
  given: Played<Position> | undefined,
): TableState<Position> {
  const mover = rules.toMove(state.position);
  const played = given ?? replay(rules, state.position, event);
  const moves = [...state.moves, { move: played.move, chargedMs: event.chargedMs }];
  const taken = played.move.captured.length;
  const turn = rules.toMove(played.position);
  return {
    ...state,
    position: played.position,
    boardVersion: entry.version,
    moves,
    captures: taken === 0 ? state.captures : replaceSeat(state.captures, mover, state.captures[mover - 1]! + taken),
    pliesEver: Math.max(state.pliesEver, moves.length),
    clock: {
      ...state.clock,
      remainingMs: event.remainingMs,
      lagUsedMs: replaceSeat(state.clock.lagUsedMs, mover, state.clock.lagUsedMs[mover - 1]! + (entry.lagMs ?? 0)),
      turnStartedAt: state.clock.awaited.includes(turn) ? null : entry.at,
    },
  };
}

function replay<Position>(rules: GameRules<Position>, position: Position, event: Moved): Played<Position> {
  const played = rules.play(position, event.path, event.promotion);
  assert(played.ok, `the log holds a move that is not legal: ${event.path.join("-")}`);
  return played.value;
}

function evolveEnded<Position>(state: TableState<Position>, entry: Entry, event: Ended): TableState<Position> {
  return {
    ...state,
    status: event.reason === "time" ? "timeout" : "completed",
    result: { winner: event.winner, reason: event.reason },
    endedAt: entry.at,
    clock: { ...state.clock, remainingMs: event.remainingMs, turnStartedAt: null, awaited: [], returnBy: null },
  };
}

function evolveCredited<Position>(state: TableState<Position>, event: ClockCredited): TableState<Position> {
  const { clock } = state;
  const outageMs = event.outageToAt - event.outageFromAt;
  return {
    ...state,
    clock: {
      ...clock,
      remainingMs: event.remainingMs,
      waitingUntil: clock.waitingUntil === null ? null : addMs(clock.waitingUntil, outageMs),
      // A clock that stood still before, for an owner who is not back yet, goes on standing still.
      turnStartedAt: clock.turnStartedAt === null || event.awaiting ? null : event.outageToAt,
      awaited: event.awaiting ? [1, 2] : clock.awaited,
      returnBy: toReturnBy(clock, event),
      creditedTo: event.outageToAt,
    },
  };
}

function toReturnBy(clock: Clock, event: ClockCredited): Instant | null {
  if (event.awaiting) return addMs(event.outageToAt, RETURN_LIMIT_MS);
  return clock.returnBy === null ? null : addMs(clock.returnBy, event.outageToAt - event.outageFromAt);
}

function toAnswered(entry: Entry, id: NonNullable<Entry["commandId"]>): Answered {
  assert(entry.by !== 0, "the house's commands carry no id");
  return { id, by: entry.by, content: toContent(entry), version: entry.version };
}

/** The content of the command that brought an entry about, read back from its events. */
function toContent(entry: Entry): string {
  const first = entry.events[0];
  switch (first?.type) {
    case "moved":
      return formatMoveContent(first.path, first.promotion);
    case "joined":
      return "join";
    case "cancelled":
      return "cancel";
    default:
      return "resign";
  }
}
