import { mkdtemp, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDiskFiles } from "../../../platform/files/disk-files.ts";
import type { Files } from "../../../platform/files/files.ts";
import { openLog } from "../../../platform/log.ts";
import { BUILDS_MAX, type BuildFiles, type KeptBuilds, keepBuilds } from "./kept-builds.ts";

let folder: string;
let files: Files;
let listings = 0;
let nowMs = 0;
let warnings: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-shared-"));
  const disk = openDiskFiles(folder);
  files = {
    ...disk,
    list(name) {
      listings += 1;
      return disk.list(name);
    },
  };
  nowMs = 0;
  warnings = [];
});
afterEach(() => rm(folder, { recursive: true }));

const toBuild = (text: string): BuildFiles =>
  new Map([
    ["index.html", bytesOf(text)],
    ["assets/app.js", bytesOf(text)],
    [`assets/main-${text.padEnd(8, "0")}.js`, bytesOf(text)],
    ["assets/react-1a2b3c4d.js", bytesOf("react")],
  ]);

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

async function start(build: BuildFiles): Promise<KeptBuilds> {
  const log = openLog("warn", { write: (line) => warnings.push(line) });
  const builds = keepBuilds(build, { files, time: { monotonicMs: () => nowMs }, log });
  await builds.stored;
  return builds;
}

/** What a server finds on a miss, five seconds after the last one. */
async function find(builds: KeptBuilds, name = "main-wanted00.js"): Promise<readonly string[]> {
  nowMs += 5_000;
  const found = await builds.findNew(name);
  return [...found].map(([file, content]) => `${file}: ${new TextDecoder().decode(content)}`);
}

const ONE = ["main-one00000.js: one", "react-1a2b3c4d.js: react"];
const TWO = ["main-two00000.js: two", "react-1a2b3c4d.js: react"];

// [SERVERS-21 §-] With several servers a page gets the hashed files of its build from every server, also from one of
// an earlier or later build.
test("servers of two builds have each other's hashed files, whichever started first [SERVERS-21]", async () => {
  const earlier = await start(toBuild("one"));
  const later = await start(toBuild("two"));
  expect(await find(later)).toEqual(ONE);
  expect(await find(earlier)).toEqual(TWO);
  expect(await find(earlier)).toEqual([]);
  expect(await find(await start(toBuild("one")))).toEqual(TWO);
  expect(warnings).toEqual([]);
});

test("requests of unknown names cost one listing in five seconds, and unhashed names none", async () => {
  const builds = await start(toBuild("one"));
  nowMs = 60_000;
  listings = 0;
  for (let i = 0; i < 50; i += 1) await builds.findNew(`gone-${String(i).padStart(8, "0")}.js`);
  for (const name of ["app.js", "../secret-1a2b3c4d.js", "index.html"]) await find(builds, name);
  expect(listings).toBe(1);
});

test("a store that answers late is asked once at a time", async () => {
  await start(toBuild("one"));
  const builds = await start(toBuild("two"));
  listings = 0;
  const both = await Promise.all([find(builds), find(builds)]);
  expect(both).toEqual([ONE, ONE]);
  expect(listings).toBe(1);
});

test("a build that is not what was stored is ignored", async () => {
  await start(toBuild("one"));
  const [name = ""] = await readdir(path.join(folder, "kept", "pages"));
  await truncate(path.join(folder, "kept", "pages", name), 20);
  await writeFile(path.join(folder, "kept", "pages", "foreign"), "[]");
  expect(await find(await start(toBuild("two")))).toEqual([]);
});

test("the newest builds are kept, and a server without a page stores none", async () => {
  await start(new Map());
  for (let build = 0; build < BUILDS_MAX + 4; build += 1) await start(toBuild(`b${build}`));
  expect(await readdir(path.join(folder, "kept", "pages"))).toHaveLength(BUILDS_MAX + 1);
});

test("a store that fails leaves the site as it is", async () => {
  const list = files.list;
  files = { ...files, list: () => Promise.reject(new Error("no store")) };
  const builds = await start(toBuild("one"));
  expect(await find(builds)).toEqual([]);
  expect(warnings).toHaveLength(2);
  files = { ...files, list };
  await start(toBuild("two"));
  expect(await find(await start(toBuild("three")))).toEqual(TWO);
});
