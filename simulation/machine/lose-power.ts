import { isAlive } from "../../apps/server/src/platform/postgres/postmaster.ts";
import { signal } from "../faults/targets.ts";
import type { FaultyMachine } from "./machine.ts";

const LOOK_EVERY_MS = 20;
/** A process that was started just before is listed by then. */
const LISTED_MS = 200;

/**
 * Ends the database's processes and brings back what was synced. Nothing else runs meanwhile, or
 * the database's supervisor would start it too early. Returns how many writes were lost.
 */
export function losePower(
  machine: FaultyMachine,
  clusterDir: string,
  findProcesses: () => readonly number[],
  known: readonly number[] = [],
): number {
  let pids = [...known, ...findProcesses()];
  for (let emptyLooks = 0; emptyLooks < 2; emptyLooks += pids.length === 0 ? 1 : 0) {
    for (const pid of pids) signal(pid, "SIGKILL");
    while (pids.some(isAlive)) pause(LOOK_EVERY_MS);
    pause(LISTED_MS);
    pids = [...findProcesses()];
  }
  return machine.loseUnsynced(clusterDir);
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
