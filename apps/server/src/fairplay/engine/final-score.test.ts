import { expect, test } from "vitest";
import { toFinalScore } from "./final-score.ts";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

test("scores a chess position for the given side, whoever is to move", async () => {
  const queenUp = (turn: string) => `rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR ${turn} KQkq - 0 1`;
  for (const turn of ["w", "b"]) {
    expect(await toFinalScore("chess", queenUp(turn), 1)).toBeGreaterThan(600);
    expect(await toFinalScore("chess", queenUp(turn), 2)).toBeLessThan(-600);
  }
  expect(Math.abs(await toFinalScore("chess", START, 2))).toBeLessThan(100);
});

test("sees what is about to be taken", async () => {
  const hanging = (turn: string) => `rnb1kbnr/pppppppp/8/8/8/5q2/PPPPPPPP/RNBQKBNR ${turn} KQkq - 0 1`;
  expect(await toFinalScore("chess", hanging("w"), 2)).toBeLessThan(-600);
});

test("scores a draughts position, and one that the rules have ended", async () => {
  const manUp = "W:Wa3,c3,e3:Bb6,d6";
  expect(await toFinalScore("checkers", manUp, 1)).toBeGreaterThan(50);
  expect(await toFinalScore("checkers", manUp, 2)).toBeLessThan(-50);
  expect(await toFinalScore("checkers", "B:Wa3,c3:B", 2)).toBeLessThan(-50_000);
});
