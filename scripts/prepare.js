/**
 * Runs before every npm script on the machine's Node (20 or later), so it is plain JavaScript.
 * Installs missing packages (`--chromium`, `--nats`: also these). Writes to standard error only.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { provideChromium } from "./install/chromium.js";
import { provideNats } from "./install/nats.js";
import { findNode, ROOT } from "./runtime.js";

const stampFile = path.join(ROOT, "node_modules", ".installed");

/** @param {string} text */
function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** The lock file and the machine decide what is installed. */
function makeStamp() {
  const lock = readFileSync(path.join(ROOT, "package-lock.json"));
  return createHash("sha256").update(lock).update(`${process.platform}-${process.arch}`).digest("hex");
}

function isInstalled() {
  return existsSync(stampFile) && readFileSync(stampFile, "utf8") === makeStamp();
}

function install() {
  process.stderr.write("Installing the packages of package-lock.json (npm ci).\n");
  // NODE_ENV=production would omit the packages that build the web application.
  const flags = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const npm = process.env.npm_execpath;
  const options = { cwd: ROOT, stdio: /** @type {import("node:child_process").StdioOptions} */ (["ignore", 2, 2]) };
  const { status } = npm?.endsWith(".js")
    ? spawnSync(process.env.npm_node_execpath ?? process.execPath, [npm, ...flags], options)
    : spawnSync("npm", flags, { ...options, shell: process.platform === "win32" });
  if (status !== 0) fail("npm ci failed: the packages could not be installed (see above).");
  writeFileSync(stampFile, makeStamp());
}

/** The npm of Debian 13 does not link it, and npm scripts would run on the machine's own Node. */
function linkNode() {
  const node = findNode();
  const link = path.join(ROOT, "node_modules", ".bin", "node");
  if (node === null || node === process.execPath || process.platform === "win32" || existsSync(link)) return;
  symlinkSync(path.relative(path.dirname(link), node), link);
}

if (!isInstalled()) install();
linkNode();
if (findNode() === null) {
  fail(
    `There is no Node 24 or later for ${process.platform}-${process.arch} in the packages: install one and put it first in PATH.`,
  );
}
if (process.argv.includes("--chromium")) {
  const missing = provideChromium();
  if (missing !== null) fail(missing);
}
if (process.argv.includes("--nats")) {
  const missing = provideNats();
  if (missing !== null) fail(missing);
}
