import { type DestinationStream, type LogFn, type Logger, pino } from "pino";
import { DatabaseOutage } from "./database-outage.ts";
import { toFailureText } from "./failure.ts";
import { readLoggedIds } from "./log-scope.ts";

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

const outages = new WeakMap<Log, DatabaseOutage>();

/** The database has stored something: an outage of it has ended. To be called every second. */
export function noteDatabaseAnswer(log: Log): void {
  const line = outages.get(log)?.answer() ?? null;
  if (line !== null) log.warn(line.fields, line.text);
}

const WARN = 40;
const FATAL = 60;

/**
 * One JSON object per line, to standard output by default, with the ids of the running request or
 * command. Errors go under the key `err`.
 */
export function openLog(level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    mixin: readLoggedIds,
    redact: { paths: REDACTED_PATHS, censor: "[redacted]" },
    serializers: { err: toLoggedFault },
    hooks: {
      logMethod(this: Log, args: Parameters<LogFn>, method: LogFn, priority: number) {
        const [fields, text]: readonly unknown[] = args;
        const isFault = priority >= WARN && priority < FATAL && typeof fields === "object" && fields !== null;
        const line = isFault ? outage.absorb(fields, String(text)) : null;
        if (line === null) method.apply(this, args);
        else if (line === "counted") this.debug(...args);
        else method.call(this, line.fields, line.text);
      },
    },
  };
  const outage = new DatabaseOutage();
  const log = destination === undefined ? pino(options) : pino(options, destination);
  outages.set(log, outage);
  return log;
}
