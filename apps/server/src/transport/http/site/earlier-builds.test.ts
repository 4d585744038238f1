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

/** A build's own file has its content for its name, as the bundler does it. */
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

/** What the server that starts now with this build serves beside it, as text. */
async function start(build: BuildFiles, afterMs = HOUR_MS): Promise<readonly string[]> {
  now += afterMs;
  const earlier = await keepBuild(build, { folder, at: toInstant(now), log });
  return [...earlier].map(([file, content]) => {
    const text = new TextDecoder().decode(content);
    expect(file).toBe(`assets/${toName(text)}`);
    return text;
  });
}

describe("the parts of earlier builds", () => {
  test("are served as long as pages of them may be open, from the latest on [SITE-08b]", async () => {
    expect(await start(toBuild("one"))).toEqual([]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(said).toEqual([]);
  });

  test("come back with a build that is taken back, and the one it replaces is an earlier one then", async () => {
    await start(toBuild("one"));
    await start(toBuild("two"));
    expect(await start(toBuild("one"))).toEqual(["two"]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
  });

  test("are kept from the day on which their build was replaced, however long it was served", async () => {
    await start(toBuild("one"));
    expect(await start(toBuild("two"), 3 * KEPT_MS)).toEqual(["one"]);
    expect(await start(toBuild("two"), KEPT_MS)).toEqual(["one"]);
    expect(await start(toBuild("two"), 1)).toEqual([]);
    expect(await readdir(folder)).not.toContain(toName("one"));
  });

  test("are those of so many builds, and of so many bytes", async () => {
    for (let build = 0; build <= BUILDS_MAX + 2; build += 1) await start(toBuild(`build ${build}`));
    const served = await start(toBuild("last"));
    expect(served).toHaveLength(BUILDS_MAX);
    expect(served).not.toContain("build 2");
    // the index, what all share, and each build's own
    expect(await readdir(folder)).toHaveLength(1 + 1 + BUILDS_MAX + 1);

    const heavy = "x".repeat(BYTES_MAX / 2);
    await start(toBuild(`${heavy}1`));
    await start(toBuild(`${heavy}2`));
    expect((await start(toBuild("light"))).map((text) => text.at(-1))).toEqual(["2"]);
  });

  test("are hashed files alone: what has the same name in every build is the newest one's", async () => {
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

  test("are left alone by a server that has no page", async () => {
    await start(toBuild("one"));
    expect(await start(new Map())).toEqual([]);
    expect(await start(toBuild("two"))).toEqual(["one"]);
  });
});

describe("what lies in the folder", () => {
  beforeEach(async () => {
    await start(toBuild("one"));
    await start(toBuild("two"));
  });

  test("is served only as it was: a file that was cut off or changed is gone, the others are there", async () => {
    await truncate(path.join(folder, toName("one")), 1);
    expect(await start(toBuild("three"))).toEqual(["two"]);
    await writeFile(path.join(folder, toName("two")), "owt");
    expect(await start(toBuild("four"))).toEqual(["three"]);
  });

  test("is not where a link leads to", async () => {
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
  ])("begins anew where its index is %s", async (_, change) => {
    await writeFile(path.join(home, "secret"), "secret");
    const index = path.join(folder, "builds.json");
    await writeFile(index, change(await readFile(index, "utf8")));
    expect(await start(toBuild("three"))).toEqual([]);
    expect(await start(toBuild("four"))).toEqual(["three"]);
    expect(await readFile(path.join(home, "secret"), "utf8")).toBe("secret");
  });

  test("is swept of what no build has, such as what a killed server was writing", async () => {
    await writeFile(path.join(folder, "builds.json.draft"), "[");
    await writeFile(path.join(folder, toName("stray")), "str");
    await start(toBuild("three"));
    expect((await readdir(folder)).sort()).toEqual([
      "builds.json",
      ...["one", "two", "three", "react"].map(toName).sort(),
    ]);
  });

  test("serves on where it cannot be written, and is missed with a word where it cannot be read", async () => {
    await mkdir(path.join(folder, "builds.json.draft"));
    expect(await start(toBuild("three"))).toEqual(["two", "one"]);
    expect(said).toEqual([expect.stringContaining("could not be kept")]);
    await cp(path.join(folder, toName("one")), path.join(home, "file"));
    await rm(folder, { recursive: true });
    await cp(path.join(home, "file"), folder);
    expect(await start(toBuild("four"))).toEqual([]);
    expect(said.at(-1)).toContain("could not be read");
  });
});
