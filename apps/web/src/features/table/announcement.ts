import type { Move, Seat } from "@holo/rules/rules.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { type Scene, toName } from "./scene.ts";

/** A move and what follows from it, for the ear: "chidi-ix: e7 to f6. Your turn. You must capture." */
export function formatAnnouncement(scene: Scene, by: Seat, move: Move): string {
  const { shown, seat, turn, position } = scene;
  const said = [formatMoved(scene, by, move)];
  if (turn === null) return said.join(" ");
  said.push(turn === seat ? "Your turn." : seat === null ? `${toName(scene, turn)} to move.` : "Opponent's turn.");
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
