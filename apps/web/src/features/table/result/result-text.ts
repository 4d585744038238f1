import { assertNever } from "@holo/kernel/assert.ts";
import type { RatingChangeView } from "@holo/protocol/game/games.ts";
import type { DrawReason } from "@holo/rules/rules.ts";
import { type Cancelled, type EndReason, LOG_RECORDS_MAX } from "@holo/table/log-record.ts";
import { NEW_ABOVE_DEVIATION } from "@holo/table/rating.ts";
import { toOpponent } from "@holo/table/state.ts";
import { formatRating } from "../../../shared/people/opponent-line.tsx";
import { type TableViewModel, toName } from "../view-model.ts";

export interface ResultText {
  readonly title: string;
  readonly reason: string;
}

type PlayedDraw = DrawReason | "agreement" | "time_without_material" | "too_long";

const DRAW_NAMES: Readonly<Record<PlayedDraw, string>> = {
  stalemate: "Draw by Stalemate",
  threefold_repetition: "Draw by Threefold Repetition",
  fifty_moves: "Draw by the Fifty-Move Rule",
  insufficient_material: "Draw by Insufficient Material",
  three_kings: "Draw by Three Kings",
  kings_only: "Draw by Kings Only",
  balance_of_kings: "Draw by Balance of Kings",
  main_road: "Draw on the Main Road",
  few_pieces: "Draw by Few Pieces",
  agreement: "Draw Accepted",
  time_without_material: "Draw on Time",
  too_long: "Draw by Length",
};

const DRAW_REASONS: Readonly<Record<PlayedDraw, string>> = {
  stalemate: "No legal moves, and no check.",
  threefold_repetition: "The same position occurred three times.",
  fifty_moves: "Fifty moves went by without a capture or a pawn move.",
  insufficient_material: "Neither side has the pieces to checkmate.",
  three_kings: "Three kings did not catch one in 15 moves.",
  kings_only: "Only kings moved for 15 moves, and nothing was taken.",
  balance_of_kings: "Kings on both sides, and nothing was taken or crowned.",
  main_road: "The lone king held the main road for 5 moves.",
  few_pieces: "The lone king was not caught in 5 moves.",
  agreement: "Game ended in a draw. Stakes returned (minus holo fee).",
  time_without_material: "Time ran out, but the other side cannot checkmate.",
  // Only when it is shown: the first number format takes a slow phone about 30 ms.
  get too_long() {
    return `The game reached its limit of ${LOG_RECORDS_MAX.toLocaleString("en")} moves and offers.`;
  },
};

function isDrawReason(reason: EndReason): reason is PlayedDraw {
  return reason in DRAW_NAMES;
}

export function formatDraw(reason: PlayedDraw): string {
  return DRAW_NAMES[reason];
}

export function toResultText(viewModel: TableViewModel): ResultText | null {
  const { table, cancelled } = viewModel.shown;
  if (cancelled !== null) return { title: "Game cancelled", reason: formatCancel(viewModel, cancelled) };
  const { result } = table;
  if (result === null) return null;
  const { winner, reason } = result;
  if (isDrawReason(reason)) {
    const cause = reason === "agreement" && viewModel.isFree ? "Game ended in a draw." : DRAW_REASONS[reason];
    return { title: "Draw", reason: `${formatDraw(reason)}. ${cause}` };
  }
  if (winner === null) return { title: "Draw", reason: "" };
  const isOwnWin = viewModel.seat === winner;
  const title = viewModel.seat === null ? `${toName(viewModel, winner)} won` : isOwnWin ? "You won" : "You lost";
  const loser = toOpponent(winner);
  const isOwnLoss = viewModel.seat === loser;
  return { title, reason: formatLoss(reason, isOwnLoss ? null : toName(viewModel, loser)) };
}

/** "1512 ±70, +18"; without the change while the rating before said little. */
export function formatRatingChange({ before, after }: RatingChangeView): string {
  const text = formatRating(after);
  if (before.deviation > NEW_ABOVE_DEVIATION || after.deviation > NEW_ABOVE_DEVIATION) return text;
  const change = after.rating - before.rating;
  return `${text}, ${change < 0 ? "−" : "+"}${Math.abs(change)}`;
}

function formatLoss(reason: Exclude<EndReason, PlayedDraw>, loser: string | null): string {
  switch (reason) {
    case "checkmate":
      return loser === null ? "Checkmate. Your king cannot escape." : `Checkmate. ${loser}'s king cannot escape.`;
    case "no_pieces":
      return loser === null ? "You have no pieces left." : `${loser} has no pieces left.`;
    case "no_moves":
      return loser === null ? "You have no legal move." : `${loser} has no legal move.`;
    case "resignation":
      return loser === null ? "You resigned." : `${loser} resigned.`;
    case "time":
      return "Time's up! Game over - time limit reached.";
    default:
      return assertNever(reason);
  }
}

function formatCancel(viewModel: TableViewModel, { reason, seat, note = "" }: Cancelled): string {
  const who = seat === null ? "A player" : seat === viewModel.seat ? "You" : toName(viewModel, seat);
  switch (reason) {
    case "not_joined":
      return "Nobody joined within 30 minutes.";
    case "paired_elsewhere":
      return "Its player found an opponent in another game on the same terms.";
    case "first_move":
      return `${who} made no first move in time.`;
    case "void":
      return "Neither player came back after our outage.";
    case "staff":
      return `Cancelled by Holo Arena${viewModel.isFree ? "" : ", and both entries refunded"}. Reason: ${note}`;
    case "player":
      return `${who} cancelled the game.`;
    default:
      return assertNever(reason);
  }
}
