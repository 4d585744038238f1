import type { FileHandle } from "node:fs/promises";
import { parseVersionName } from "./android-manifest.ts";
import type { Build } from "./build.ts";
import { findZipEntry, readZipEntry } from "./zip.ts";

/**
 * An Android app: a ZIP that contains a manifest; null otherwise. The version is the manifest's
 * `versionName`.
 */
export async function readAndroidApp(file: FileHandle, sizeBytes: number): Promise<Build | null> {
  const entry = await findZipEntry(file, sizeBytes, "AndroidManifest.xml");
  if (entry === null) return null;
  const manifest = await readZipEntry(file, entry);
  return { version: manifest === null ? null : parseVersionName(manifest) };
}
