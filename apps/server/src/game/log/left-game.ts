import { assert } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ZERO_COINS } from "@holo/kernel/money.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { decide } from "@holo/table/decide.ts";
import type { TableState } from "@holo/table/state.ts";
import type { JournalEntry } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { fold } from "./fold.ts";
import { toSettlementEntries } from "./game-entries.ts";
import { loadLog } from "./game-store.ts";
import { type GameChange, type LifecycleJob, toGameChange } from "./lifecycle-job.ts";
import { encodeRecord } from "./log-record.ts";
import type { SeatFacts } from "./seat-facts.ts";
import { termsOf } from "./terms.ts";

/** A waiting game that its player leaves to join another one: it is cancelled with the join. */
export interface LeftGame {
  readonly state: TableState<unknown>;
  readonly change: GameChange;
  readonly entries: readonly JournalEntry[];
}

/** Null if it does not wait any more. */
export async function loadLeftGame(queries: Queries, gameId: GameId, at: Instant): Promise<LeftGame | null> {
  const { state, hash } = fold(gameId, await loadLog(queries, gameId, 0));
  const decided = decide(rulesOf(state.game), state, { type: "pair_elsewhere" }, at);
  if (!decided.ok || decided.value.type !== "decided") return null;
  const { record, next } = decided.value;
  const encoded = encodeRecord(record, hash);
  return {
    state: next,
    change: toGameChange(next, record, encoded, hash),
    entries: toSettlementEntries(next, encoded),
  };
}

/** Its refund pays for the seat: the terms are the same. */
export function withLeftGame(
  job: LifecycleJob,
  { state, change, entries }: LeftGame,
  joined: TableState<unknown>,
): LifecycleJob {
  assert(termsOf(state).buyIn === termsOf(joined).buyIn, "a player changes between games on the same terms");
  return {
    ...job,
    games: [...job.games, change],
    seats: job.seats.map((seat) => ({ ...seat, buyIn: ZERO_COINS })),
    freed: { gameId: state.gameId, seats: 1 },
    entries: [...entries, ...job.entries],
  };
}

/** Without the open game that the player leaves. */
export function withoutLeftGame(facts: readonly SeatFacts[], gameId: GameId | undefined): readonly SeatFacts[] {
  return facts.map((fact) => {
    if (fact.openGame === undefined || fact.openGame.gameId !== gameId) return fact;
    const { openGame: _, ...others } = fact;
    return others;
  });
}
