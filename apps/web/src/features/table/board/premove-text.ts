import { formatSteps } from "../events/announcement.ts";
import type { ShownTable } from "../store/table-store.ts";

/** Announces a premove that was chosen or dropped; empty if neither. */
export function formatPremoveChange(
  before: Pick<ShownTable, "premove">,
  now: Pick<ShownTable, "premove" | "pending">,
): string {
  const { premove } = now;
  if (premove !== null)
    return premove === before.premove ? "" : `Premove: ${formatSteps({ ...premove, captured: [] })}.`;
  return before.premove === null || now.pending !== null ? "" : "Premove dropped.";
}
