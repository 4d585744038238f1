export const REPORT_REASONS = ["cheating", "abuse", "stalling", "fault", "other"] as const;
export type ReportReason = (typeof REPORT_REASONS)[number];

/** The outcome of a report, as its reporter sees it. */
export const REPORT_OUTCOMES = ["acted", "nothing_found", "unclear"] as const;
export type ReportOutcome = (typeof REPORT_OUTCOMES)[number];
