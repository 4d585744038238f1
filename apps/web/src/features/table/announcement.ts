import type { Move, Seat } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { type Scene, toName } from "./scene.ts";

/** A move and what follows from it, for the ear: "chidi-ix: e7 to f6. Your turn. You must capture." */
export function formatAnnouncement(scene: Scene, by: Seat, move: Move): string {
  return `${formatMoved(scene, by, move)} ${formatTurn(scene)}`.trim();
}

/** "Your turn. You must capture." Empty while nobody is to move. */
export function formatTurn({ shown, seat, turn, position }: Scene): string {
  if (turn === null) return "";
  const said = [
    turn === seat ? "Your turn." : seat === null ? `${toName({ shown }, turn)} to move.` : "Opponent's turn.",
  ];
  if (shown.rules.checkedSquare(position) !== null) said.push("Check.");
  if (turn === seat && shown.rules.mustCapture(position)) said.push("You must capture.");
  return said.join(" ");
}

/** "chidi-ix: e7 to f6." */
export function formatMoved(scene: Scene, by: Seat, move: Move): string {
  return `${by === scene.seat ? "You" : toName(scene, by)}: ${formatSteps(move)}.`;
}

export function formatSteps({ path, captured }: Move): string {
  const steps = path.map(formatSquare).join(" to ");
  if (captured.length === 0) return steps;
  return captured.length === 1 ? `${steps}, capturing one` : `${steps}, capturing ${captured.length}`;
}
