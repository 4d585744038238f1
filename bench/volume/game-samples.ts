import { assert } from "@holo/kernel/assert.ts";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import { type BySeat, ofSeat, replaceSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import { gameOf } from "@holo/rules/registry.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { DEFAULT_FEE_BPS, type Terms, toTerms } from "@holo/table/platform-fee.ts";
import type { Stake } from "@holo/table/stakes.ts";
import type { TableState } from "@holo/table/state.ts";
import {
  type GameProjection,
  type LogProjection,
  toGameProjection,
  toLogProjection,
} from "../../apps/server/src/game/log/game-projection.ts";
import { makeRandomGames } from "../rules/random-games.ts";

export type GameEnd = "resignation" | "time" | "agreement" | "cancelled" | "none";

/** A played game without its players and instants, from which many rows are made. */
export interface GameSample {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly end: GameEnd;
  readonly terms: Terms;
  readonly records: readonly LogRecord[];
  readonly projection: GameProjection;
  /** What holds after each record. */
  readonly rows: readonly LogProjection[];
  /** Null: a draw, cancelled or not ended. */
  readonly winner: Seat | null;
}

const STAKES: readonly Stake[] = [1, 2, 5, 10];
const LIMITS_MS = [300_000, 600_000];
/** Plies of a sample: 17 on average, which makes 20 records. */
const PLIES = Array.from({ length: 27 }, (_, index) => index + 4);
const MOVE_MS = 2_000;

export function toPlayer(seat: Seat): PlayerId {
  return `player-${seat}` as PlayerId;
}

/** Samples of every game, stake and time limit that ended this way. The same in every run. */
export function makeSamples(end: GameEnd): readonly GameSample[] {
  const random = makeRandom(19);
  return (["checkers", "chess"] as const).flatMap((game) =>
    STAKES.flatMap((stake) =>
      LIMITS_MS.flatMap((limitMs) =>
        PLIES.filter((_, index) => end !== "cancelled" || index === 0).map((plies) =>
          makeSample({ game, stake, limitMs, end, plies: end === "cancelled" ? 1 : plies, seed: random(1_000_000) }),
        ),
      ),
    ),
  );
}

interface SampleOrder {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly end: GameEnd;
  readonly plies: number;
  readonly seed: number;
}

function makeSample({ game, stake, limitMs, end, plies, seed }: SampleOrder): GameSample {
  const rules = rulesOf(game);
  const [moves] = makeRandomGames(rules, { count: 1, plies: plies + 1, orShorter: false, seed });
  assert(moves !== undefined, "a game was played");
  let remainingMs: BySeat<number> = [limitMs, limitMs];
  const records: LogRecord[] = [];
  const add = (by: Seat | 0, ...events: TableEvent[]): void => {
    records.push({ version: records.length + 1, at: toInstant(records.length * MOVE_MS), by, events });
  };
  add(1, { type: "created", game, stake, limitMs, feeBps: DEFAULT_FEE_BPS, player: toPlayer(1) });
  add(2, { type: "joined", player: toPlayer(2), pairing: "matchmaking" });
  for (const [ply, { path, promotion }] of moves.slice(0, plies).entries()) {
    const by = ply % 2 === 0 ? 1 : 2;
    const chargedMs = ply < 2 ? 0 : MOVE_MS;
    remainingMs = replaceSeat(remainingMs, by, ofSeat(remainingMs, by) - chargedMs);
    add(by, { type: "moved", path, ...(promotion === undefined ? {} : { promotion }), chargedMs, remainingMs });
  }
  const winner: Seat = plies % 2 === 0 ? 2 : 1;
  const loser: Seat = winner === 1 ? 2 : 1;
  switch (end) {
    case "resignation":
      add(loser, { type: "ended", winner, reason: "resignation", remainingMs });
      break;
    case "time":
      add(0, {
        type: "ended",
        winner,
        reason: "time",
        remainingMs: loser === 1 ? [0, remainingMs[1]] : [remainingMs[0], 0],
      });
      break;
    case "agreement":
      add(1, { type: "draw_offered", seat: 1 });
      add(
        2,
        { type: "draw_answered", seat: 2, offer: records.length, answer: "accept" },
        { type: "ended", winner: null, reason: "agreement", remainingMs },
      );
      break;
    case "cancelled":
      add(1, { type: "cancelled", reason: "player", seat: 1 });
      break;
    case "none":
      break;
  }
  const gameId = "sample" as GameId;
  let state: TableState<unknown> = openTable(rules, gameId, records[0]!);
  const rows = [toLogProjection(state)];
  for (const record of records.slice(1)) {
    state = evolve(rules, state, record);
    rows.push(toLogProjection(state));
  }
  return {
    game,
    stake,
    limitMs,
    end,
    terms: toTerms(stake, gameOf(game).pieceCount, DEFAULT_FEE_BPS),
    records,
    rows,
    projection: toGameProjection(state, records.at(-1)!),
    winner: end === "resignation" || end === "time" ? winner : null,
  };
}
