import type { Move } from "@holo/rules/rules.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChessPosition, chess } from "./chess.ts";
import { pgn } from "./pgn.ts";
import { WIKI_CASES } from "./testing/perft-suites.ts";
import { positionOf } from "./testing/positions.ts";
import { readPgn } from "./testing/read-pgn.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

interface Game {
  readonly start: ChessPosition;
  readonly positions: readonly ChessPosition[];
  readonly moves: readonly Move[];
}

/** Games that start anywhere in the perft tables and go on by arbitrary legal moves. */
const games = fc
  .tuple(fc.constantFrom(...WIKI_CASES), fc.array(fc.nat(), { maxLength: 60 }))
  .map(([{ fen }, choices]): Game => {
    const start = positionOf(fen);
    const positions = [start];
    const moves: Move[] = [];
    let position = start;
    for (const choice of choices) {
      const legal = chess.legalMoves(position);
      if (legal.length === 0) break;
      const move = legal[choice % legal.length]!;
      position = positionAfter(position, move);
      positions.push(position);
      moves.push(move);
    }
    return { start, positions, moves };
  });
const positions = games.map((game) => game.positions.at(-1)!);

function positionAfter(position: ChessPosition, move: Move): ChessPosition {
  const played = chess.play(position, move.path, move.promotion);
  if (!played.ok) throw new Error("a legal move is refused");
  return played.value.position;
}

test("plays every listed move and describes it as the list does", () => {
  fc.assert(
    fc.property(positions, (position) => {
      for (const move of chess.legalMoves(position)) {
        const played = chess.play(position, move.path, move.promotion);
        expect(played.ok && played.value.move).toEqual(move);
      }
    }),
  );
});

test("plays a pair of squares exactly if it is in the list of legal moves", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const legal = new Set(chess.legalMoves(position).map((move) => move.path.join("-")));
      for (let from = 0; from < 64; from++) {
        for (let to = 0; to < 64; to++) {
          const isPlayed = chess.play(position, [from, to]).ok;
          if (isPlayed !== legal.has(`${from}-${to}`)) expect.fail(`${chess.formatPosition(position)} ${from}-${to}`);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test("plays a path with a promotion exactly if it is in the list, with a queen by default", () => {
  const paths = fc.oneof(
    fc.array(fc.oneof(fc.integer({ min: -2, max: 66 }), fc.double()), { maxLength: 4 }),
    fc.tuple(fc.integer({ min: 8, max: 15 }), fc.integer({ min: 0, max: 7 })),
  );
  const promotions = fc.constantFrom("q", "r", "b", "n", undefined);
  fc.assert(
    fc.property(positions, paths, promotions, (position, path, promotion) => {
      const isListed = chess
        .legalMoves(position)
        .filter((move) => move.path.join() === path.join())
        .some((move) => move.promotion === promotion || (move.promotion === "q" && promotion === undefined));
      expect(chess.play(position, path, promotion).ok).toBe(isListed);
    }),
    { numRuns: 500 },
  );
});

test("lists each move once, in the same order every time", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const names = chess.legalMoves(position).map((move) => [...move.path, move.promotion].join());
      expect(new Set(names).size).toBe(names.length);
      expect(chess.legalMoves(position).map((move) => [...move.path, move.promotion].join())).toEqual(names);
    }),
  );
});

test("parses its own FEN as the same position, without the count of repetitions", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const text = chess.formatPosition(position);
      const read = positionOf(text);
      expect(chess.formatPosition(read)).toBe(text);
      expect(chess.legalMoves(read)).toEqual(chess.legalMoves(position));
      expect(chess.checkedSquare(read)).toBe(chess.checkedSquare(position));
    }),
  );
});

test("formats each move differently and parses it as the same move", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const moves = chess.legalMoves(position);
      const texts = moves.map((move) => chess.formatMove(position, move));
      expect(new Set(texts).size).toBe(moves.length);
      for (const [index, text] of texts.entries()) {
        expect(chess.parseMove(position, text)).toEqual({ ok: true, value: moves[index] });
      }
    }),
    { numRuns: 50 },
  );
});

test("parses its own PGN as the same game", () => {
  const result = fc.constantFrom("1-0", "0-1", "1/2-1/2", "*");
  fc.assert(
    fc.property(games, result, fc.string(), (game, ending, event) => {
      const printable = event.replace(/\p{Cc}/gu, "");
      const tags = new Map([
        ["Event", printable],
        ["FEN", chess.formatPosition(game.start)],
      ]);
      const text = pgn.formatGame({ tags, moves: game.moves, result: ending });
      const read = readPgn(text);
      expect(read.ok && read.value.moves).toEqual(game.moves);
      expect(read.ok && read.value.result).toBe(ending);
      expect(read.ok && read.value.tags.get("Event")).toBe(printable);
      expect(read.ok && pgn.formatGame(read.value)).toBe(text);
    }),
  );
});

test("parses or refuses any text without a fault", () => {
  const signs = fc.constantFrom(...'[]"\\{}();%$.!?*/-=+#x01KQRBNabcdefgh12345678 \n');
  fc.assert(
    fc.property(fc.string({ unit: signs, maxLength: 200 }), (text) => {
      expect(typeof readPgn(text).ok).toBe("boolean");
      expect(typeof chess.parsePosition(text).ok).toBe("boolean");
      expect(typeof chess.parseMove(chess.start(), text).ok).toBe("boolean");
    }),
    { numRuns: 1_000 },
  );
});

test("leaves earlier positions unchanged", () => {
  fc.assert(
    fc.property(games, (game) => {
      const before = game.positions.map((position) => chess.formatPosition(position));
      const outcomes = game.positions.map((position) => chess.outcome(position));
      for (const position of game.positions) {
        for (const move of chess.legalMoves(position)) chess.outcome(positionAfter(position, move));
        chess.play(position, [0, 63]);
      }
      expect(game.positions.map((position) => chess.formatPosition(position))).toEqual(before);
      expect(game.positions.map((position) => chess.outcome(position))).toEqual(outcomes);
    }),
    { numRuns: 50 },
  );
});

test("ends a game by mate or stalemate exactly if there is no legal move", () => {
  fc.assert(
    fc.property(positions, (position) => {
      const outcome = chess.outcome(position);
      const isOver = outcome !== null && (outcome.type === "win" || outcome.reason === "stalemate");
      expect(isOver).toBe(chess.legalMoves(position).length === 0);
      if (outcome?.type === "win") expect(outcome.winner).not.toBe(chess.toMove(position));
    }),
  );
});
