import { assert } from "@holo/kernel/assert.ts";
import type { GameId } from "@holo/kernel/ids.ts";
import { type BySeat, ofSeat } from "@holo/rules/by-seat.ts";
import { rulesOf } from "@holo/rules/loaded-games.ts";
import type { GameType, Seat } from "@holo/rules/rules.ts";
import { evolve, openTable } from "@holo/table/evolve.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { type Analyst, openOwnAnalyst } from "./analyst.ts";
import { judgeMoves } from "./judge-moves.ts";
import { type GameEvaluation, type MoveFigures, toMoveFigures } from "./move-figures.ts";

export interface GameToJudge {
  readonly gameId: GameId;
  readonly game: GameType;
  /** The texts of its records. */
  readonly log: readonly string[];
  /** Before the game. */
  readonly ratings: BySeat<number>;
}

export interface GameFigures {
  readonly white: MoveFigures;
  readonly black: MoveFigures;
  readonly evaluation: GameEvaluation;
}

/** Judges the moves on the board at the end of a game. `analyst`: default our own engine. */
export async function judgeGame(
  { gameId, game, log, ratings }: GameToJudge,
  analyst: Analyst | null,
  rest: () => Promise<void>,
): Promise<GameFigures> {
  const rules = rulesOf(game);
  const [first, ...others] = log.map((text): LogRecord => JSON.parse(text));
  assert(first !== undefined, "a log is not empty");
  const { moves } = others.reduce((state, record) => evolve(rules, state, record), openTable(rules, gameId, first));
  const chosen = analyst ?? (await openOwnAnalyst(game));
  const judged = await judgeMoves(
    rules,
    moves.map(({ move }) => move),
    chosen,
    rest,
  );
  const thinkMs = moves.map(({ chargedMs }) => chargedMs);
  const timed = judged.moves.map((move, ply) => ({ ...move, thinkMs: thinkMs[ply]! }));
  const toFigures = (seat: Seat) =>
    toMoveFigures(
      timed.filter((move) => move.seat === seat),
      ofSeat(ratings, seat),
      game,
    );
  return {
    white: toFigures(1),
    black: toFigures(2),
    evaluation: { engine: chosen.name, scores: judged.scores },
  };
}
