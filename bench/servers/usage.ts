import process from "node:process";
import { formatNumber } from "../report.ts";
import { readCpuMs, readResidentBytes, readServerCoreMs } from "./processes.ts";

/** What processes used meanwhile. */
export interface Usage {
  readonly seconds: number;
  readonly cpuMs: number;
  /** Of the servers alone. */
  readonly serverMs: number;
  /** The most memory of the first server. */
  readonly peakBytes: number;
  /** Of the servers' core, by processes that are not listed. */
  readonly othersShare: number;
  /** Of a core, by this process. */
  readonly loadShare: number;
}

const LOOK_EVERY_MS = 200;

/** Of processes of servers, and of others such as the database's. */
export async function measureUsage(
  servers: () => readonly number[],
  others: () => readonly number[],
  until: Promise<unknown>,
): Promise<Usage> {
  let peakBytes = 0;
  const [ofServers, ofOthers] = [watchCpu(servers), watchCpu(others)];
  const look = (): void => {
    peakBytes = Math.max(peakBytes, readResidentBytes(servers()[0]!));
    ofServers.look();
    ofOthers.look();
  };
  const own = process.cpuUsage();
  const before = { coreMs: readServerCoreMs(), atMs: performance.now() };
  const timer = setInterval(look, LOOK_EVERY_MS);
  await until;
  look();
  clearInterval(timer);
  const { user, system } = process.cpuUsage(own);
  const elapsedMs = performance.now() - before.atMs;
  const serverMs = ofServers.usedMs();
  const cpuMs = serverMs + ofOthers.usedMs();
  return {
    seconds: elapsedMs / 1_000,
    cpuMs,
    serverMs,
    peakBytes,
    othersShare: Math.max(0, readServerCoreMs() - before.coreMs - cpuMs) / elapsedMs,
    loadShare: (user + system) / 1_000 / elapsedMs,
  };
}

/** What processes used counts although some of them have ended. */
function watchCpu(pids: () => readonly number[]) {
  const before = readCpuMs(pids());
  const latest = new Map(before);
  return {
    look(): void {
      for (const [pid, ms] of readCpuMs(pids())) latest.set(pid, ms);
    },
    usedMs: () => [...latest].reduce((used, [pid, ms]) => used + ms - (before.get(pid) ?? 0), 0),
  };
}

export function formatShares({ loadShare, othersShare }: Pick<Usage, "loadShare" | "othersShare">): string {
  return `load ${formatNumber(loadShare * 100)} %, others ${formatNumber(othersShare * 100)} %`;
}
