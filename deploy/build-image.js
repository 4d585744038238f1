/**
 * `node deploy/build-image.js ARCHIVE [TAG]`: builds the OCI image of a release with buildah, as
 * root on Debian with mmdebstrap. Prints the image's size.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { ROOT } from "../scripts/runtime.js";

const BASE = path.join(ROOT, ".cache", "image-base.tar");
/** What Node needs; extracted, not installed, so that there is no shell and no package manager. */
const LIBRARIES = "base-files,netbase,libc6,libstdc++6,libgcc-s1,libatomic1";

/**
 * @param {string} command
 * @param {readonly string[]} args
 */
function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: ROOT, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  process.stderr.write(`${command} failed: ${error?.message ?? `it ended with ${status}`}\n`);
  process.exit(1);
}

const [archive, tag = "holo-arena"] = process.argv.slice(2);
if (archive === undefined || !existsSync(archive)) {
  process.stderr.write("Name the archive of a release, which npm run release makes in dist.\n");
  process.exit(1);
}
if (!existsSync(BASE)) {
  mkdirSync(path.dirname(BASE), { recursive: true });
  run("mmdebstrap", ["--variant=extract", `--include=${LIBRARIES}`, "trixie", BASE]);
}
const context = mkdtempSync(path.join(tmpdir(), "holo-image-"));
try {
  mkdirSync(path.join(context, "data"));
  cpSync(BASE, path.join(context, "base.tar"));
  const release = path.join(context, "release");
  mkdirSync(release);
  run("tar", ["-xf", path.resolve(archive), "--strip-components=1", "-C", release]);
  run("buildah", [
    "build",
    "--format",
    "docker",
    "--file",
    path.join(ROOT, "deploy/Containerfile"),
    "--tag",
    tag,
    context,
  ]);
} finally {
  rmSync(context, { recursive: true, force: true });
}
const { stdout } = spawnSync("buildah", ["images", "--format", "{{.Size}}", tag], { encoding: "utf8" });
process.stdout.write(`${tag}: ${stdout.trim()}\n`);
