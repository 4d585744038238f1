import { useState } from "react";
import type { ShownTable } from "../../lib/table-store.ts";
import { formatPremoveChange } from "./premove-text.ts";

/** The newest words about the player's premove. */
export function usePremoveText(shown: ShownTable): string {
  const [told, setTold] = useState({ shown, text: "" });
  if (told.shown.premove !== shown.premove) setTold({ shown, text: formatPremoveChange(told.shown, shown) });
  return told.text;
}
