import type { FileHandle } from "node:fs/promises";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { RELEASE_VERSION_DEFAULT, type ReleasePlatform } from "@holo/protocol/release-views.ts";
import { readAndroidApp } from "./android-app.ts";
import { isVersion } from "./release.ts";
import { readWindowsProgram } from "./windows-program.ts";

/** A file as somebody sends it. */
export interface Claim {
  readonly platform: ReleasePlatform;
  /** Null: they name none. */
  readonly version: string | null;
}

export type InspectRefusal =
  | "not_a_windows_program"
  | "not_an_android_app"
  | { readonly code: "other_version"; readonly figures: { readonly version: string } };

/**
 * Whether a file is what it is said to be, by its content alone, and which version it is: the one that it carries (ruling 28), which must not
 * be another than the one named; where it carries none of our form, the one named, or the default.
 */
export async function inspect(
  file: FileHandle,
  sizeBytes: number,
  { platform, version }: Claim,
): Promise<Result<string, InspectRefusal>> {
  const isAndroid = platform === "android";
  const build = await (isAndroid ? readAndroidApp(file, sizeBytes) : readWindowsProgram(file, sizeBytes));
  if (build === null) return refuse(isAndroid ? "not_an_android_app" : "not_a_windows_program");
  const own = build.version !== null && isVersion(build.version) ? build.version : null;
  if (own !== null && version !== null && own !== version) {
    return refuse({ code: "other_version", figures: { version: own } });
  }
  return ok(own ?? version ?? RELEASE_VERSION_DEFAULT);
}
