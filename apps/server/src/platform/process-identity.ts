import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Names a process by machine, boot, process namespace, id and start, so that a later one can see
 * that it has ended. On other systems than Linux it is only a name.
 */
export function findProcess(pid: number): string {
  return [findMachine(), pid, findStart(pid) ?? "unknown"].join(" ");
}

/** Whether a process named by `findProcess` has certainly ended. False if that is unknown. */
export function isGone(identity: string): boolean {
  if (process.platform !== "linux") return false;
  const [pid = "", startedAt] = identity.split(" ").slice(-2);
  return identity === [findMachine(), pid, startedAt].join(" ") && findStart(Number(pid)) !== startedAt;
}

function findMachine(): string {
  if (process.platform !== "linux") return hostname();
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  // Containers on one machine have processes with equal ids.
  return [hostname(), boot, readlinkSync("/proc/self/ns/pid")].join(" ");
}

/** In ticks since the machine started; null if no such process runs. */
function findStart(pid: number): string | null {
  try {
    // The command's name may contain spaces and parentheses.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const isEnded = fields[0] === "Z" || fields[0] === "X";
    return isEnded ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
