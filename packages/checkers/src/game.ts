import type { Game } from "@holo/rules/game.ts";

export const CHECKERS: Game = {
  id: "checkers",
  name: "Checkers",
  pieceCount: 12,
  pieces: { man: ["a", "b"], crowned: ["A", "B"] },
  look: "discs",
  // PDN has no registered type.
  file: { name: "PDN", ending: "pdn", type: "text/plain; charset=utf-8" },
  moveExamples: "c3-d4 or c3:e5",
  about: "Checkers are Russian draughts: men also capture backwards, kings fly, and captures are mandatory.",
  draws: "Checkers has the automatic draws of Russian draughts.",
  loadRules: async () => (await import("./checkers.ts")).checkers,
};
