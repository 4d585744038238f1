import type { ReportOutcome } from "@holo/protocol/house-views.ts";

export const OUTCOME_WORDS: Readonly<Record<ReportOutcome, string>> = {
  acted: "We acted",
  nothing_found: "Nothing against the rules",
  unclear: "Could not tell",
};
