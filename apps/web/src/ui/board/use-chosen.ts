import type { Move } from "@holo/rules/rules.ts";
import { useState } from "react";
import { type Chosen, keepHeld, NOTHING_CHOSEN } from "./choice.ts";

/** What is chosen of the moves there are. With other moves a piece stays held that may still move, and nothing else. */
export function useChosen(moves: readonly Move[]): readonly [Chosen, (chosen: Chosen) => void] {
  const [state, setState] = useState({ moves, chosen: NOTHING_CHOSEN });
  const chosen = state.moves === moves ? state.chosen : keepHeld(moves, state.chosen);
  if (state.moves !== moves) setState({ moves, chosen });
  return [chosen, (next) => setState({ moves, chosen: next })];
}
