import { isOpen as isOpenGame } from "@holo/table/state.ts";
import { useState } from "react";
import { useOnChange } from "../../../lib/use-on-change.ts";
import type { GameHistory } from "../history/history.ts";
import type { TableViewModel } from "../view-model.ts";

export interface ResultSheet {
  readonly isOpen: boolean;
  /** The opponent waits for an answer to a rematch. */
  readonly isAsked: boolean;
  readonly toggle: () => void;
}

/**
 * Where the result covers a part of the board: open for players and for those who saw the end, also
 * for a rematch to answer; closed by a press, or to look at an earlier position.
 */
export function useResultSheet({ shown, seat }: TableViewModel, { isPast }: GameHistory): ResultSheet {
  const [sawEnd] = useState(isOpenGame(shown.table.status));
  const [choice, choose] = useState<boolean | null>(null);
  const { pending } = shown.table.offers.rematch;
  const isAsked = seat !== null && pending !== null && pending.seat !== seat;
  const isOpen = choice ?? (seat !== null || sawEnd);
  useOnChange(isAsked, () => isAsked && choose(true));
  useOnChange(isPast, () => isPast && choose(false));
  return { isOpen, isAsked, toggle: () => choose(!isOpen) };
}
