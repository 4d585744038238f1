import type { Move, Promotion, Square } from "@holo/rules/rules.ts";
import { useCallback, useState } from "react";
import { useBoardSettings } from "../../../shared/board/settings/board-settings.ts";
import type { TableStore } from "../store/table-store.ts";
import { mayMove, mayPremove, type TableViewModel } from "../view-model.ts";
import { type ChoiceOutcome, choosePath, completeMove, keepOwnMove, NO_MOVE, type OwnMove } from "./own-move.ts";

export interface OwnMoveControls {
  readonly move: OwnMove;
  readonly choose: (moves: readonly Move[], path: readonly Square[], promotion?: Promotion) => void;
  readonly promote: (promotion: Promotion) => void;
  readonly confirm: () => void;
  readonly undo: () => void;
}

/** The player's next move: promotion and confirmation if they are on, then sent to the table. */
export function useOwnMove(viewModel: TableViewModel, store: TableStore | null): OwnMoveControls {
  const { shown, seat } = viewModel;
  const { promotionChoice, moveConfirmation, premove } = useBoardSettings();
  const [kept, setKept] = useState<OwnMove>(NO_MOVE);
  const isAhead = premove && mayPremove(viewModel);
  const isOpen = isAhead || mayMove(viewModel);
  const move = keepOwnMove(kept, isOpen ? { boardVersion: shown.table.boardVersion, isAhead } : null);
  const choice = seat === null ? null : { shown, seat, isAhead, settings: { promotionChoice, moveConfirmation } };

  function take(chosen: ChoiceOutcome): void {
    setKept(chosen.type === "promoting" || chosen.type === "tentative" ? chosen : NO_MOVE);
    if (chosen.type === "play") store?.move(chosen.path, chosen.promotion);
    if (chosen.type === "premove") store?.premove(chosen.premove);
  }

  return {
    move,
    choose(moves, path, promotion) {
      if (choice === null || !isOpen) return;
      take(promotion === undefined ? choosePath(choice, moves, path) : completeMove(choice, path, promotion));
    },
    promote(promotion) {
      if (choice !== null && move.type === "promoting") take(completeMove(choice, move.path, promotion));
    },
    confirm() {
      if (move.type !== "tentative") return;
      const { path, promotion } = move.played.move;
      setKept(NO_MOVE);
      store?.move(path, promotion);
    },
    undo: useCallback(() => setKept(NO_MOVE), []),
  };
}
