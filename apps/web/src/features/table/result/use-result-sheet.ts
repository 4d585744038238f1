import { isOpen as isOpenGame } from "@holo/table/state.ts";
import { useEffect, useState } from "react";
import { useOnChange } from "../../../lib/use-on-change.ts";
import { topModal } from "../../../ui/overlay/modals.ts";
import type { GameHistory } from "../history/history.ts";
import type { TableViewModel } from "../view-model.ts";

export interface ResultSheet {
  readonly isOpen: boolean;
  /** The opponent waits for an answer to a rematch. */
  readonly isAsked: boolean;
  readonly toggle: () => void;
  readonly close: () => void;
}

/**
 * Where the result covers a part of the board: open for players and for those who saw the end, also
 * for a rematch to answer; closed by a press, by Escape, or to look at an earlier position.
 */
export function useResultSheet({ shown, seat }: TableViewModel, { isPast }: GameHistory): ResultSheet {
  const [sawEnd] = useState(isOpenGame(shown.table.status));
  const [choice, choose] = useState<boolean | null>(null);
  const { pending } = shown.table.offers.rematch;
  const isAsked = seat !== null && pending !== null && pending.seat !== seat;
  const isOpen = choice ?? (seat !== null || sawEnd);
  useOnChange(isAsked, () => isAsked && choose(true));
  useOnChange(isPast, () => isPast && choose(false));
  const isOver = !isOpenGame(shown.table.status);
  useEffect(() => {
    if (!isOver) return;
    function handleKey({ key, defaultPrevented }: KeyboardEvent): void {
      if (key === "Escape" && !defaultPrevented && topModal() === null) choose(false);
    }
    addEventListener("keydown", handleKey);
    return () => removeEventListener("keydown", handleKey);
  }, [isOver]);
  return { isOpen, isAsked, toggle: () => choose(!isOpen), close: () => choose(false) };
}
