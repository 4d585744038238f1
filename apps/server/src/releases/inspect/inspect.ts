import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { ANDROID_APP_ID, RELEASE_VERSION_DEFAULT, type ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { isVersion } from "../release.ts";
import { hasSchemeOne, isSignedBy, readSigners } from "./android-certificates.ts";
import { parseManifest } from "./android-manifest.ts";
import type { ReadAt } from "./read-at.ts";
import { readWindowsProgram } from "./windows-program.ts";
import { readZipEntries, readZipEntry } from "./zip.ts";

export interface DeclaredRelease {
  readonly platform: ReleasePlatform;
  readonly version: string | null;
}

export type InspectRefusal =
  | "not_a_windows_program"
  | "not_an_android_app"
  | "other_app"
  | "unsigned_app"
  | "other_certificate"
  | { readonly code: "other_version"; readonly figures: { readonly version: string } };

interface Build {
  /** Null: none, or not readable. */
  readonly version: string | null;
}

/** `ProductName` in the resources of apps/windows. */
const PRODUCT_NAME = "Holo Arena";

/**
 * Checks by content that the file is our own, whole and signed. Returns its version: the file's own
 * (ruling 28), which must match a declared one; else the declared one, or the default.
 */
export async function inspect(
  readAt: ReadAt,
  sizeBytes: number,
  { platform, version }: DeclaredRelease,
  androidCertificates: readonly string[],
): Promise<Result<string, InspectRefusal>> {
  const build = await (platform === "android"
    ? readAndroidApp(readAt, sizeBytes, androidCertificates)
    : readWindowsBuild(readAt, sizeBytes));
  if (!build.ok) return build;
  const { version: found } = build.value;
  const own = found !== null && isVersion(found) ? found : null;
  if (own !== null && version !== null && own !== version) {
    return refuse({ code: "other_version", figures: { version: own } });
  }
  return ok(own ?? version ?? RELEASE_VERSION_DEFAULT);
}

/** A program without a product name may be ours. */
async function readWindowsBuild(readAt: ReadAt, sizeBytes: number): Promise<Result<Build, InspectRefusal>> {
  const program = await readWindowsProgram(readAt, sizeBytes);
  if (program === null) return refuse("not_a_windows_program");
  if (program.productName !== null && program.productName !== PRODUCT_NAME) return refuse("other_app");
  return ok(program);
}

/** An Android app is a ZIP with a manifest, whose size is bounded. */
async function readAndroidApp(
  readAt: ReadAt,
  sizeBytes: number,
  certificates: readonly string[],
): Promise<Result<Build, InspectRefusal>> {
  const entries = await readZipEntries(readAt, sizeBytes);
  const entry = entries?.get("AndroidManifest.xml");
  const content = entry === undefined ? null : await readZipEntry(readAt, entry);
  const manifest = content === null ? null : parseManifest(content);
  if (entries === null || manifest === null) return refuse("not_an_android_app");
  if (manifest.packageName !== ANDROID_APP_ID) return refuse("other_app");
  if (!(await isSignedBy(certificates, readAt, sizeBytes))) return refuse("other_certificate");
  const isSigned = hasSchemeOne(entries) || (await readSigners(readAt, sizeBytes)).length > 0;
  return isSigned ? ok(manifest) : refuse("unsigned_app");
}
