import type { ReleaseView } from "@holo/protocol/releases.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const RELEASE: ReleaseView = {
  id: "5b0a5c1e-8b7e-4a55-9d3e-0d3c3a1f0c11",
  platform: "windows",
  version: "1.2.3",
  fileName: "holo-arena.exe",
  sizeBytes: 57_344,
  sha256: "ab".repeat(32),
  url: "/downloads/holo-arena.exe",
  uploadedAt: 0,
  isCurrent: true,
};

const waiting: ((response: Response) => void)[] = [];
let asked = 0;
let onVisibility: (() => void) | null = null;
let page: { visibilityState: string };

async function answer(releases: readonly ReleaseView[], status = 200): Promise<void> {
  waiting.shift()?.(Response.json({ releases }, { status }));
  await vi.advanceTimersByTimeAsync(0);
}

function look(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  onVisibility?.();
}

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  waiting.length = 0;
  asked = 0;
  page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", {
    get visibilityState() {
      return page.visibilityState;
    },
    addEventListener: (_: string, listener: () => void) => {
      onVisibility = listener;
    },
    removeEventListener: () => {
      onVisibility = null;
    },
  });
  vi.stubGlobal("fetch", () => {
    asked += 1;
    return new Promise((resolve) => waiting.push(resolve));
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// [HOME-11 §7,9 r28] A new current version is offered within a minute.
it("polls once a minute while the page is visible and has listeners [HOME-11]", async () => {
  const { onReleasesChanged, shownReleases } = await import("./releases.ts");
  const stop = onReleasesChanged(() => {});
  const stopOther = onReleasesChanged(() => {});
  expect(asked).toBe(1);
  expect(shownReleases()).toBe(null);
  await answer([RELEASE]);
  expect(shownReleases()).toEqual([RELEASE]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(2);
  look("hidden");
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toBe(2);
  look("visible");
  expect(asked).toBe(3);
  look("hidden");
  look("visible");
  expect(asked).toBe(3);
  stop();
  stopOther();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(asked).toBe(3);
});

it("keeps its list after a failure and drops an overtaken answer", async () => {
  const { onReleasesChanged, refreshReleases, shownReleases } = await import("./releases.ts");
  onReleasesChanged(() => {});
  await answer([RELEASE]);
  await vi.advanceTimersByTimeAsync(60_000);
  await answer([], 503);
  expect(shownReleases()).toEqual([RELEASE]);
  await vi.advanceTimersByTimeAsync(60_000);
  refreshReleases();
  const newer = { ...RELEASE, version: "1.2.4" };
  const late = waiting.shift();
  await answer([newer]);
  late?.(Response.json({ releases: [RELEASE] }));
  await vi.advanceTimersByTimeAsync(0);
  expect(shownReleases()).toEqual([newer]);
});
