import { assert } from "@holo/kernel/assert.ts";
import { makeRandom } from "@holo/kernel/random.ts";
import type { Move } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { expect, test } from "vitest";
import { type ChessPosition, chess } from "./chess.ts";
import { TRICKY_CASES, WIKI_CASES } from "./testing/perft-suites.ts";
import { playAll, positionOf, sansOf } from "./testing/positions.ts";

const POSITIONS = process.env.DEEP ? 10_000 : 500;
const PLIES_MAX = 40;
const TIMEOUT_MS = 300_000;

/** In addition to the perft tables: little material, where games end soon in every way. */
const STARTS = [
  "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
  "8/8/8/8/8/2k5/1q6/K6R w - - 90 70",
  "k7/8/1K6/8/8/8/8/7R w - - 0 1",
  "4k3/PPP2ppp/8/8/8/8/ppp2PPP/4K3 w - - 0 1",
  "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
  "4k3/8/8/8/8/8/3p4/2B1K3 w - - 0 1",
  ...[...WIKI_CASES, ...TRICKY_CASES].map(({ fen }) => fen),
];

test(`agrees with chess.js in ${POSITIONS} positions of random games`, { timeout: TIMEOUT_MS }, () => {
  let compared = 0;
  for (let seed = 1; compared < POSITIONS; seed++) compared += compareGame(seed);
  expect(compared).toBeGreaterThanOrEqual(POSITIONS);
});

test("agrees with chess.js on threefold repetition", () => {
  const line = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
  const oracle = new Chess();
  for (const san of line.split(" ")) oracle.move(san);
  expectSame(playAll(chess.start(), line), oracle, "repetition");
  expect(oracle.isThreefoldRepetition()).toBe(true);
});

/** Plays one random game on both and returns the positions compared. A failure names the seed. */
function compareGame(seed: number): number {
  const random = makeRandom(seed);
  const start = STARTS[seed % STARTS.length]!;
  let position = positionOf(start);
  const oracle = new Chess(start);
  for (let ply = 0; ply < PLIES_MAX; ply++) {
    expectSame(position, oracle, `seed ${seed}, ply ${ply}`);
    if (chess.outcome(position) !== null) return ply + 1;
    const moves = chess.legalMoves(position);
    const move = moves[random(moves.length)]!;
    oracle.move(toOracle(move));
    const played = chess.play(position, move.path, move.promotion);
    assert(played.ok, `seed ${seed}, ply ${ply}: a legal move is refused`);
    position = played.value.position;
  }
  return PLIES_MAX;
}

function expectSame(position: ChessPosition, oracle: Chess, where: string): void {
  const outcome = chess.outcome(position);
  expect(
    {
      fen: chess.formatPosition(position),
      sans: sansOf(position),
      isCheck: chess.checkedSquare(position) !== null,
      isMate: outcome?.type === "win",
      isStalemate: outcome?.type === "draw" && outcome.reason === "stalemate",
      isDraw: outcome?.type === "draw",
    },
    where,
  ).toEqual({
    fen: oracle.fen(),
    sans: oracle.moves().sort(),
    isCheck: oracle.inCheck(),
    isMate: oracle.isCheckmate(),
    isStalemate: oracle.isStalemate(),
    isDraw: oracle.isDraw() && !oracle.isCheckmate(),
  });
}

function toOracle(move: Move): { from: string; to: string; promotion?: string } {
  const [from, to] = move.path;
  assert(from !== undefined && to !== undefined, "a path has two squares");
  const ends = { from: formatSquare(from), to: formatSquare(to) };
  return move.promotion === undefined ? ends : { ...ends, promotion: move.promotion };
}
