import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkers } from "./checkers.ts";
import { compareSquares } from "./moves.ts";
import { listDistinctMoves, perft } from "./perft.ts";
import { choices, setups, toBoardText, toPosition } from "./testing/arbitrary.ts";
import { slowMoves, slowPerft } from "./testing/slow-rules.ts";

const SEED = 20_240_613;
const TIMES = process.env.DEEP ? 10 : 1;

function check<Ts extends [unknown, ...unknown[]]>(property: fc.IProperty<Ts>, numRuns: number): void {
  fc.assert(property, { seed: SEED, numRuns: numRuns * TIMES });
}

describe("the fast rules and the slow rules", () => {
  it("list the same legal moves on any board, in the stable order", () => {
    const property = fc.property(setups, (setup) => {
      const slow = slowMoves(setup.board, setup.turn).sort((a, b) => compareSquares(a.path, b.path));
      expect(checkers.legalMoves(toPosition(setup))).toEqual(slow.map(({ path, captured }) => ({ path, captured })));
    });
    check(property, 2_000);
  });

  it("reach the same board by every legal move", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      for (const { path, captured, after } of slowMoves(setup.board, setup.turn)) {
        const played = checkers.play(position, path);
        expect(played.ok && played.value.move).toEqual({ path, captured });
        expect(played.ok && toBoardText(played.value.position)).toBe(after);
        expect(played.ok && checkers.toMove(played.value.position)).toBe(setup.turn === 1 ? 2 : 1);
      }
    });
    check(property, 700);
  });

  it("count the same distinct sequences of two moves", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      expect(perft(position, 1)).toBe(listDistinctMoves(position).length);
      expect(perft(position, 2)).toBe(slowPerft(setup.board, setup.turn, 2));
    });
    check(property, 500);
  });
});

describe("play", () => {
  const squares = fc.oneof(
    { weight: 9, arbitrary: fc.nat({ max: 63 }) },
    { weight: 1, arbitrary: fc.constantFrom(-1, 64, 1.5, Number.NaN, 4_294_967_296) },
  );
  /** A legal path with one change, so that most refused paths are almost legal. */
  const changes = fc.record({
    pick: fc.nat({ max: 999 }),
    at: fc.nat({ max: 12 }),
    square: squares,
    kind: fc.constantFrom("replace", "insert", "remove", "cut", "append"),
  });

  function change(
    path: readonly number[],
    { at, square, kind }: { at: number; square: number; kind: string },
  ): number[] {
    const place = at % path.length;
    if (kind === "replace") return path.with(place, square);
    if (kind === "insert") return path.toSpliced(place, 0, square);
    if (kind === "remove") return path.toSpliced(place, 1);
    return kind === "cut" ? path.slice(0, place) : [...path, square];
  }

  it("refuses every illegal path", () => {
    const property = fc.property(setups, fc.array(changes, { minLength: 20, maxLength: 20 }), (setup, attempts) => {
      const position = toPosition(setup);
      const slow = slowMoves(setup.board, setup.turn);
      for (const attempt of attempts) {
        const path = change(slow[attempt.pick % Math.max(1, slow.length)]?.path ?? [attempt.square], attempt);
        const isLegal = slow.some((move) => compareSquares(move.path, path) === 0);
        expect(checkers.play(position, path).ok).toBe(isLegal);
      }
    });
    check(property, 1_000);
  });

  it("refuses every two squares that are not a legal move", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      const legal = new Set(slowMoves(setup.board, setup.turn).map(({ path }) => path.join()));
      const played: string[] = [];
      for (let from = 0; from < 64; from += 1) {
        for (let to = 0; to < 64; to += 1) {
          if (checkers.play(position, [from, to]).ok) played.push(`${from},${to}`);
        }
      }
      // Longer paths are among the legal ones too.
      expect(played.sort()).toEqual([...legal].filter((path) => path.split(",").length === 2).sort());
    });
    check(property, 40);
  });

  it("leaves the earlier position unchanged", () => {
    const property = fc.property(choices, (picks) => {
      let position = Object.freeze(checkers.start());
      const seen: [typeof position, string][] = [];
      for (const pick of picks) {
        const moves = checkers.legalMoves(position);
        if (moves.length === 0) break;
        seen.push([position, JSON.stringify([checkers.formatPosition(position), checkers.outcome(position)])]);
        const played = checkers.play(position, moves[pick % moves.length]!.path);
        if (!played.ok) throw new Error("a legal move was refused");
        position = Object.freeze(played.value.position);
      }
      for (const [earlier, text] of seen) {
        expect(JSON.stringify([checkers.formatPosition(earlier), checkers.outcome(earlier)])).toBe(text);
      }
    });
    check(property, 50);
  });
});

describe("a position's own data", () => {
  it("agrees with its legal moves", () => {
    const property = fc.property(setups, (setup) => {
      const position = toPosition(setup);
      const moves = checkers.legalMoves(position);
      expect(checkers.mustCapture(position)).toBe(moves.some(({ captured }) => captured.length > 0));
      expect(checkers.checkedSquare(position)).toBeNull();
      const outcome = checkers.outcome(position);
      const isOver = moves.length === 0 || !/[aA]/.test(setup.board) || !/[bB]/.test(setup.board);
      expect(outcome?.type).toBe(isOver ? "win" : undefined);
      if (outcome?.type === "win") expect(checkers.canWin(position, outcome.winner)).toBe(true);
    });
    check(property, 1_000);
  });
});
