import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { type Chosen, keepHeld, NOTHING_CHOSEN } from "./choice.ts";

/**
 * The selection among the legal moves. When they change, only a single held piece stays selected.
 */
export function useChosen(moves: readonly Move[]): readonly [Chosen, (chosen: Chosen) => void] {
  const [state, setState] = useState({ moves, chosen: NOTHING_CHOSEN });
  const chosen = state.moves === moves ? state.chosen : keepHeld(moves, state.chosen);
  if (state.moves !== moves) setState({ moves, chosen });
  return [chosen, (next) => setState({ moves, chosen: next })];
}
