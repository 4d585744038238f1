import type { ReportOutcome } from "@holo/protocol/report-terms.ts";

export const OUTCOME_NAMES: Readonly<Record<ReportOutcome, string>> = {
  acted: "We acted",
  nothing_found: "Nothing against the rules",
  unclear: "Could not tell",
};
