/** What a check of the doctor found. A fault stops players or endangers money. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "fault";
  readonly found: string;
  readonly remedy: string | null;
}

interface Reporter {
  ok(found: string): Finding;
  warning(found: string, remedy: string): Finding;
  fault(found: string, remedy: string): Finding;
}

export function makeReporter(check: string): Reporter {
  return {
    ok: (found) => ({ check, status: "ok", found, remedy: null }),
    warning: (found, remedy) => ({ check, status: "warning", found, remedy }),
    fault: (found, remedy) => ({ check, status: "fault", found, remedy }),
  };
}

/** The innermost reason: network libraries wrap it. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError && error.errors.length > 0) return toReason(error.errors[0]);
  return error.cause === undefined ? error.message || error.name : toReason(error.cause);
}
