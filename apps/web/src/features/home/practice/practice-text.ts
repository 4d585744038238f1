import { assertNever } from "@holo/kernel/assert.ts";
import type { DrawReason } from "@holo/rules/rules.ts";
import { type PracticeGame, toTurn } from "./practice-game.ts";

const DRAWS: Readonly<Record<DrawReason, string>> = {
  stalemate: "Draw by Stalemate",
  threefold_repetition: "Draw by Threefold Repetition",
  fifty_moves: "Draw by the Fifty-Move Rule",
  insufficient_material: "Draw by Insufficient Material",
  three_kings: "Draw by Three Kings",
  kings_only: "Draw by Kings Only",
  balance_of_kings: "Draw by Balance of Kings",
  main_road: "Draw on the Main Road",
  few_pieces: "Draw by Few Pieces",
};

/** The player to move or the outcome (specification 2). A draw states its reason (ruling 14). */
export function formatStatus(game: PracticeGame): string {
  const { outcome, player } = game;
  const turn = toTurn(game);
  if (outcome === null) return `${turn === player ? "Your Turn" : "AI's Turn"} (${turn === 1 ? "White" : "Black"})`;
  switch (outcome.type) {
    case "win":
      return outcome.winner === player ? "You Won!" : "AI Won!";
    case "draw":
      return DRAWS[outcome.reason];
    default:
      return assertNever(outcome);
  }
}

export function formatPly(game: PracticeGame): string {
  const ply = game.plies.at(-1);
  if (ply === undefined) return `New game. ${formatNext(game)}`;
  const who = game.rules.toMove(ply.before) === game.player ? "You" : "AI";
  return `${who}: ${game.rules.describeMove(ply.before, ply.move)}. ${formatNext(game)}`;
}

export function formatTakenBack(before: PracticeGame, game: PracticeGame): string {
  const ply = before.plies[game.plies.length];
  if (ply === undefined) return "";
  return `Taken back: ${game.rules.describeMove(ply.before, ply.move)}. ${formatNext(game)}`;
}

function formatNext(game: PracticeGame): string {
  const status = formatStatus(game).replace(/[^!]$/, "$&.");
  if (toTurn(game) !== game.player) return status;
  if (game.rules.mustCapture(game.position)) return `${status} You must capture.`;
  return game.rules.checkedSquare(game.position) === null ? status : `${status} You are in check.`;
}

/** Why the game was won; empty during a game and for a draw, whose status says it. */
export function formatReason({ outcome }: PracticeGame): string {
  if (outcome?.type !== "win") return "";
  const { reason } = outcome;
  switch (reason) {
    case "checkmate":
      return "Checkmate.";
    case "no_pieces":
      return "No pieces left.";
    case "no_moves":
      return "No legal move left.";
    default:
      return assertNever(reason);
  }
}
