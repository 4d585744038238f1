/** The machine's Chromium, which the browser tests drive. */
import { accessSync, constants } from "node:fs";
import path from "node:path";
import process from "node:process";
import { canInstall, runApt } from "./debian.js";

// The shell comes first: the same engine without the windows of a browser, which nobody sees here and which cost a third of the time.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PLACES = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * CHROMIUM_PATH where it is set, else the first of the usual names; null where there is none.
 * @returns {string | null}
 */
export function findChromium() {
  const chosen = process.env.CHROMIUM_PATH;
  if (chosen) return isExecutable(chosen) ? chosen : null;
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  const candidates = [...NAMES.flatMap((name) => folders.map((folder) => path.join(folder, name))), ...PLACES];
  return candidates.find(isExecutable) ?? null;
}

/**
 * Finds Chromium, or installs it where that is ours to do: on Debian and its kin, as root. Returns what to tell the user where it
 * is missing, else null.
 * @returns {string | null}
 */
export function provideChromium() {
  if (findChromium() !== null) return null;
  if (process.env.CHROMIUM_PATH) return `There is no program at CHROMIUM_PATH (${process.env.CHROMIUM_PATH}).`;
  if (canInstall()) {
    process.stderr.write("Chromium is missing: installing it with apt-get.\n");
    runApt([["update"]]);
    for (const name of ["chromium-headless-shell", "chromium"]) {
      runApt([["install", "-y", "--no-install-recommends", name]]);
      if (findChromium() !== null) return null;
    }
  }
  return "The browser tests and the benchmark of the page need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.";
}
