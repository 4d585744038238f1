import { mkdir, stat } from "node:fs/promises";
import path from "node:path";

async function isFolder(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => null);
  return found?.isDirectory() ?? false;
}

/**
 * Makes a folder and those above it; returns whether it was missing. `mkdir` with `recursive` never
 * ends where the system makes no folders, as in /proc.
 */
export async function makeFolder(folder: string, mode = 0o777): Promise<boolean> {
  const place = path.resolve(folder);
  if (await isFolder(place)) return false;
  const above = path.dirname(place);
  if (above !== place) await makeFolder(above, mode);
  try {
    await mkdir(place, { mode });
    return true;
  } catch (error) {
    // Another process may have made it meanwhile.
    if (await isFolder(place)) return false;
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error(`no folder can be made in ${above}`, { cause: error });
  }
}
