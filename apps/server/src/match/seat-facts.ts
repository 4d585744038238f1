import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../platform/database/database.ts";
import {
  COOL_DOWN_GAMES,
  findFactsOf,
  isIneligible,
  LATER_COOL_DOWN_MS,
  type SeatFacts,
  type SeatRequest,
  toCoolDownEndAt,
} from "./who-may-sit.ts";

type SeatQuestion = Pick<SeatRequest, "playerId"> & Partial<SeatRequest>;

/** One element of the argument of `seat_facts`. What is not asked for is not among the facts. */
export function toQuestionRow({ playerId, gameId, opponentId, buyIn, command, session }: SeatQuestion, at: Instant) {
  return {
    player: playerId,
    at,
    game_id: gameId,
    opponent: opponentId,
    need: buyIn === undefined ? undefined : String(buyIn),
    command: command?.id,
    token: session?.claim.token,
    session_at: session?.claim.at,
    started_after: session?.claim.startedAfter,
    missed_since: addMs(at, -LATER_COOL_DOWN_MS),
    missed_games: COOL_DOWN_GAMES,
  };
}

/** Not binding: without the locks of `lifecycle_lock` they may change at once. */
export async function loadSeatFacts(
  queries: Queries,
  questions: readonly SeatQuestion[],
  at: Instant,
): Promise<readonly SeatFacts[]> {
  const asked = JSON.stringify(questions.map((question) => toQuestionRow(question, at)));
  const { rows } = await sql<{ readonly facts: SeatFacts }>`select facts from seat_facts(${asked}::jsonb)`.execute(
    queries,
  );
  return rows.map(({ facts }) => facts);
}

/** Those of the players whose waiting games must not start. */
export async function findIneligible(
  queries: Queries,
  playerIds: readonly PlayerId[],
  now: Instant,
): Promise<readonly PlayerId[]> {
  const questions = playerIds.map((playerId) => ({ playerId }));
  return (await loadSeatFacts(queries, questions, now)).filter(isIneligible).map(({ player }) => player);
}

export async function loadCoolDownEndAt(queries: Queries, playerId: PlayerId, now: Instant): Promise<Instant | null> {
  const facts = await loadSeatFacts(queries, [{ playerId }], now);
  return toCoolDownEndAt(findFactsOf(facts, playerId)?.missedAt ?? [], now);
}
