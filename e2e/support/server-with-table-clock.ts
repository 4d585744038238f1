/** The server of `npm start`, with a table clock that messages `{ advanceMs }` move forward. */
import process from "node:process";
import { addMs } from "@holo/kernel/instant.ts";
import { parseConfig } from "../../apps/server/src/config.ts";
import { startServer } from "../../apps/server/src/main.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";

let aheadMs = 0;
process.on("message", ({ advanceMs = 0 }: { readonly advanceMs?: number }) => {
  aheadMs += advanceMs;
  process.send?.("received");
});

const config = parseConfig(process.env);
if (!config.ok) throw new Error(config.refusal.join("\n"));
const ending = new AbortController();
const starting = startServer(config.value, openLog("info"), {
  signal: ending.signal,
  toTableTime: (time) => ({ now: () => addMs(time.now(), aheadMs), monotonicMs: time.monotonicMs }),
});
const stop = () => {
  ending.abort();
  void starting.then(({ close }) => close()).finally(() => process.exit());
};
process.once("SIGTERM", stop);
// A killed test runner closes the channel and sends no signal, also while the server starts.
process.once("disconnect", stop);
await starting;
