import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { RELEASE_BYTES_MAX, RELEASE_PLATFORMS, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { PLATFORM_WORDS } from "../../../lib/native/release-text.ts";
import { isNewer, isVersion } from "../../../lib/native/version.ts";

/** First bytes per platform: a Windows program is an MZ file, an Android app a zip. */
const BEGINNINGS: Readonly<Record<ReleasePlatform, readonly number[]>> = {
  windows: [0x4d, 0x5a],
  android: [0x50, 0x4b, 0x03, 0x04],
};

export function guessPlatform(fileName: string): ReleasePlatform | null {
  const name = fileName.toLowerCase();
  return RELEASE_PLATFORMS.find((platform) => name.endsWith(PLATFORM_WORDS[platform].ending)) ?? null;
}

/**
 * Finds before the upload what the server would refuse after it, and a file that cannot be read.
 */
export async function checkFile(file: File, platform: ReleasePlatform): Promise<Result<File, RefusalView>> {
  const other = toRefusalView(platform === "windows" ? "not_a_windows_program" : "not_an_android_app");
  if (guessPlatform(file.name) !== platform) return refuse(other);
  if (file.size > RELEASE_BYTES_MAX) return refuse(toRefusalView("release_too_large"));
  const beginning = BEGINNINGS[platform];
  try {
    const bytes = new Uint8Array(await file.slice(0, beginning.length).arrayBuffer());
    return beginning.every((byte, index) => bytes[index] === byte) ? ok(file) : refuse(other);
  } catch {
    // A file that changed after it was chosen cannot be read.
    return refuse({ ...other, text: "The file was changed since you chose it. Please choose it again." });
  }
}

export function parseVersion(text: string): Result<string | null, RefusalView> {
  const version = text.trim();
  if (version === "") return ok(null);
  return isVersion(version) ? ok(version) : refuse(toRefusalView("bad_version"));
}

export function toNextVersion(releases: readonly ReleaseView[], platform: ReleasePlatform): string | null {
  const versions = releases.filter((release) => release.platform === platform).map(({ version }) => version);
  const [first, ...others] = versions;
  if (first === undefined) return null;
  const newest = others.reduce((newer, version) => (isNewer(version, newer) ? version : newer), first);
  const [major, minor, patch] = newest.split(".").map(Number);
  const next = `${major}.${minor}.${Number(patch) + 1}`;
  return isVersion(next) ? next : null;
}
