/**
 * Renders the app icons from the drawings in apps/web/public with Chromium: `node
 * scripts/draw-icons.ts`. The icons are committed, so that a build needs no browser.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { assert } from "@holo/kernel/assert.ts";
import { chromium } from "@playwright/test";
import { findChromium } from "./install/chromium.js";
import { ROOT } from "./runtime.js";

interface Drawing {
  readonly source: string;
  readonly file: string;
  readonly px: number;
}

/** The app icon fills its square with the coin inside any mask; the favicon is rounded. */
const DRAWINGS: readonly Drawing[] = [
  { source: "favicon.svg", file: "icon-192.png", px: 192 },
  { source: "favicon.svg", file: "icon-512.png", px: 512 },
  { source: "app-icon.svg", file: "maskable-192.png", px: 192 },
  { source: "app-icon.svg", file: "maskable-512.png", px: 512 },
  { source: "app-icon.svg", file: "touch-180.png", px: 180 },
];

const publicFolder = path.join(ROOT, "apps", "web", "public");
const executablePath = findChromium();
assert(executablePath !== null, "Chromium is installed");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
await mkdir(path.join(publicFolder, "icons"), { recursive: true });
for (const { source, file, px } of DRAWINGS) {
  const svg = await readFile(path.join(publicFolder, source), "utf8");
  const page = await browser.newPage({ viewport: { width: px, height: px } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:${px}px;height:${px}px}</style>${svg}`);
  await writeFile(path.join(publicFolder, "icons", file), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
