import { execFileSync } from "node:child_process";
import { chownSync, lstatSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** The account PostgreSQL runs under when the server itself is root, which PostgreSQL refuses to be. */
export interface ServiceUser {
  readonly uid: number;
  readonly gid: number;
}

/** `nobody` where this process is root; null where PostgreSQL can run as who we are. */
export function findServiceUser(): ServiceUser | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string): number => Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }).trim());
  return { uid: id("-u"), gid: id("-g") };
}

function mayPass(user: ServiceUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}

/** Whether `user` may pass through every folder above `target` and enter (or execute) it; null reaches whatever we reach. */
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

/** Gives `target` to `user`; false where the file system knows no owners, as some mounted volumes do. */
export function giveTo(user: ServiceUser | null, target: string): boolean {
  if (user === null) return true;
  try {
    chownSync(target, user.uid, user.gid);
  } catch {
    return false;
  }
  return lstatSync(target).uid === user.uid;
}
