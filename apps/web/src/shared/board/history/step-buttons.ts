import type { HistoryStep } from "../steps.ts";

/** The buttons that step through a game, in their order. */
export const STEP_BUTTONS: readonly { readonly step: HistoryStep; readonly label: string }[] = [
  { step: "first", label: "First position" },
  { step: "previous", label: "Previous move" },
  { step: "next", label: "Next move" },
  { step: "last", label: "Last move" },
];
