import { type Log, openLog } from "../log.ts";

/** Says nothing, unless LOG_LEVEL asks for it. */
export function openTestLog(): Log {
  const level = process.env.LOG_LEVEL;
  return openLog(level === "debug" || level === "info" || level === "warn" || level === "error" ? level : "silent");
}
