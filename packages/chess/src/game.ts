import type { Game } from "@holo/rules/game.ts";

export const CHESS: Game = {
  id: "chess",
  name: "Chess",
  pieceCount: 16,
  pieces: {
    pawn: ["P", "p"],
    knight: ["N", "n"],
    bishop: ["B", "b"],
    rook: ["R", "r"],
    queen: ["Q", "q"],
    king: ["K", "k"],
  },
  look: "figures",
  file: { name: "PGN", ending: "pgn", type: "application/vnd.chess-pgn; charset=utf-8" },
  moveExamples: "Nf3, exd5 or O-O",
  about: "Chess follows the usual rules. A pawn becomes a queen unless you switch on the choice.",
  draws:
    "Chess is a draw by stalemate, threefold repetition, fifty moves or too little material. When a clock runs out and the other side has no possible way to checkmate, the game is a draw.",
  loadRules: async () => (await import("./chess.ts")).chess,
};
