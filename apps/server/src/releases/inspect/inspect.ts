import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { RELEASE_VERSION_DEFAULT, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { isVersion } from "../release.ts";
import { isSignedBy } from "./android-certificates.ts";
import { parseVersionName } from "./android-manifest.ts";
import type { Build } from "./build.ts";
import type { ReadAt } from "./read-at.ts";
import { readWindowsProgram } from "./windows-program.ts";
import { findZipEntry, readZipEntry } from "./zip.ts";

export interface DeclaredRelease {
  readonly platform: ReleasePlatform;
  readonly version: string | null;
}

export type InspectRefusal =
  | "not_a_windows_program"
  | "not_an_android_app"
  | "other_certificate"
  | { readonly code: "other_version"; readonly figures: { readonly version: string } };

/**
 * Checks the file type by content, an Android app's certificate, and the version: the file's own
 * (ruling 28), which must match a declared one; else the declared one, or the default.
 */
export async function inspect(
  readAt: ReadAt,
  sizeBytes: number,
  { platform, version }: DeclaredRelease,
  androidCertificates: readonly string[],
): Promise<Result<string, InspectRefusal>> {
  const isAndroid = platform === "android";
  const build = await (isAndroid ? readAndroidApp(readAt, sizeBytes) : readWindowsProgram(readAt, sizeBytes));
  if (build === null) return refuse(isAndroid ? "not_an_android_app" : "not_a_windows_program");
  if (isAndroid && !(await isSignedBy(androidCertificates, readAt, sizeBytes))) return refuse("other_certificate");
  const own = build.version !== null && isVersion(build.version) ? build.version : null;
  if (own !== null && version !== null && own !== version) {
    return refuse({ code: "other_version", figures: { version: own } });
  }
  return ok(own ?? version ?? RELEASE_VERSION_DEFAULT);
}

/**
 * An Android app: a ZIP that contains a manifest; null otherwise. The version is the manifest's
 * `versionName`.
 */
async function readAndroidApp(readAt: ReadAt, sizeBytes: number): Promise<Build | null> {
  const entry = await findZipEntry(readAt, sizeBytes, "AndroidManifest.xml");
  if (entry === null) return null;
  const manifest = await readZipEntry(readAt, entry);
  return { version: manifest === null ? null : parseVersionName(manifest) };
}
