import type { ReportOutcome } from "@holo/protocol/admin/moderation.ts";

export const OUTCOME_NAMES: Readonly<Record<ReportOutcome, string>> = {
  acted: "We acted",
  nothing_found: "Nothing against the rules",
  unclear: "Could not tell",
};
