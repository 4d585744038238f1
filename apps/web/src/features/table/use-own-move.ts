import type { Move, Promotion, Square } from "@holo/rules/rules.ts";
import { useCallback, useState } from "react";
import { useBoardSettings } from "../../lib/board-settings.ts";
import type { TableStore } from "../../lib/table-store.ts";
import { type Chosen, choosePath, keepOwnMove, NO_MOVE, type OwnMove, settleMove } from "./own-move.ts";
import { mayMove, mayPremove, type Scene } from "./scene.ts";

/** What may be done with a move, from the board to the table. */
export interface OwnMoveActs {
  readonly move: OwnMove;
  readonly choose: (moves: readonly Move[], path: readonly Square[], promotion?: Promotion) => void;
  readonly promote: (promotion: Promotion) => void;
  readonly confirm: () => void;
  readonly undo: () => void;
}

/** The move that who is at the page is about to make: promotion and confirmation where they are wished, then the table. */
export function useOwnMove(scene: Scene, store: TableStore | null): OwnMoveActs {
  const { shown, seat } = scene;
  const { promotionChoice, moveConfirmation, premove } = useBoardSettings();
  const [kept, setKept] = useState<OwnMove>(NO_MOVE);
  const isAhead = premove && mayPremove(scene);
  const isOpen = isAhead || mayMove(scene);
  const move = keepOwnMove(kept, isOpen ? { boardVersion: shown.table.boardVersion, isAhead } : null);
  const choice = seat === null ? null : { shown, seat, isAhead, settings: { promotionChoice, moveConfirmation } };

  function take(chosen: Chosen): void {
    setKept(chosen.type === "promoting" || chosen.type === "tentative" ? chosen : NO_MOVE);
    if (chosen.type === "play") store?.move(chosen.path, chosen.promotion);
    if (chosen.type === "premove") store?.premove(chosen.premove);
  }

  return {
    move,
    choose(moves, path, promotion) {
      if (choice === null || !isOpen) return;
      take(promotion === undefined ? choosePath(choice, moves, path) : settleMove(choice, path, promotion));
    },
    promote(promotion) {
      if (choice !== null && move.type === "promoting") take(settleMove(choice, move.path, promotion));
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
