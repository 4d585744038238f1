import type { DrawReason, Move } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CheckersPosition, checkers } from "./checkers.ts";
import { endings, toBoardText, toPosition } from "./testing/arbitrary.ts";

const DRAWS_OF_CHECKERS: readonly DrawReason[] = [
  "balance_of_kings",
  "few_pieces",
  "kings_only",
  "main_road",
  "three_kings",
  "threefold_repetition",
];

/** One position of a game with the move that led to it; null for the first. */
interface Step {
  readonly board: string;
  readonly text: string;
  readonly by: "start" | "capture" | "crowning" | "man" | "king";
}

function toStep(position: CheckersPosition, by: Step["by"]): Step {
  return { board: toBoardText(position), text: checkers.formatPosition(position), by };
}

function nameMove(before: CheckersPosition, after: CheckersPosition, { path, captured }: Move): Step["by"] {
  if (captured.length > 0) return "capture";
  if (checkers.pieceAt(before, path[0]!)?.kind === "crowned") return "king";
  return checkers.pieceAt(after, path.at(-1)!)?.kind === "crowned" ? "crowning" : "man";
}

function countSigns(board: string, signs: string): number {
  return board.split("").filter((sign) => signs.includes(sign)).length;
}

/** How many of the newest steps satisfy `holds` without a gap. */
function countBack(steps: readonly Step[], holds: (step: Step) => boolean): number {
  const failing = steps.findLastIndex((step) => !holds(step));
  return steps.length - 1 - failing;
}

function findDrawSlowly(steps: readonly Step[]): DrawReason | null {
  const { board, text } = steps.at(-1)!;
  const total = countSigns(board, "aAbB");
  const quiet = countBack(steps, ({ by }) => by === "man" || by === "king");
  const kingMoves = countBack(steps, ({ by }) => by === "king");
  const sides = [
    { strong: "aA", kings: "A", lone: "B", weak: "bB" },
    { strong: "bB", kings: "B", lone: "A", weak: "aA" },
  ];
  const facing = (signs: string, matches: (pieces: number, kings: number, king: number) => boolean): boolean =>
    sides.some(({ strong, kings, lone, weak }) => {
      if (countSigns(signs, weak) !== 1 || countSigns(signs, lone) !== 1) return false;
      return matches(countSigns(signs, strong), countSigns(signs, kings), signs.indexOf(lone));
    });
  const isRoad = (signs: string): boolean =>
    facing(signs, (pieces, kings, king) => pieces === 3 && kings > 0 && king % 7 === 0);
  const road = Math.min(quiet, countBack(steps, (step) => isRoad(step.board)) - 1);

  if (steps.filter((step) => step.text === text).length >= 3) return "threefold_repetition";
  if (quiet >= 10 && facing(board, (pieces, kings) => pieces <= 2 && kings > 0)) return "few_pieces";
  if (road >= 10) return "main_road";
  if (quiet >= 30 && facing(board, (pieces, kings) => kings >= 3 && pieces === kings)) return "three_kings";
  if (kingMoves >= 30) return "kings_only";
  if (!board.includes("A") || !board.includes("B")) return null;
  if (total >= 4 && total <= 5 && quiet >= 60) return "balance_of_kings";
  return total >= 6 && total <= 7 && quiet >= 120 ? "balance_of_kings" : null;
}

function peacefulMoves(position: CheckersPosition, moves: readonly Move[], mayMoveMan: boolean): readonly Move[] {
  const peaceful = moves.filter(({ path, captured }) => {
    if (captured.length > 0 || (!mayMoveMan && checkers.pieceAt(position, path[0]!)?.kind === "man")) return false;
    const played = checkers.play(position, path);
    return played.ok && !checkers.mustCapture(played.value.position);
  });
  return peaceful.length > 0 ? peaceful : moves;
}

describe("the draws", () => {
  it("follow from the whole history, also if a game continues after one", () => {
    const seen = new Set<DrawReason>();
    const picks = fc.array(fc.nat({ max: 999 }), { minLength: 140, maxLength: 140 });
    const property = fc.property(endings, picks, fc.integer({ min: 1, max: 12 }), (setup, choices, breadth) => {
      let position = toPosition(setup);
      const steps = [toStep(position, "start")];
      for (const choice of choices) {
        const among = peacefulMoves(position, checkers.legalMoves(position), choice % 20 === 0).slice(0, breadth);
        if (among.length === 0) break;
        const move = among[choice % among.length]!;
        const played = checkers.play(position, move.path);
        if (!played.ok) throw new Error("a legal move was refused");
        steps.push(toStep(played.value.position, nameMove(position, played.value.position, move)));
        position = played.value.position;
        const outcome = checkers.outcome(position);
        if (outcome?.type === "win") break;
        expect(outcome?.reason ?? null).toBe(findDrawSlowly(steps));
        if (outcome !== null) seen.add(outcome.reason);
      }
    });
    fc.assert(property, { seed: 7, numRuns: process.env.DEEP ? 1_000 : 100 });
    expect([...seen].sort()).toEqual(DRAWS_OF_CHECKERS);
  });
});
