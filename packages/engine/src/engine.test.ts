import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { GameRules, Move } from "@holo/rules/rules.ts";
import { describe, expect, it } from "vitest";
import { LEVELS, loadEngine, toWinChance, WIN } from "./engine.ts";

/** `Rules.parsePosition` of a text that is one. */
function positionOf<Position>(rules: GameRules<Position>, text: string): Position {
  const position = rules.parsePosition(text);
  if (!position.ok) throw new Error(`not a position: ${text}`);
  return position.value;
}

function playAll<Position>(rules: GameRules<Position>, start: Position, moves: readonly Move[]): Position {
  return moves.reduce((position, move) => {
    const played = rules.play(position, move.path, move.promotion);
    if (!played.ok) throw new Error("not legal");
    return played.value.position;
  }, start);
}

describe.each([chess, checkers] as readonly GameRules<unknown>[])("the engine of $game", (rules) => {
  it("gives the same answer for the same number of positions", async () => {
    const engine = await loadEngine(rules.game);
    const first = engine.analyse(rules.start(), { nodes: 3_000 });
    engine.analyse(playAll(rules, rules.start(), first.line), { nodes: 3_000 });
    expect(engine.analyse(rules.start(), { nodes: 3_000 })).toEqual(first);
    expect(first.nodes).toBe(3_000);
    expect(first.move).toEqual(first.line[0]);
  });

  it("chooses a legal move at each level, the same for the same seed", async () => {
    const engine = await loadEngine(rules.game);
    for (const level of LEVELS.slice(0, 4)) {
      const move = engine.chooseMove(rules.start(), level, 5);
      expect(rules.legalMoves(rules.start())).toContainEqual(move);
      expect(engine.chooseMove(rules.start(), level, 5)).toEqual(move);
    }
  });

  it("finds the next best without the best", async () => {
    const engine = await loadEngine(rules.game);
    const best = engine.analyse(rules.start(), { nodes: 3_000 });
    const next = engine.analyse(rules.start(), { nodes: 3_000, without: best.move! });
    expect(rules.legalMoves(rules.start())).toContainEqual(next.move);
    expect(next.move).not.toEqual(best.move);
    expect(best.score - next.score).toBeGreaterThan(-30);
  });

  it("varies its opening by seed", async () => {
    const engine = await loadEngine(rules.game);
    const texts = Array.from({ length: 12 }, (_, seed) =>
      rules.formatMove(rules.start(), engine.chooseMove(rules.start(), 1, seed)),
    );
    expect(new Set(texts).size).toBeGreaterThan(1);
  });
});

describe("the score", () => {
  it("of a forced win is WIN less its plies", async () => {
    const engine = await loadEngine("chess");
    const mateInTwo = positionOf(chess, "6k1/8/5K2/8/8/8/8/7Q w - - 0 1");
    expect(engine.analyse(mateInTwo, { nodes: 20_000 })).toMatchObject({ score: WIN - 3 });
    const afterwards = positionOf(chess, "6k1/8/5K2/8/8/8/6Q1/8 b - - 0 1");
    expect(engine.analyse(afterwards, { nodes: 20_000 })).toMatchObject({ score: 2 - WIN });
  });

  it("of a game that is over has no move", async () => {
    const engine = await loadEngine("checkers");
    expect(engine.analyse(positionOf(checkers, "W:W:Bh8"), { nodes: 10 })).toEqual({
      move: null,
      score: -WIN,
      line: [],
      depth: 0,
      nodes: 0,
    });
  });

  it("becomes a chance between 0 and 1", () => {
    for (const game of ["checkers", "chess"]) {
      expect(toWinChance(0, game)).toBe(0.5);
      expect(toWinChance(WIN - 5, game)).toBe(1);
      expect(toWinChance(5 - WIN, game)).toBeCloseTo(0);
      expect(toWinChance(100, game) + toWinChance(-100, game)).toBeCloseTo(1);
    }
    expect(toWinChance(100, "checkers")).toBeGreaterThan(toWinChance(100, "chess"));
  });
});
