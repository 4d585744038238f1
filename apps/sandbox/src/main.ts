/**
 * The sandbox as a process: prints its address on one line, `The payment sandbox is at <url>`. With `--child` it lives only as long as
 * its standard input stays open, so that a parent takes it along however it ends.
 */
import process from "node:process";
import { parseConfig } from "./config.ts";
import { startSandbox } from "./sandbox.ts";

const config = parseConfig(process.env);
if (!config.ok) {
  process.stderr.write(
    `The sandbox's configuration has faults:\n${config.refusal.map((line) => `  ${line}\n`).join("")}`,
  );
  process.exit(1);
}
const running = await startSandbox(config.value);
process.stdout.write(`The payment sandbox is at ${running.url}\n`);

let isStopping = false;
const stop = (): void => {
  if (isStopping) return;
  isStopping = true;
  void running.close().then(() => process.exit(0));
};
process.on("SIGINT", stop);
process.on("SIGTERM", stop);
if (process.argv.includes("--child")) {
  process.stdin.once("close", stop);
  process.stdin.resume();
}
