import { type DestinationStream, type Logger, pino } from "pino";
import { toFailureText } from "./failure.ts";
import { toLoggedIds } from "./log-scope.ts";

export type Log = Logger;
type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

/** Keys that hold secrets or personal data in logged objects, up to two levels deep. */
const SECRET_KEYS = [
  "accountNumber",
  "authorization",
  "cookie",
  "connectionString",
  "email",
  "ip",
  "password",
  "recipientCode",
  "secret",
  "sessionToken",
  "set-cookie",
  "signature",
  "token",
];

const REDACTED_PATHS = SECRET_KEYS.flatMap((key) => [`["${key}"]`, `*["${key}"]`, `*.*["${key}"]`]);

interface LoggedFault {
  readonly type: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly code?: unknown;
  readonly constraint?: unknown;
  readonly cause?: LoggedFault | undefined;
}

/**
 * Omits the fields in which PostgreSQL repeats whole rows (`detail`, `where`): they hold personal
 * data.
 */
function toLoggedFault(error: unknown): LoggedFault {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  return {
    type: error.name,
    message: error.message || toFailureText(error),
    stack: error.stack,
    code: "code" in error ? error.code : undefined,
    constraint: "constraint" in error ? error.constraint : undefined,
    cause: error.cause === undefined ? undefined : toLoggedFault(error.cause),
  };
}

/**
 * One JSON object per line, to standard output by default, with the ids of the running request or
 * command. Errors go under the key `err`.
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    mixin: toLoggedIds,
    redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
    serializers: { err: toLoggedFault },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
