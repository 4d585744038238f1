import path from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { assert } from "@holo/kernel/assert.ts";
import { type Config, parseConfig } from "./config.ts";
import { loadVersion } from "./platform/build.ts";
import { isDiskFull, toFailureText } from "./platform/failure.ts";
import { type Log, openLog } from "./platform/log.ts";
import { setTimeout } from "./platform/runtime.ts";
import type { Time } from "./platform/time/time.ts";
import { WEBHOOK_PATH } from "./transport/http/wallet/webhook.ts";
import { startSandbox } from "./wiring/external-services.ts";
import { openModules } from "./wiring/modules.ts";
import { openPlatform } from "./wiring/platform.ts";
import { assertFreePorts, listen } from "./wiring/transport.ts";

interface RunningServer {
  readonly port: number;
  /** Shuts down in order. Everything acknowledged is on disk. */
  close(): Promise<void>;
}

interface StartOptions {
  /** Aborts the start: everything opened is closed, and `startServer` throws the reason. */
  readonly signal?: AbortSignal;
  /** Derives the clock of tables, payments and limits from the server's. Default: the same. */
  readonly toTableTime?: (time: Time) => Time;
}

export async function startServer(config: Config, log: Log, options: StartOptions = {}): Promise<RunningServer> {
  const opened = new AsyncDisposableStack();
  try {
    const { signal } = options;
    await assertFreePorts(config);
    const platform = opened.adopt(await openPlatform(config, log, options), ({ close }) => close());
    signal?.throwIfAborted();
    const sandbox = config.paystack === null ? await startSandbox(config) : null;
    if (sandbox !== null) opened.defer(sandbox.stop);
    signal?.throwIfAborted();
    const provider = config.paystack ?? sandbox;
    assert(provider !== null, "there is a payment provider or its stand-in");
    const modules = opened.adopt(await openModules(config, platform, provider), ({ close }) => close());
    signal?.throwIfAborted();
    const listener = opened.adopt(await listen(config, platform, modules), ({ close }) => close());
    platform.startServing();
    opened.defer(platform.stopServing);
    opened.defer(listener.handOver);
    await sandbox?.callBack(listener.port, WEBHOOK_PATH);
    const running = opened.move();
    return { port: listener.port, close: () => running.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

const UNUSABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"]);

function explainFolderFault(error: unknown, dataDir: string): unknown {
  const { code = "", path: place = "" } = error as NodeJS.ErrnoException;
  if (!UNUSABLE.has(code) || !path.resolve(place).startsWith(path.resolve(dataDir))) return error;
  return new Error(`DATA_DIR: this user cannot write to ${place}: let it, or set another folder (${code})`);
}

const SHUTDOWN_MS = 10_000;
/** How V8 collects garbage (docs/decisions/platform.md). */
const GC_FLAGS = [
  "--heap-growing-percent=150",
  "--no-allocation-site-pretenuring",
  "--concurrent-marking-max-worker-num=1",
];

async function run(): Promise<void> {
  for (const flag of GC_FLAGS) setFlagsFromString(flag);
  const config = parseConfig(process.env);
  if (!config.ok) {
    process.stderr.write(`The configuration has faults:\n${config.refusal.map((fault) => `  ${fault}\n`).join("")}`);
    process.exit(1);
  }
  const log = openLog(config.value.mode === "development" ? "warn" : "info");
  const ending = new AbortController();
  const starting = startServer(config.value, log, { signal: ending.signal });
  const stop = (): void => {
    if (ending.signal.aborted) return;
    ending.abort(new Error("it was stopped"));
    setTimeout(() => process.exit(1), SHUTDOWN_MS).unref();
    starting
      .then(
        ({ close }) => close(),
        () => undefined,
      )
      .then(
        () => process.exit(0),
        (err) => {
          log.fatal({ err }, "the shutdown failed");
          process.exit(1);
        },
      );
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  const { databaseUrl, dataDir, publicUrl } = config.value;
  await starting.catch((error) => {
    if (ending.signal.aborted) return;
    if (databaseUrl === null && isDiskFull(error)) throw new Error(`the disk of ${dataDir} is full`);
    throw explainFolderFault(error, dataDir);
  });
  if (!ending.signal.aborted) process.stdout.write(`Holo Arena is at ${publicUrl} (${loadVersion()})\n`);
}

export async function serve(): Promise<void> {
  await run().catch((error) => {
    process.stderr.write(`Holo Arena could not start: ${toFailureText(error)}\n`);
    process.exit(1);
  });
}

if (import.meta.main) await serve();
