/**
 * Builds the web application if its sources changed, and fails if the page exceeds its size limits.
 * Writes to standard error only.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { formatWeight, isLight, MANIFEST, weighPage } from "./page-weight.js";
import { findNode, ROOT, toCommand } from "./runtime.js";

const web = path.join(ROOT, "apps", "web");
const dist = path.join(web, "dist");
const stampFile = path.join(dist, ".built");

const NOT_A_SOURCE = /(^|[\\/])(dist|node_modules)[\\/]|\.test\.tsx?$/;

/** Source files of a build without tests, in the same order on every machine. */
function listSources() {
  const files = ["apps/web", "packages"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
  );
  return [...files.filter((file) => !NOT_A_SOURCE.test(file)).sort(), "package-lock.json"];
}

/** Names are hashed too, so that a moved file changes the stamp. */
function makeStamp() {
  const hash = createHash("sha256");
  for (const file of listSources()) hash.update(`\0${file}\0`).update(readFileSync(path.join(ROOT, file)));
  return hash.digest("hex");
}

const stamp = makeStamp();
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) {
  process.stderr.write("Building the web application.\n");
  rmSync(stampFile, { force: true });
  const { status } = spawnSync(
    findNode() ?? process.execPath,
    [toCommand("vite/bin/vite.js"), "build", web, "--manifest", "--logLevel", "warn"],
    {
      cwd: ROOT,
      env: { ...process.env, NODE_ENV: "production" },
      stdio: ["ignore", 2, 2],
    },
  );
  if (status !== 0) {
    process.stderr.write("The web application could not be built (see above).\n");
    process.exit(1);
  }
  const weight = weighPage(dist);
  // The manifest names source files and would be served.
  rmSync(path.dirname(path.join(dist, MANIFEST)), { recursive: true });
  process.stderr.write(`${formatWeight(weight)}\n`);
  if (!isLight(weight)) process.exit(1);
  writeFileSync(stampFile, stamp);
}
