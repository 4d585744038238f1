import type { ReleaseView } from "@holo/protocol/releases.ts";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../../lib/testing/stub-storage.ts";
import { choosePrompt, loadPostponement, POSTPONE_MS, type PromptState, savePostponement } from "./prompt-choice.ts";

function toRelease(platform: ReleaseView["platform"], version: string): ReleaseView {
  return {
    id: "5b0a5c1e-8b7e-4a55-9d3e-0d3c3a1f0c11",
    platform,
    version,
    fileName: "holo-arena",
    sizeBytes: 57_344,
    sha256: "ab".repeat(32),
    url: "/downloads/holo-arena",
    uploadedAt: 0,
    isCurrent: true,
  };
}

const WINDOWS = toRelease("windows", "1.3.0");
const ANDROID = toRelease("android", "1.10.0");
const OLD: PromptState = {
  host: { platform: "windows", version: "1.2.3", isFallback: false },
  releases: [WINDOWS, ANDROID],
  postponement: null,
  now: 1_000_000,
  isWide: true,
};

// [APP-01 §2 r28] An outdated native app is offered the current version: a dialog on any screen names platform and
// version, links to the file and can be dismissed.
it("offers an older host the current version of its platform [APP-01 APP-02]", () => {
  expect(choosePrompt(OLD)).toEqual({ type: "update", release: WINDOWS });
  const phone: PromptState = {
    ...OLD,
    host: { platform: "android", version: "1.9.0", isFallback: false },
    isWide: false,
  };
  expect(choosePrompt(phone)).toEqual({ type: "update", release: ANDROID });
});

// [APP-02 §2] That dialog appears only in native apps: on Windows from a width of 1024 px, on Android at any width.
it("offers nothing on Windows in a narrow window [APP-02]", () => {
  expect(choosePrompt({ ...OLD, isWide: false })).toBe(null);
});

it.each(["1.3.0", "1.3.1", "2.0.0"])("offers nothing to a host of version %s, which is not older", (version) => {
  expect(choosePrompt({ ...OLD, host: { ...OLD.host, version } })).toBe(null);
});

it("offers nothing without a known release for the platform", () => {
  for (const releases of [null, [], [ANDROID]]) expect(choosePrompt({ ...OLD, releases })).toBe(null);
});

it("waits a day after a version was put off, and offers the next version at once [APP-01]", () => {
  const at = OLD.now;
  const postponement = { version: "1.3.0", at };
  expect(choosePrompt({ ...OLD, postponement })).toBe(null);
  expect(choosePrompt({ ...OLD, postponement, now: at + POSTPONE_MS - 1 })).toBe(null);
  expect(choosePrompt({ ...OLD, postponement, now: at + POSTPONE_MS })).not.toBe(null);
  expect(choosePrompt({ ...OLD, postponement, now: at - 1 })).not.toBe(null);
  const next = toRelease("windows", "1.3.1");
  expect(choosePrompt({ ...OLD, postponement, releases: [next] })).toEqual({ type: "update", release: next });
});

// [APP-03 §2 r28] 'Desktop App Available', with 'Continue in Browser' and 'Download App', appears when the Windows
// app had to fall back to a browser.
it("offers the desktop app where a Windows host fell back to a browser, at any width and version [APP-03]", () => {
  const host = { platform: "windows", version: "1.3.0", isFallback: true } as const;
  const fallback: PromptState = { ...OLD, host, isWide: false };
  expect(choosePrompt(fallback)).toEqual({ type: "desktop_app", release: WINDOWS });
  expect(choosePrompt({ ...fallback, postponement: { version: "1.3.0", at: OLD.now } })).toBe(null);
  expect(choosePrompt({ ...fallback, releases: [ANDROID] })).toBe(null);
});

let kept: Map<string, string>;
beforeEach(() => {
  kept = stubStorage("localStorage");
});
afterEach(() => vi.unstubAllGlobals());

it("remembers after a reload what was put off", () => {
  expect(loadPostponement()).toBe(null);
  savePostponement({ version: "1.3.0", at: 5 });
  expect(loadPostponement()).toEqual({ version: "1.3.0", at: 5 });
});

it.each(["", "{", "1", "null", "[]", '{"version":"1.3.0"}', '{"version":"x","at":1}', '{"version":"1.3.0","at":"1"}'])(
  "ignores the invalid stored value %j",
  (text) => {
    savePostponement({ version: "1.3.0", at: 5 });
    for (const key of kept.keys()) kept.set(key, text);
    expect(loadPostponement()).toBe(null);
  },
);

it("works without storage", () => {
  stubClosedStorage("localStorage");
  savePostponement({ version: "1.3.0", at: 5 });
  expect(loadPostponement()).toBe(null);
});
