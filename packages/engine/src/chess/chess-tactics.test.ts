import { chess } from "@holo/chess/chess.ts";
import { expect, it } from "vitest";
import { chessEngine } from "./chess.ts";

const NODES_MAX = 30_000;

/**
 * "Win at Chess" by Reinfeld (WAC), the Bratko-Kopec test and classic games. Stockfish agrees with
 * each and finds every other move clearly worse.
 */
const POSITIONS = [
  ["WAC 1", "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1", "Qg6"],
  ["WAC 3", "5rk1/1ppb3p/p1pb4/6q1/3P1p1r/2P1R2P/PP1BQ1P1/5RKN w - - 0 1", "Rg3"],
  ["WAC 4", "r1bq2rk/pp3pbp/2p1p1pQ/7P/3P4/2PB1N2/PP3PPR/2KR4 w - - 0 1", "Qxh7+"],
  ["WAC 5", "5k2/6pp/p1qN4/1p1p4/3P4/2PKP2Q/PP3r2/3R4 b - - 0 1", "Qc4+"],
  ["WAC 6", "7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - 0 1", "Rb7"],
  ["WAC 7", "rnbqkb1r/pppp1ppp/8/4P3/6n1/7P/PPPNPPP1/R1BQKBNR b KQkq - 0 1", "Ne3"],
  ["WAC 9", "3q1rk1/p4pp1/2pb3p/3p4/6Pr/1PNQ4/P1PB1PP1/4RRK1 b - - 0 1", "Bh2+"],
  ["WAC 10", "2br2k1/2q3rn/p2NppQ1/2p1P3/Pp5R/4P3/1P3PPP/3R2K1 w - - 0 1", "Rxh7"],
  ["WAC 12", "4k1r1/2p3r1/1pR1p3/3pP2p/3P2qP/P4N2/1PQ4P/5R1K b - - 0 1", "Qxf3+"],
  ["WAC 13", "5rk1/pp4p1/2n1p2p/2Npq3/2p5/6P1/P3P1BP/R4Q1K w - - 0 1", "Qxf8+"],
  ["WAC 14", "r2rb1k1/pp1q1p1p/2n1p1p1/2bp4/5P2/PP1BPR1Q/1BPN2PP/R5K1 w - - 0 1", "Qxh7+"],
  ["WAC 16", "r4rk1/ppp2ppp/2n5/2bqp3/8/P2PB3/1PP1NPPP/R2Q1RK1 w - - 0 1", "Nc3"],
  ["WAC 19", "r1b2rk1/ppbn1ppp/4p3/1QP4q/3P4/N4N2/5PPP/R1B2RK1 w - - 0 1", "c6"],
  ["Bratko-Kopec 1", "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1", "Qd1+"],
  ["Morphy at the opera", "4kb1r/p2n1ppp/4q3/4p1B1/4P3/1Q6/PPP2PPP/2KR4 w k - 0 1", "Qb8+"],
  ["Réti against Tartakower", "rnb1kb1r/pp3ppp/2p5/4q3/4n3/3Q4/PPPB1PPP/2KR1BNR w kq - 0 1", "Qd8+"],
  ["Légal's mate", "r2qkbnr/ppp2p1p/2np2p1/4N3/2B1P1b1/2N5/PPPP1PPP/R1BQK2R w KQkq - 0 1", "Bxf7+"],
  ["a smothered mate", "5r1k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", "Qg8+"],
] as const;

it.each(POSITIONS)("solves %s", (_name, fen, best) => {
  const position = chess.parsePosition(fen);
  if (!position.ok) throw new Error(`not a position: ${fen}`);
  const { move } = chessEngine.analyse(position.value, { nodes: NODES_MAX });
  expect(move && chess.formatMove(position.value, move).replace("#", "+")).toBe(best);
});

it.each([
  ["a queen", "8/8/8/4k3/8/8/8/4K2Q w - - 0 1"],
  ["a rook", "8/8/8/4k3/8/8/8/4K2R w - - 0 1"],
])("mates a lone king with %s", (_name, fen) => {
  const start = chess.parsePosition(fen);
  if (!start.ok) throw new Error(`not a position: ${fen}`);
  let position = start.value;
  for (let ply = 0; ply < 80 && chess.outcome(position) === null; ply += 1) {
    const { move } = chessEngine.analyse(position, { nodes: 3_000 });
    const played = chess.play(position, move!.path, move!.promotion);
    if (!played.ok) throw new Error("not legal");
    position = played.value.position;
  }
  expect(chess.outcome(position)).toEqual({ type: "win", winner: 1, reason: "checkmate" });
});
