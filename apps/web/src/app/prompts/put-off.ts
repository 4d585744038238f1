import { isVersion } from "../../lib/native/version.ts";
import type { PutOff } from "./prompt-choice.ts";

const KEY = "holo.app-update-put-off";

/** Null where nothing is kept, or something that is not ours. */
export function readPutOff(): PutOff | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("version" in kept) || !("at" in kept)) return null;
    const { version, at } = kept;
    return typeof version === "string" && isVersion(version) && typeof at === "number" ? { version, at } : null;
  } catch {
    // Closed storage, or no JSON in it: the player is asked once more.
    return null;
  }
}

export function savePutOff(putOff: PutOff): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(putOff));
  } catch {
    // Storage is closed to this page: it remembers until it is closed itself.
  }
}
