import { assert } from "@holo/kernel/assert.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { decideCreate } from "@holo/table/decide.ts";
import type { LogRecord, RematchStarted } from "@holo/table/log-record.ts";
import { findSeat, type TableState } from "@holo/table/state.ts";
import type { Refusal } from "../answer.ts";
import type { Prevented } from "./carry-out.ts";
import { type Finding, listSeatFacts } from "./finding.ts";
import type { LifecycleJob } from "./lifecycle-job.ts";
import { makeNewGame, type NewGame, toPaidSeat } from "./new-game.ts";
import type { SeatRules, SessionCheck } from "./seat-facts.ts";

interface Acceptance {
  readonly by: Seat;
  readonly session: SessionCheck | undefined;
}

/**
 * The rematch that both agreed to: same game, stake and time, colours swapped (ruling 19). Players
 * are charged and judged in the order of their ids, which is not that of their seats.
 */
export function makeRematch(
  before: TableState<unknown>,
  { gameId, feeBps }: Pick<RematchStarted, "gameId" | "feeBps">,
  at: LogRecord["at"],
  { by, session }: Acceptance,
): { readonly game: NewGame; readonly job: Pick<LifecycleJob, "seats" | "entries"> } {
  const [second, first] = before.players;
  assert(first !== null, "two players agreed to a rematch");
  const { game: type, stake, limitMs } = before;
  const created = decideCreate(type, stake, limitMs, feeBps, first, at, { rematchOf: before.gameId });
  const joined: LogRecord = { version: 2, at, by: 2, events: [{ type: "joined", player: second, pairing: "rematch" }] };
  const game = makeNewGame(gameId, created, { join: () => joined });
  const paid = [first, second].sort().map((playerId) => {
    const isAccepting = findSeat(before, playerId) === by;
    return toPaidSeat(game.state, playerId, findSeat(game.state, playerId)!, isAccepting ? { session } : {});
  });
  return {
    game,
    job: { seats: paid.map(({ seat }) => seat), entries: paid.flatMap(({ entries }) => entries) },
  };
}

/** The accepting player learns their own reason in full, the opponent's only in general. */
export function judgeRematch(
  { findSeatRefusal }: Pick<SeatRules, "findSeatRefusal">,
  findings: readonly Finding[],
  before: TableState<unknown>,
  { seats, at }: LifecycleJob,
  by: Seat,
): Extract<Prevented, { readonly type: "refused" }> | null {
  const refusal = findSeatRefusal(seats, listSeatFacts(findings), at);
  if (refusal === null) return null;
  const { code, figures, playerId } = refusal;
  // A login that has ended says nothing about the offer.
  if (seats.some(({ session }) => session?.refusal === code)) return { type: "refused", code, figures };
  // These concern both players.
  if (code === "maintenance" || code === "blocked_pair") {
    return { type: "refused", code, figures, lapse: { reason: "unavailable", seat: null } };
  }
  const seat = findSeat(before, playerId)!;
  const reason = toLapseReason(code);
  const lapse = { reason, seat } as const;
  if (seat === by) {
    const own = code === "insufficient_to_create" ? "insufficient_to_join" : code;
    return { type: "refused", code: own, figures, lapse };
  }
  return {
    type: "refused",
    code: reason === "short_of_coins" ? "opponent_short" : "opponent_busy",
    figures: {},
    lapse,
  };
}

function toLapseReason(code: Refusal["code"]): "short_of_coins" | "other_game" | "unavailable" {
  switch (code) {
    case "insufficient_to_create":
    case "insufficient_to_join":
      return "short_of_coins";
    case "pending_game_exists":
    case "active_game_exists":
      return "other_game";
    default:
      return "unavailable";
  }
}
