/**
 * The server of `npm start` with a table clock that runs HURRY times as fast since HURRY_SINCE (ms
 * since 1970).
 */
import process from "node:process";
import { toInstant } from "@holo/kernel/instant.ts";
import { parseConfig } from "../config.ts";
import { startServer } from "../main.ts";
import { openLog } from "../platform/log.ts";

const { HURRY = "1", HURRY_SINCE = "0", ...environment } = process.env;
const since = Number(HURRY_SINCE);
const config = parseConfig(environment);
if (!config.ok) throw new Error(config.refusal.join("\n"));
const running = await startServer(config.value, openLog("silent"), {
  toTableTime: (time) => ({
    now: () => toInstant(since + (time.now() - since) * Number(HURRY)),
    monotonicMs: time.monotonicMs,
  }),
});
process.once("SIGTERM", () => void running.close().then(() => process.exit(0)));
