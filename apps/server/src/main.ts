import process from "node:process";
import { assert } from "@holo/kernel/assert.ts";
import { type Config, parseConfig } from "./config.ts";
import { type Log, openLog } from "./platform/log.ts";
import type { Time } from "./platform/time/time.ts";
import { WEBHOOK_PATH } from "./transport/http/wallet/webhook.ts";
import { openModules } from "./wiring/modules.ts";
import { openPlatform } from "./wiring/platform.ts";
import { startSandbox } from "./wiring/stand-ins.ts";
import { listen } from "./wiring/transport.ts";

export interface RunningServer {
  readonly port: number;
  /** Shuts down in order. Everything acknowledged is on disk. */
  close(): Promise<void>;
}

export interface StartOptions {
  /** Derives the clock of tables, payments and limits from the server's. Default: the same. */
  readonly toTableTime?: (time: Time) => Time;
}

/** Starts the whole server. Throws if anything prevents it. */
export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  const platform = await openPlatform(config, log, options.toTableTime);
  const sandbox = config.paystack === null ? await startSandbox(config.dataDir) : null;
  const provider = config.paystack ?? sandbox;
  assert(provider !== null, "there is a payment provider or its stand-in");
  const modules = await openModules(config, platform, provider);
  const listener = await listen(config, platform, modules);
  platform.startServing();
  await sandbox?.callBack(`http://127.0.0.1:${listener.port}${WEBHOOK_PATH}`);

  return {
    port: listener.port,
    async close() {
      platform.stopServing();
      await listener.close();
      await modules.close();
      await platform.close();
      await sandbox?.stop();
    },
  };
}

const SHUTDOWN_MS = 10_000;

async function main(): Promise<void> {
  const config = parseConfig(process.env);
  if (!config.ok) {
    process.stderr.write(`The configuration has faults:\n${config.refusal.map((fault) => `  ${fault}\n`).join("")}`);
    process.exit(1);
  }
  const log = openLog(config.value.mode === "development" ? "warn" : "info");
  const running = await startServer(config.value, log);
  process.stdout.write(`Holo Arena is at ${config.value.publicUrl}\n`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    running.close().then(
      () => process.exit(0),
      (err) => {
        log.fatal({ err }, "the server did not stop in order");
        process.exit(1);
      },
    );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

if (import.meta.main) {
  await main().catch((error) => {
    process.stderr.write(`Holo Arena could not start: ${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  });
}
