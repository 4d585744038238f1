import type { ReportReason } from "@holo/protocol/views.ts";

export const REPORT_WORDS: Readonly<Record<ReportReason, string>> = {
  cheating: "Cheating",
  abuse: "Abusive language",
  stalling: "Stalling",
  fault: "Something did not work",
  other: "Something else",
};
