import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Cluster } from "../servers/cluster.ts";
import { listProcessTree, readCpuMs, toCpuMs } from "../servers/processes.ts";

export interface CommandCost {
  readonly seconds: number;
  /** CPU of the command and PostgreSQL, which depends less on other processes than elapsed time. */
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}

/** Runs `npm run NAME` as an operator does; throws if it fails. */
export async function measureCommand(
  name: "audit" | "backup" | "restore",
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cluster: Pick<Cluster, "pids">,
): Promise<CommandCost> {
  const script = fileURLToPath(new URL(`../../scripts/${name}.ts`, import.meta.url));
  const startedMs = performance.now();
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let peakBytes = 0;
  let code: number | null | undefined;
  let cpuMs = 0;
  let before = readCpuMs(cluster.pids());
  while (code === undefined) {
    const now = readCpuMs([...listProcessTree(child.pid!), ...cluster.pids()]);
    cpuMs += toCpuMs(before, now);
    before = now;
    peakBytes = Math.max(peakBytes, readPeakBytes(child.pid!));
    code = await Promise.race([exited, sleep(200, undefined)]);
  }
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuSeconds: cpuMs / 1_000, peakBytes };
}

function readPeakBytes(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1_024;
  } catch {
    // It has exited.
    return 0;
  }
}
