import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { useSyncExternalStore } from "react";
import { callApi } from "../api/api.ts";

/** At most a minute old, even with a slow answer (specification 9). */
const POLL_EVERY_MS = 55_000;

let releases: readonly ReleaseView[] | null = null;
let polledAtMs = Number.NEGATIVE_INFINITY;
let pollCount = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** At most a minute old; null until the server has answered. */
export function useReleases(): readonly ReleaseView[] | null {
  return useSyncExternalStore(onReleasesChanged, shownReleases);
}

export function findRelease(of: readonly ReleaseView[] | null, platform: ReleasePlatform): ReleaseView | null {
  return of?.find((release) => release.platform === platform) ?? null;
}

export function shownReleases(): readonly ReleaseView[] | null {
  return releases;
}

export function onReleasesChanged(listener: () => void): () => void {
  listeners.add(listener);
  if (listeners.size === 1) {
    document.addEventListener("visibilitychange", schedule);
    schedule();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", schedule);
    clearTimeout(timer);
  };
}

export function refreshReleases(): void {
  polledAtMs = Number.NEGATIVE_INFINITY;
  schedule();
}

function schedule(): void {
  clearTimeout(timer);
  if (listeners.size === 0 || document.visibilityState !== "visible") return;
  const leftMs = polledAtMs + POLL_EVERY_MS - performance.now();
  if (leftMs > 0) {
    timer = setTimeout(schedule, leftMs);
    return;
  }
  polledAtMs = performance.now();
  timer = setTimeout(schedule, POLL_EVERY_MS);
  void load();
}

/** A failed request keeps the old list. An answer overtaken by a later request is dropped. */
async function load(): Promise<void> {
  pollCount += 1;
  const poll = pollCount;
  const answer = await callApi("releases", {});
  if (!answer.ok || poll !== pollCount) return;
  releases = answer.value.releases;
  for (const listener of listeners) listener();
}
