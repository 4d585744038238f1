/** Finds or installs the machine's Chromium for the browser tests. */
import path from "node:path";
import process from "node:process";
import { canInstall, runApt } from "./debian.js";
import { isExecutable } from "./executable.js";

// The headless shell is the same engine without browser windows, and a third faster.
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const PLACES = [
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * CHROMIUM_PATH if set, else the first of the usual names; null if there is none.
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
 * Finds Chromium, or installs it on Debian as root. Returns a message if it is missing, else null.
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
