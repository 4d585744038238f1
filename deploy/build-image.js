/**
 * `node deploy/build-image.js [TAG]`: builds the OCI image with buildah, as root on Debian with
 * mmdebstrap. The page must be built (`node scripts/build-web.js`). Prints the image's size.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { findNode, ROOT } from "../scripts/runtime.js";

const BASE = path.join(ROOT, ".cache", "image-base.tar");
/** What Node needs; extracted, not installed, so that there is no shell and no package manager. */
const LIBRARIES = "base-files,netbase,libc6,libstdc++6,libgcc-s1,libatomic1";
const COMMANDS = ["admin", "audit", "backup", "doctor", "restore"];

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Record<string, string>} [env]
 */
function run(command, args, env) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", 2, 2],
  });
  if (status === 0) return;
  process.stderr.write(`${command} failed: ${error?.message ?? `it ended with ${status}`}\n`);
  process.exit(1);
}

/** @param {string} app receives what the server needs to run, and nothing to build it */
function stage(app) {
  const isSource = (/** @type {string} */ file) => !/[\\/]testing$|\.test\.ts$/.test(file);
  /** @param {string} file */
  const copy = (file) => cpSync(path.join(ROOT, file), path.join(app, file), { recursive: true, filter: isSource });
  const manifests = ["package.json", "package-lock.json", "apps/server/package.json", "apps/web/package.json"];
  const packages = ["checkers", "chess", "kernel", "protocol", "rules", "table"].map((name) => `packages/${name}`);
  for (const file of [...manifests, ...packages]) copy(file);
  // Our packages are linked into node_modules, so their folders come first.
  run("npm", [
    "ci",
    "--prefix",
    app,
    "--workspace",
    "@holo/server",
    "--omit=dev",
    "--omit=optional",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    "--loglevel=error",
  ]);
  for (const file of ["apps/server/src", "apps/server/migrations", "apps/sandbox/src", "apps/web/dist"]) copy(file);
  for (const name of COMMANDS) copy(`scripts/${name}.ts`);
  copy("deploy/healthcheck.js");
  mkdirSync(path.join(app, "bin"));
  cpSync(/** @type {string} */ (findNode()), path.join(app, "bin", "node"));
}

const tag = process.argv[2] ?? "holo-arena";
if (!existsSync(path.join(ROOT, "apps/web/dist/.built"))) {
  process.stderr.write("The page is not built: run node scripts/build-web.js first.\n");
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
  stage(path.join(context, "app"));
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
