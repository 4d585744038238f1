import type { ResultText } from "../result/result-text.ts";
import { type TableViewModel, toName } from "../view-model.ts";

/** Whose turn it is, or how the game ended. */
export function toPageTitle(viewModel: TableViewModel, result: ResultText | null): string {
  const { turn, seat } = viewModel;
  if (result !== null) return result.title;
  if (turn === null) return "Waiting for opponent";
  if (seat === null) return `${toName(viewModel, turn)} to move`;
  return turn === seat ? "Your turn" : "Opponent's turn";
}
