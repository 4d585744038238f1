import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestS3, type TestS3 } from "../testing/test-s3.ts";
import type { ByteRange, Draft, Files, FilesLocation } from "./files.ts";
import { openFiles } from "./open-files.ts";

let folder: string;
let s3: TestS3;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-files-"));
  s3 = await startTestS3(path.join(folder, "s3-drafts"));
});
afterAll(async () => {
  await s3.close();
  await rm(folder, { recursive: true });
});

const factsOf = (content: Buffer) => ({
  sizeBytes: content.byteLength,
  sha256: createHash("sha256").update(content).digest("hex"),
});

async function write(files: Files, content: Buffer): Promise<Draft> {
  const draft = await files.openDraft();
  await draft.handle.write(content);
  return draft;
}

async function keep(files: Files, key: string, content: Buffer): Promise<void> {
  const draft = await write(files, content);
  try {
    await draft.save(key, factsOf(content));
  } finally {
    await draft.discard();
  }
}

async function read(files: Files, key: string, range?: ByteRange): Promise<Buffer | null> {
  const chunks = await files.read(key, range);
  if (chunks === null) return null;
  const read: Uint8Array[] = [];
  for await (const chunk of chunks) read.push(chunk);
  return Buffer.concat(read);
}

describe.each([
  ["on disk", (): FilesLocation => ({ type: "disk", folder: path.join(folder, "disk") }), "disk/drafts"],
  ["in a bucket", (): FilesLocation => s3.place, "s3-drafts"],
])("files %s", (_where, place, drafts) => {
  test("are read back whole and in ranges until they are removed", async () => {
    const files = openFiles(place());
    const content = randomBytes(200_000);
    await keep(files, "builds/one", content);
    expect((await read(files, "builds/one"))?.equals(content)).toBe(true);
    expect(await read(files, "builds/one", { first: 0, last: 0 })).toEqual(content.subarray(0, 1));
    expect(await read(files, "builds/one", { first: 65_530, last: 140_000 })).toEqual(
      content.subarray(65_530, 140_001),
    );
    expect(await read(files, "builds/two")).toBeNull();
    await files.remove("builds/one");
    await files.remove("builds/one");
    expect(await read(files, "builds/one")).toBeNull();
  });

  test("are listed by folder", async () => {
    const files = openFiles(place());
    expect(await files.list("listed")).toEqual([]);
    const keys = ["listed/a", "listed/b", "listed/c", "listed/d", "listed/e"];
    for (const key of [...keys, "listed-not/a"]) await keep(files, key, Buffer.from(key));
    const listed = await files.list("listed");
    expect(listed.map(({ key }) => key).sort()).toEqual(keys);
    expect(listed.every(({ storedAt }) => storedAt > 0)).toBe(true);
  });

  test("leave nothing of a discarded draft", async () => {
    const files = openFiles(place());
    const draft = await write(files, Buffer.from("half"));
    expect(await readdir(path.join(folder, drafts))).toHaveLength(1);
    await draft.discard();
    expect(await readdir(path.join(folder, drafts))).toEqual([]);
  });

  test.each(["../up", "/root", "a//b", "a/../b", "a b", "", "A", "a/", "a\0b"])("refuse the key %j", async (key) => {
    const files = openFiles(place());
    await expect(files.read(key)).rejects.toThrow("is no key of a file");
    const draft = await write(files, Buffer.from("x"));
    await expect(draft.save(key, factsOf(Buffer.from("x")))).rejects.toThrow("is no key of a file");
    await draft.discard();
  });

  test("sweep abandoned drafts and no other file", async () => {
    const files = openFiles(place());
    const living = await write(files, Buffer.from("mine"));
    const machine = hostname().replace(/[^A-Za-z0-9-]/g, "-");
    const id = "00000000-0000-4000-8000-000000000000";
    const gone = [`${machine}_${process.pid}_${id}.draft`, `${machine}_4194303_${id}.draft`, `elsewhere_1_${id}.draft`];
    const left = [`elsewhere_2_${id}.draft`, `${machine}_1_${id}.draft`, "notes.txt"];
    await mkdir(path.join(folder, drafts), { recursive: true });
    for (const name of [...gone, ...left]) await writeFile(path.join(folder, drafts, name), "half");
    const longAgo = new Date(Date.now() - 3 * 60 * 60_000);
    await utimes(path.join(folder, drafts, gone[2] ?? ""), longAgo, longAgo);
    await files.sweepDrafts();
    const names = await readdir(path.join(folder, drafts));
    expect(names.filter((name) => gone.includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(left));
    expect(names).toHaveLength(left.length + 1);
    await living.discard();
  });
});

describe("a bucket", () => {
  test("throws if it refuses or fails, and stores no partial file", async () => {
    const files = openFiles({ ...s3.place, secretAccessKey: "another" });
    await expect(keep(files, "builds/forged", Buffer.from("x"))).rejects.toThrow("answered 403");
    s3.fail(500);
    await expect(keep(openFiles(s3.place), "builds/failed", Buffer.from("x"))).rejects.toThrow("answered 500");
    await expect(openFiles(s3.place).read("builds/failed")).rejects.toThrow("answered 500");
    s3.fail(null);
    expect([...s3.objects.keys()].filter((name) => /forged|failed/.test(name))).toEqual([]);
    expect([...s3.objects.keys()].every((name) => name.startsWith("/holo-files/arena/"))).toBe(true);
  });

  test("stores only content that matches the hash", async () => {
    const draft = await write(openFiles(s3.place), Buffer.from("altered"));
    const { sha256 } = factsOf(Buffer.from("genuine"));
    await expect(draft.save("builds/altered", { sizeBytes: 7, sha256 })).rejects.toThrow("answered 403");
    await draft.discard();
  });
});

test("writes a key on disk once", async () => {
  const files = openFiles({ type: "disk", folder: path.join(folder, "once") });
  await keep(files, "builds/one", Buffer.from("first"));
  await expect(keep(files, "builds/one", Buffer.from("second"))).rejects.toThrow("EEXIST");
  expect(await read(files, "builds/one")).toEqual(Buffer.from("first"));
});

test("fails in clear words where no folder can be made", async () => {
  const files = openFiles({ type: "disk", folder: "/proc/new/files" });
  await expect(files.openDraft()).rejects.toThrow(/\/proc/);
  await writeFile(path.join(folder, "file"), "");
  await expect(openFiles({ type: "disk", folder: path.join(folder, "file") }).openDraft()).rejects.toThrow(/file/);
});
