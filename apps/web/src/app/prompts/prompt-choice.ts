import type { ReleaseView } from "@holo/protocol/releases.ts";
import type { NativeHost } from "../../lib/native/native-host.ts";
import { findRelease } from "../../lib/native/releases.ts";
import { isNewer, isVersion } from "../../lib/native/version.ts";

/** A postponed version is offered again after this time, a newer one at once. */
export const POSTPONE_MS = 24 * 60 * 60_000;

export interface Postponement {
  readonly version: string;
  /** ms since 1970, by this device's clock. */
  readonly at: number;
}

export interface AppPrompt {
  /**
   * `desktop_app`: the host fell back to this browser (ruling 28). `update`: the host is outdated.
   */
  readonly type: "update" | "desktop_app";
  readonly release: ReleaseView;
}

export interface PromptState {
  readonly host: NativeHost;
  readonly releases: readonly ReleaseView[] | null;
  readonly postponement: Postponement | null;
  /** ms since 1970, by this device's clock. */
  readonly now: number;
  readonly isWide: boolean;
}

/**
 * The prompt for a native app's player (specification 2), or null. Both kinds lead to the same file
 * and are put off together.
 */
export function choosePrompt({ host, releases, postponement, now, isWide }: PromptState): AppPrompt | null {
  const release = findRelease(releases, host.platform);
  if (release === null || isPostponed(release.version, postponement, now)) return null;
  const isDesktop = host.platform === "windows";
  if (isDesktop && host.isFallback) return { type: "desktop_app", release };
  if ((isDesktop && !isWide) || !isNewer(release.version, host.version)) return null;
  return { type: "update", release };
}

/** A clock that was set back must not extend the delay. */
function isPostponed(version: string, postponement: Postponement | null, now: number): boolean {
  return (
    postponement !== null &&
    postponement.version === version &&
    now >= postponement.at &&
    now < postponement.at + POSTPONE_MS
  );
}

const KEY = "holo.app-update-put-off";

/** Null where nothing valid is stored. */
export function loadPostponement(): Postponement | null {
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

export function savePostponement(postponement: Postponement): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(postponement));
  } catch {
    // No storage: the page remembers until it is closed.
  }
}
