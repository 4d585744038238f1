import { readdirSync, readFileSync } from "node:fs";

/** Linux only. */
export function findChildren(pid: number): readonly number[] {
  return readdirSync("/proc").flatMap((entry) =>
    /^\d+$/.test(entry) && readParent(entry) === pid ? Number(entry) : [],
  );
}

/** Null if the process has ended. Its command's name may contain spaces and parentheses. */
function readParent(entry: string): number | null {
  try {
    return Number(
      readFileSync(`/proc/${entry}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return null;
  }
}
