import { type Log, openLog } from "../log.ts";

export function openTestLog(): Log {
  const level = process.env.LOG_LEVEL;
  return openLog(level === "debug" || level === "info" || level === "warn" || level === "error" ? level : "silent");
}
