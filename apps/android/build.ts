import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BuildOrder } from "../../scripts/native/host.ts";
import { run } from "../../scripts/native/run.ts";
import { compile } from "./java.ts";
import { findKey } from "./key.ts";
import { packResources } from "./resources.ts";
import { toZip } from "./zip.ts";

/** Android 7.0; the target is Android 15. */
export const SDK_MIN = 24;
const SDK_TARGET = 35;

export async function build(order: BuildOrder): Promise<readonly string[]> {
  const signed = path.join(order.outDir, `holo-arena-${order.version}.apk`);
  const unsigned = path.join(order.outDir, `holo-arena-${order.version}-unsigned.apk`);
  // A failed build must not leave an older file.
  rmSync(signed, { force: true });
  const work = mkdtempSync(path.join(tmpdir(), "holo-android-"));
  try {
    await assemble(order, work, unsigned);
    sign(unsigned, signed);
  } finally {
    rmSync(work, { recursive: true });
  }
  return [signed, unsigned];
}

async function assemble(order: BuildOrder, work: string, unsigned: string): Promise<void> {
  const versions = { code: toVersionCode(order.version), name: order.version, sdkMin: SDK_MIN, sdkTarget: SDK_TARGET };
  const resources = packResources(order.origin, versions, work);
  const dex = await compile(order, resources.generated, work);
  const packed = path.join(work, "packed.apk");
  writeFileSync(packed, toZip(new Map([...resources.files, ["classes.dex", dex]])));
  // Android maps uncompressed entries directly and needs 4-byte alignment.
  run("zipalign", ["-f", "-p", "4", packed, unsigned]);
}

/** Every Android from 7.0 reads signature scheme 2 or 3; the weaker scheme 1 is off. */
function sign(unsigned: string, signed: string): void {
  const { file, alias, passwordFile } = findKey();
  const key = ["--ks", file, "--ks-key-alias", alias, "--ks-pass", `file:${passwordFile}`];
  const forms = ["--v1-signing-enabled", "false", "--v2-signing-enabled", "true", "--v3-signing-enabled", "true"];
  const plain = ["--v4-signing-enabled", "false", "--min-sdk-version", String(SDK_MIN)];
  run("apksigner", ["sign", ...key, ...forms, ...plain, "--out", signed, unsigned]);
}

/** Updates need a higher number. `version` is three numbers below 1000. */
export function toVersionCode(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return (major * 1000 + minor) * 1000 + patch;
}
