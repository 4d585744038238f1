import type { ShownTable } from "../../lib/table-store.ts";
import { formatSteps } from "./announcement.ts";

/** What is read out when a premove is chosen, or gone without having been played. Empty where there is nothing to say. */
export function formatPremoveChange(
  before: Pick<ShownTable, "premove">,
  now: Pick<ShownTable, "premove" | "pending">,
): string {
  const { premove } = now;
  if (premove !== null)
    return premove === before.premove ? "" : `Premove: ${formatSteps({ ...premove, captured: [] })}.`;
  return before.premove === null || now.pending !== null ? "" : "Premove dropped.";
}
