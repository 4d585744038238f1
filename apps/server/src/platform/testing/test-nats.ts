import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { findNats } from "../../../../../scripts/install/nats.js";
import { findPort } from "./free-port.ts";

export interface TestNats {
  readonly url: string;
  pid(): number;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** SIGSTOP freezes it, SIGCONT lets it run again. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void;
}

/** `configFile` has further settings of NATS. */
export async function startTestNats(configFile?: string): Promise<TestNats> {
  const program = findNats();
  if (program === null) throw new Error("nats-server is missing: npm test installs it");
  const port = await findPort();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const more = configFile === undefined ? [] : ["-c", configFile];
    child = spawn(program!, ["-a", "127.0.0.1", "-p", String(port), ...more], { stdio: "ignore" });
    await once(child, "spawn");
    while (!(await isListening(port))) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    pid() {
      if (child?.pid === undefined) throw new Error("NATS does not run");
      return child.pid;
    },
    start,
    signal(signal) {
      child?.kill(signal);
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect({ host: "127.0.0.1", port });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    // Not yet.
    return false;
  } finally {
    socket.destroy();
  }
}
