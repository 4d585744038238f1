import type { ReleasePlatform, ReleaseView } from "@holo/protocol/release-views.ts";
import { useSyncExternalStore } from "react";
import { callApi } from "./api.ts";

/** Often enough that what is shown is never a minute old, however slow the answer (specification 9). */
const ASK_EVERY_MS = 55_000;

let releases: readonly ReleaseView[] | null = null;
let askedAtMs = Number.NEGATIVE_INFINITY;
let askedCount = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** The current version of each native app that has one, not older than a minute; null until the server has said. */
export function useReleases(): readonly ReleaseView[] | null {
  return useSyncExternalStore(onReleasesChanged, shownReleases);
}

export function findRelease(of: readonly ReleaseView[] | null, platform: ReleasePlatform): ReleaseView | null {
  return of?.find((release) => release.platform === platform) ?? null;
}

export function shownReleases(): readonly ReleaseView[] | null {
  return releases;
}

/** Asks the server as long as anybody listens and the page is in sight. */
export function onReleasesChanged(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener("visibilitychange", follow);
    follow();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", follow);
    clearTimeout(timer);
  };
}

/** At once: for who has just changed them. */
export function refreshReleases(): void {
  askedAtMs = Number.NEGATIVE_INFINITY;
  follow();
}

function follow(): void {
  clearTimeout(timer);
  if (listeners.size === 0 || document.visibilityState !== "visible") return;
  const leftMs = askedAtMs + ASK_EVERY_MS - performance.now();
  if (leftMs > 0) {
    timer = setTimeout(follow, leftMs);
    return;
  }
  askedAtMs = performance.now();
  timer = setTimeout(follow, ASK_EVERY_MS);
  void ask();
}

/** What cannot be asked for now stays as it was known; an answer that a later question overtook is not used. */
async function ask(): Promise<void> {
  askedCount += 1;
  const asked = askedCount;
  const answer = await callApi("releases", {});
  if (!answer.ok || asked !== askedCount) return;
  releases = answer.value.releases;
  for (const listener of listeners) listener();
}
