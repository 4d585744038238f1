import { isVersion } from "../../lib/native/version.ts";
import type { PutOff } from "./prompt-choice.ts";

const KEY = "holo.app-update-put-off";

/** Null where nothing valid is stored. */
export function readPutOff(): PutOff | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "null");
    if (typeof kept !== "object" || kept === null || !("version" in kept) || !("at" in kept)) return null;
    const { version, at } = kept;
    return typeof version === "string" && isVersion(version) && typeof at === "number" ? { version, at } : null;
  } catch {
    // No storage, or no JSON in it: the player is asked again.
    return null;
  }
}

export function savePutOff(putOff: PutOff): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(putOff));
  } catch {
    // No storage: the page remembers until it is closed.
  }
}
