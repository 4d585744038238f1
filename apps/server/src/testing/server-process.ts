import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findPort } from "../platform/testing/free-port.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const PATIENCE_MS = 60_000;
export const AUTH_SECRET = "a secret of tests, long enough to be one";

export interface ServerProcess {
  readonly port: number;
  readonly origin: string;
  /**
   * Resolves once it is ready. These variables override those of the constructor. `wrapper` is a
   * command that is given the server's own, and becomes it.
   */
  start(environment?: Readonly<Record<string, string>>, wrapper?: readonly string[]): Promise<void>;
  pid(): number;
  /** SIGSTOP freezes it, SIGCONT lets it run again. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves once it has exited; no effect if it is not running. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** `program` is the module to run instead of main.ts, with its arguments. */
export async function makeServerProcess(
  environment: Readonly<Record<string, string>>,
  program: readonly string[] = [MAIN],
): Promise<ServerProcess> {
  const port = await findPort();
  const origin = `http://127.0.0.1:${port}`;
  let server: ChildProcess | null = null;
  return {
    port,
    origin,
    async start(more = {}, wrapper = []) {
      const env = {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        NODE_ENV: "test",
        PORT: String(port),
        AUTH_SECRET,
        ...environment,
        ...more,
      };
      const [command, ...args] = [...wrapper, process.execPath, ...program];
      server = spawn(command!, args, { env, stdio: "ignore" });
      await until(async () => (await fetch(`${origin}/readyz`).catch(() => null))?.status === 200);
    },
    pid() {
      if (server?.pid === undefined) throw new Error("the server does not run");
      return server.pid;
    },
    signal(signal) {
      server?.kill(signal);
    },
    async end(signal) {
      if (server === null || server.exitCode !== null || server.signalCode !== null) return;
      const gone = once(server, "exit");
      server.kill(signal);
      await gone;
    },
  };
}

/** Polls until the condition holds; throws after `patienceMs`. */
export async function until(holds: () => boolean | Promise<boolean>, patienceMs = PATIENCE_MS): Promise<void> {
  const deadlineMs = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`still not so: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
