/**
 * Runs the sandbox. With `--child` it ends when its standard input closes, so that it never
 * outlives its parent.
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
