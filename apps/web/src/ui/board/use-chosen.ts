import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { type Chosen, NOTHING_CHOSEN } from "./choice.ts";

/** What is chosen of the moves there are; other moves, and nothing is chosen. */
export function useChosen(moves: readonly Move[]): readonly [Chosen, (chosen: Chosen) => void] {
  const [state, setState] = useState({ moves, chosen: NOTHING_CHOSEN });
  if (state.moves !== moves) setState({ moves, chosen: NOTHING_CHOSEN });
  const chosen = state.moves === moves ? state.chosen : NOTHING_CHOSEN;
  return [chosen, (next) => setState({ moves, chosen: next })];
}
