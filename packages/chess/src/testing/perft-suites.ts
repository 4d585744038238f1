export interface PerftCase {
  readonly name: string;
  readonly fen: string;
  /** By depth, from 1 if the source gives all counts, else only the given depth. */
  readonly counts: ReadonlyMap<number, number>;
}

/** Positions of the wiki: https://www.chessprogramming.org/Perft_Results */
export const WIKI_CASES: readonly PerftCase[] = [
  {
    name: "the first position",
    fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    counts: fromDepthOne(20, 400, 8_902, 197_281, 4_865_609, 119_060_324),
  },
  {
    name: "position 2, Kiwipete",
    fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    counts: fromDepthOne(48, 2_039, 97_862, 4_085_603, 193_690_690),
  },
  {
    name: "position 3",
    fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    counts: fromDepthOne(14, 191, 2_812, 43_238, 674_624, 11_030_083),
  },
  {
    name: "position 4",
    fen: "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    counts: fromDepthOne(6, 264, 9_467, 422_333, 15_833_292),
  },
  {
    name: "position 4 mirrored",
    fen: "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    counts: fromDepthOne(6, 264, 9_467, 422_333, 15_833_292),
  },
  {
    name: "position 5",
    fen: "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    counts: fromDepthOne(44, 1_486, 62_379, 2_103_487, 89_941_194),
  },
  {
    name: "position 6",
    fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    counts: fromDepthOne(46, 2_079, 89_890, 3_894_594, 164_075_551),
  },
];

/**
 * Difficult positions collected by Peter Ellis Jones, with our names and without positions 5 and 6:
 * https://gist.github.com/peterellisjones/8c46c28141c162d1d8a0f0badbc9cff9
 */
export const TRICKY_CASES: readonly PerftCase[] = [
  atDepth(1, 8, "r6r/1b2k1bq/8/8/7B/8/8/R3K2R b KQ - 3 2", "a bishop's check from afar"),
  atDepth(1, 8, "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3", "en passant takes the pawn that gives check"),
  atDepth(1, 19, "r1bqkbnr/pppppppp/n7/8/8/P7/1PPPPPPP/RNBQKBNR w KQkq - 2 2", "a rook behind its pawn"),
  atDepth(
    1,
    5,
    "r3k2r/p1pp1pb1/bn2Qnp1/2qPN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQkq - 3 2",
    "no castling out of a queen's check",
  ),
  atDepth(
    1,
    44,
    "2kr3r/p1ppqpb1/bn2Qnp1/3PN3/1p2P3/2N5/PPPBBPPP/R3K2R b KQ - 3 2",
    "a pinned pawn before a castled king",
  ),
  atDepth(1, 39, "rnb2k1r/pp1Pbppp/2p5/q7/2B5/8/PPPQNnPP/RNB1K2R w KQ - 3 9", "promotions beside a pin"),
  atDepth(1, 9, "2r5/3pk3/8/2P5/8/2K5/8/8 w - - 5 4", "a pawn pinned along its file"),
  atDepth(6, 1_134_888, "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", "en passant pinned along the row"),
  atDepth(6, 1_015_133, "8/8/4k3/8/2p5/8/B2P2K1/8 w - - 0 1", "en passant pinned along the diagonal"),
  atDepth(6, 1_440_467, "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", "en passant gives check"),
  atDepth(6, 661_072, "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "short castling gives check"),
  atDepth(6, 803_711, "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "long castling gives check"),
  atDepth(4, 1_274_206, "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", "rights lost with a rook that is taken"),
  atDepth(4, 1_720_476, "r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", "castling prevented by attacks"),
  atDepth(6, 3_821_001, "2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", "promotion out of check"),
  atDepth(5, 1_004_658, "8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", "check discovered by a promotion"),
  atDepth(6, 217_342, "4k3/1P6/8/8/8/8/K7/8 w - - 0 1", "promotion gives check"),
  atDepth(6, 92_683, "8/P1k5/K7/8/8/8/8/8 w - - 0 1", "promotion to less than a queen"),
  atDepth(6, 2_217, "K1k5/8/P7/8/8/8/8/8 w - - 0 1", "stalemate of the side to move"),
  atDepth(7, 567_584, "8/k1P5/8/1K6/8/8/8/8 w - - 0 1", "stalemate and mate by promotion"),
  atDepth(4, 23_527, "8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", "double check"),
];

function fromDepthOne(...counts: number[]): ReadonlyMap<number, number> {
  return new Map(counts.map((count, index) => [index + 1, count]));
}

function atDepth(depth: number, count: number, fen: string, name: string): PerftCase {
  return { name, fen, counts: new Map([[depth, count]]) };
}
