import type { BrowserNotification } from "../../../lib/preferences/browser-notification.ts";
import { toResultText } from "../result/result-text.ts";
import type { ShownTable } from "../store/table-view.ts";
import { type TableViewModel, toName, toOpponent } from "../view-model.ts";

/** "chidi-ix: e7 to f6. Your turn. You must capture." A move in flight counts. */
export function formatAnnouncement(viewModel: TableViewModel, ply: number): string {
  return `${formatMoved(viewModel, ply)} ${formatTurn(viewModel)}`.trim();
}

export function formatTurn({ shown, seat, turn, position }: TableViewModel): string {
  if (turn === null) return "";
  const sentences = [
    turn === seat ? "Your turn." : seat === null ? `${toName({ shown }, turn)} to move.` : "Opponent's turn.",
  ];
  if (shown.rules.checkedSquare(position) !== null) sentences.push("Check.");
  if (turn === seat && shown.rules.mustCapture(position)) sentences.push("You must capture.");
  return sentences.join(" ");
}

export function formatMoved(viewModel: TableViewModel, ply: number): string {
  const { rules, table, positions, pending } = viewModel.shown;
  const move = table.moves.at(ply)?.move ?? pending?.move;
  if (move === undefined) return "";
  const by = ply % 2 === 0 ? 1 : 2;
  const who = by === viewModel.seat ? "You" : toName(viewModel, by);
  return `${who}: ${rules.describeMove(positions[ply], move)}.`;
}

export function formatPremoveChange(
  before: Pick<ShownTable, "premove">,
  now: Pick<ShownTable, "premove" | "pending" | "rules" | "table">,
): string {
  const { premove, rules, table } = now;
  if (premove === before.premove) return "";
  if (premove !== null) return `Premove: ${rules.describeMove(table.position, { ...premove, captured: [] })}.`;
  return before.premove === null || now.pending !== null ? "" : "Premove dropped.";
}

export function toTableNotification(before: TableViewModel, now: TableViewModel): BrowserNotification | null {
  const { seat, turn, shown } = now;
  const { table, moveTexts } = shown;
  if (seat === null) return null;
  const tag = `game-${table.gameId}`;
  const path = `/game/${table.gameId}`;
  if (table.status !== before.shown.table.status) {
    const result = toResultText(now);
    return result === null ? null : { title: result.title, body: result.reason, tag, path };
  }
  if (turn !== seat || before.turn !== toOpponent(seat)) return null;
  const isMoved = table.moves.length > before.shown.table.moves.length;
  const body = isMoved ? `${toName(now, toOpponent(seat))} played ${moveTexts.at(-1)}.` : "";
  return { title: "Your turn", body, tag, path };
}
