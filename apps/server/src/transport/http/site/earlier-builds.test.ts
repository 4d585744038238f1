import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { HOUR_MS, toInstant } from "@holo/kernel/instant.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openLog } from "../../../platform/log.ts";
import { BUILDS_MAX, type BuildFiles, BYTES_MAX, KEPT_MS, keepBuild } from "./earlier-builds.ts";

let home: string;
let folder: string;
let now = 0;
let said: string[] = [];
const log = openLog("warn", { write: (line) => said.push(line) });

beforeEach(async () => {
  home = await mkdtemp(path.join(tmpdir(), "holo-builds-"));
  folder = path.join(home, "pages");
  now = Date.UTC(2026, 10, 22);
  said = [];
});
afterEach(() => rm(home, { recursive: true }));

/** The bundler names a build's files by content. */
function toBuild(own: string, shared: readonly string[] = ["react"]): BuildFiles {
  const assets = [own, ...shared].map((text) => [`assets/${toName(text)}`, bytesOf(text)] as const);
  return new Map([["index.html", bytesOf(`<script src="${toName(own)}">`)], ["sw.js", bytesOf(own)], ...assets]);
}

function toName(text: string): string {
  return `part-${createHash("sha256").update(text).digest("hex").slice(0, 8)}.js`;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The earlier files served next to this build, as text. */
async function start(build: BuildFiles, afterMs = HOUR_MS): Promise<readonly string[]> {
  now += afterMs;
  const earlier = await keepBuild(build, { folder, at: toInstant(now), log });
  return [...earlier].map(([file, content]) => {
    const text = new TextDecoder().decode(content);
    expect(file).toBe(`assets/${toName(text)}`);
    return text;
  });
}

describe("the files of earlier builds", () => {
  test("are served while their pages may be open, latest first [SITE-08]", async () => {
    expect(await start(toBuild("one"))).toEqual([]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(said).toEqual([]);
  });

  test("are current again after a rollback, which makes the replaced build an earlier one", async () => {
    await start(toBuild("one"));
    await start(toBuild("two"));
    expect(await start(toBuild("one"))).toEqual(["two"]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
  });

  test("expire by the day on which their build was replaced", async () => {
    await start(toBuild("one"));
    expect(await start(toBuild("two"), 3 * KEPT_MS)).toEqual(["one"]);
    expect(await start(toBuild("two"), KEPT_MS)).toEqual(["one"]);
    expect(await start(toBuild("two"), 1)).toEqual([]);
    expect(await readdir(folder)).not.toContain(toName("one"));
  });

  test("are limited by number of builds and by bytes", async () => {
    for (let build = 0; build <= BUILDS_MAX + 2; build += 1) await start(toBuild(`build ${build}`));
    const served = await start(toBuild("last"));
    expect(served).toHaveLength(BUILDS_MAX);
    expect(served).not.toContain("build 2");
    expect(await readdir(folder)).toHaveLength(1 + 1 + BUILDS_MAX + 1);

    const heavy = "x".repeat(BYTES_MAX / 2);
    await start(toBuild(`${heavy}1`));
    await start(toBuild(`${heavy}2`));
    expect((await start(toBuild("light"))).map((text) => text.at(-1))).toEqual(["2"]);
  });

  test("are hashed files only", async () => {
    const unhashed = [
      "assets/app.js",
      "assets/deep/part-1a2b3c4d.js",
      "assets/..part-1a2b3c4d",
      "theme.js",
      "ahead.json",
    ];
    await start(new Map([...toBuild("one"), ...unhashed.map((file) => [file, bytesOf(file)] as const)]));
    expect(await start(toBuild("two"))).toEqual(["one"]);
    expect((await readdir(folder)).sort()).toEqual(["builds.json", ...["one", "two", "react"].map(toName).sort()]);
  });

  test("are kept by a server without a page", async () => {
    await start(toBuild("one"));
    expect(await start(new Map())).toEqual([]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
  });
});

describe("the folder", () => {
  beforeEach(async () => {
    await start(toBuild("one"));
    await start(toBuild("two"));
  });

  test("omits a truncated or changed file and serves the others", async () => {
    await truncate(path.join(folder, toName("one")), 1);
    expect(await start(toBuild("three"))).toEqual(["two"]);
    await writeFile(path.join(folder, toName("two")), "owt");
    expect(await start(toBuild("four"))).toEqual(["three"]);
  });

  test("does not follow links", async () => {
    await writeFile(path.join(home, "secret"), "one");
    await rm(path.join(folder, toName("one")));
    await symlink(path.join(home, "secret"), path.join(folder, toName("one")));
    expect(await start(toBuild("three"))).toEqual(["two"]);
  });

  test.each([
    ["cut off", (text: string) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["forged with a path", (text: string) => text.replace(toName("one"), "../secret")],
    ["of another form", () => '{"builds":3}'],
  ])("starts empty if its index is %s", async (_, change) => {
    await writeFile(path.join(home, "secret"), "secret");
    const index = path.join(folder, "builds.json");
    await writeFile(index, change(await readFile(index, "utf8")));
    expect(await start(toBuild("three"))).toEqual([]);
    expect(await start(toBuild("four"))).toEqual(["three"]);
    expect(await readFile(path.join(home, "secret"), "utf8")).toBe("secret");
  });

  test("is cleaned of files without a build, such as those of a killed server", async () => {
    await writeFile(path.join(folder, "builds.json.draft"), "[");
    await writeFile(path.join(folder, toName("stray")), "str");
    await start(toBuild("three"));
    expect((await readdir(folder)).sort()).toEqual([
      "builds.json",
      ...["one", "two", "three", "react"].map(toName).sort(),
    ]);
  });

  test("is served if it cannot be written, and logged if it cannot be read", async () => {
    await mkdir(path.join(folder, "builds.json.draft"));
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(said).toEqual([expect.stringContaining("could not be saved")]);
    await cp(path.join(folder, toName("one")), path.join(home, "file"));
    await rm(folder, { recursive: true });
    await cp(path.join(home, "file"), folder);
    expect(await start(toBuild("four"))).toEqual([]);
    expect(said.at(-1)).toContain("could not be read");
  });
});
