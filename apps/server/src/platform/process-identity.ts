import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

const UNKNOWN = "unknown";

/**
 * Names a process by machine, boot, process namespace, id and start, so that a later one can see
 * that it has ended. What the system does not show, as a hardened Linux may, is unknown.
 */
export function findProcess(pid: number, proc = "/proc"): string {
  return [...findMachine(proc), pid, findStart(pid, proc) ?? UNKNOWN].join(" ");
}

/** Whether a process named by `findProcess` has certainly ended. False if that is unknown. */
export function isGone(identity: string, proc = "/proc"): boolean {
  const [pid = "", startedAt = ""] = identity.split(" ").slice(-2);
  const known = [...findMachine(proc), pid, startedAt];
  if (known.includes(UNKNOWN) || identity !== known.join(" ")) return false;
  return findStart(Number(pid), proc) !== startedAt;
}

function findMachine(proc: string): readonly string[] {
  const boot = tryRead(() => readFileSync(path.join(proc, "sys/kernel/random/boot_id"), "utf8").trim());
  // Containers on one machine have processes with equal ids.
  const namespace = tryRead(() => readlinkSync(path.join(proc, "self/ns/pid")));
  return [hostname(), boot, namespace];
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return UNKNOWN;
  }
}

/** In ticks since the machine started; null if no such process runs. */
function findStart(pid: number, proc: string): string | null {
  try {
    // The command's name may contain spaces and parentheses.
    const fields = readFileSync(path.join(proc, `${pid}/stat`), "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const isEnded = fields[0] === "Z" || fields[0] === "X";
    return isEnded ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
