import type { ReportReason } from "@holo/protocol/report-terms.ts";

export const REPORT_REASON_NAMES: Readonly<Record<ReportReason, string>> = {
  cheating: "Cheating",
  abuse: "Abusive language",
  stalling: "Stalling",
  fault: "Something did not work",
  other: "Something else",
};
