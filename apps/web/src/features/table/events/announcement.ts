import type { Move, Seat } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { type TableViewModel, toName } from "../view-model.ts";

/** "chidi-ix: e7 to f6. Your turn. You must capture." */
export function formatAnnouncement(viewModel: TableViewModel, by: Seat, move: Move): string {
  return `${formatMoved(viewModel, by, move)} ${formatTurn(viewModel)}`.trim();
}

/** "Your turn. You must capture." Empty when it is nobody's turn. */
export function formatTurn({ shown, seat, turn, position }: TableViewModel): string {
  if (turn === null) return "";
  const said = [
    turn === seat ? "Your turn." : seat === null ? `${toName({ shown }, turn)} to move.` : "Opponent's turn.",
  ];
  if (shown.rules.checkedSquare(position) !== null) said.push("Check.");
  if (turn === seat && shown.rules.mustCapture(position)) said.push("You must capture.");
  return said.join(" ");
}

/** "chidi-ix: e7 to f6." */
export function formatMoved(viewModel: TableViewModel, by: Seat, move: Move): string {
  return `${by === viewModel.seat ? "You" : toName(viewModel, by)}: ${formatSteps(move)}.`;
}

export function formatSteps({ path, captured }: Move): string {
  const steps = path.map(formatSquare).join(" to ");
  if (captured.length === 0) return steps;
  return captured.length === 1 ? `${steps}, capturing one` : `${steps}, capturing ${captured.length}`;
}
