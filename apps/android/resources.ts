/** Packs manifest, texts, colours and icons. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "../../scripts/native/run.ts";
import { ANDROID_DIR } from "./java.ts";
import { readZip } from "./zip.ts";

/** Android's resources of API 29, without later attributes. */
export const FRAMEWORK = "/usr/share/android-framework-res/framework-res.apk";

interface Versions {
  readonly code: number;
  readonly name: string;
  readonly sdkMin: number;
  readonly sdkTarget: number;
}

/** Returns the files of the .apk by name, and the folder of Java that aapt generated. */
export function packResources(origin: string, versions: Versions, work: string) {
  const manifest = path.join(work, "AndroidManifest.xml");
  const generated = path.join(work, "generated");
  const packed = path.join(work, "resources.apk");
  mkdirSync(generated);
  writeFileSync(manifest, toManifest(readFileSync(path.join(ANDROID_DIR, "AndroidManifest.xml"), "utf8"), origin));
  const sdks = ["--min-sdk-version", String(versions.sdkMin), "--target-sdk-version", String(versions.sdkTarget)];
  const own = ["--version-code", String(versions.code), "--version-name", versions.name];
  const inputs = ["-M", manifest, "-S", path.join(ANDROID_DIR, "res"), "-I", FRAMEWORK];
  run("aapt", ["package", "-f", "-m", "-J", generated, "-F", packed, ...inputs, ...sdks, ...own]);
  return { files: readZip(readFileSync(packed)), generated };
}

export function toManifest(template: string, origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return template
    .replace("@CLEARTEXT@", String(protocol === "http:"))
    .replace("@SCHEME@", protocol.slice(0, -1))
    .replace("@HOST@", hostname)
    .replace("@PORT@", port === "" ? "" : `android:port="${port}"`);
}
