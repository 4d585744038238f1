import { checkers } from "@holo/checkers/checkers.ts";
import { assertNever } from "@holo/kernel/assert.ts";
import type { DrawReason } from "@holo/rules/rules.ts";
import { COMPUTER, PLAYER, type PracticeGame, toTurn } from "./practice-game.ts";

const DRAWS: Readonly<Partial<Record<DrawReason, string>>> = {
  threefold_repetition: "Draw by Threefold Repetition",
  three_kings: "Draw by Three Kings",
  kings_only: "Draw by Kings Only",
  balance_of_kings: "Draw by Balance of Kings",
  main_road: "Draw on the Main Road",
  few_pieces: "Draw by Few Pieces",
};

/** The player to move or the outcome (specification 2). A draw states its reason (ruling 14). */
export function formatStatus(game: PracticeGame): string {
  const { outcome } = game;
  if (outcome === null) return toTurn(game) === PLAYER ? "Your Turn (White)" : "AI's Turn (Black)";
  switch (outcome.type) {
    case "win":
      return outcome.winner === PLAYER ? "You Won!" : "AI Won!";
    case "draw":
      return DRAWS[outcome.reason] ?? "Draw";
    default:
      return assertNever(outcome);
  }
}

export function formatPly(game: PracticeGame): string {
  const ply = game.plies.at(-1);
  if (ply === undefined) return `New game. ${formatStatus(game)}.`;
  const who = checkers.toMove(ply.before) === COMPUTER ? "AI" : "You";
  return `${who}: ${checkers.describeMove(ply.before, ply.move)}. ${formatNext(game)}`;
}

export function formatTakenBack(before: PracticeGame, game: PracticeGame): string {
  const ply = before.plies[game.plies.length];
  return ply === undefined ? "" : `Taken back: ${checkers.describeMove(ply.before, ply.move)}. ${formatNext(game)}`;
}

function formatNext(game: PracticeGame): string {
  const mustCapture = toTurn(game) === PLAYER && checkers.mustCapture(game.position);
  const status = formatStatus(game).replace(/[^!]$/, "$&.");
  return mustCapture ? `${status} You must capture.` : status;
}
