import { assert } from "@holo/kernel/assert.ts";
import type { Seat } from "@holo/rules/rules.ts";
import { decideCreate } from "@holo/table/decide.ts";
import type { LogRecord, RematchStarted } from "@holo/table/log-record.ts";
import { type TableState, toSeat } from "@holo/table/state.ts";
import type { Refusal } from "../answer.ts";
import type { Prevented } from "../log/carry-out.ts";
import type { Finding } from "../log/finding.ts";
import type { LifecycleJob } from "../log/lifecycle-job.ts";
import { makeNewGame, type NewGame, toPaidSeat } from "./new-game.ts";
import { findFundsRefusal, findPerson, findSeatRefusal } from "./seating.ts";

/**
 * The rematch that both agreed to: same game, stake and time, colours swapped (ruling 19). Players
 * are charged and judged in the order of their ids, which is not that of their seats.
 */
export function makeRematch(
  before: TableState<unknown>,
  { gameId, feeBps }: Pick<RematchStarted, "gameId" | "feeBps">,
  at: LogRecord["at"],
): { readonly game: NewGame; readonly job: Pick<LifecycleJob, "seats" | "entries" | "pair"> } {
  const [second, first] = before.players;
  assert(first !== null, "two players agreed to a rematch");
  const { game: type, stake, limitMs } = before;
  const created = decideCreate(type, stake, limitMs, feeBps, first, at, { rematchOf: before.gameId });
  const joined: LogRecord = { version: 2, at, by: 2, events: [{ type: "joined", player: second, pairing: "rematch" }] };
  const game = makeNewGame(gameId, created, () => joined);
  const paid = [first, second]
    .sort()
    .map((playerId) => toPaidSeat(game.state, playerId, toSeat(game.state, playerId)!));
  return {
    game,
    job: { seats: paid.map(({ seat }) => seat), entries: paid.map(({ entry }) => entry), pair: [first, second] },
  };
}

export function judgeRematch(
  findings: readonly Finding[],
  before: TableState<unknown>,
  { seats, at }: LifecycleJob,
  by: Seat,
): Extract<Prevented, { readonly type: "refused" }> | null {
  const seatOf = (request: (typeof seats)[number]): Seat => toSeat(before, request.playerId)!;
  const personOf = (request: (typeof seats)[number]) => findPerson(findings, "seat", request.playerId);
  for (const request of seats) {
    const refusal = findSeatRefusal(personOf(request), before.stake, at);
    if (refusal !== null) return toRematchRefusal(refusal, seatOf(request), by);
  }
  if (findings.some(({ type }) => type === "never_paired")) {
    return { type: "refused", code: "blocked_pair", figures: {}, lapse: { reason: "unavailable", seat: null } };
  }
  for (const request of seats) {
    const refusal = findFundsRefusal(personOf(request), request.seat, request);
    if (refusal !== null) return toRematchRefusal(refusal, seatOf(request), by);
  }
  return null;
}

/** The accepting player learns their own reason in full, the opponent's only in general. */
function toRematchRefusal(
  { code, figures }: Refusal,
  seat: Seat,
  by: Seat,
): Extract<Prevented, { readonly type: "refused" }> {
  // Maintenance concerns both and is neither player's doing.
  if (code === "maintenance") return { type: "refused", code, figures, lapse: { reason: "unavailable", seat: null } };
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
