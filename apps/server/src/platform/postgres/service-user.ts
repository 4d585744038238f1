import { execFileSync } from "node:child_process";
import { chownSync, lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** The account that PostgreSQL runs under if the server is root, which PostgreSQL refuses to be. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

let nobody: ServiceUser | null = null;

/** `nobody` if this process is root; null if PostgreSQL can run as the current user. */
export function findServiceUser(): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }).trim());
  // Kept, because a fork of a large process takes a hundredth of a second.
  nobody ??= { uid: id("-u"), gid: id("-g") };
  return nobody;
}

function mayPass(user: ServiceUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/**
 * Whether `user` (null: the current one) can enter every folder above `target` and enter or execute
 * it.
 */
export function isReachable(user: ServiceUser | null, target: string): boolean {
  if (user === null) return true;
  let current = realpathSync(target);
  while (mayPass(user, current)) {
    const parent = path.dirname(current);
    if (parent === current) return true;
    current = parent;
  }
  return false;
}

/** Changes the owner; false if the file system has no owners, as some mounted volumes do. */
export function giveTo(user: ServiceUser | null, target: string): boolean {
  if (user === null) return true;
  try {
    chownSync(target, user.uid, user.gid);
  } catch {
    return false;
  }
  return lstatSync(target).uid === user.uid;
}
