import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { deflateRawSync } from "node:zlib";
import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeApp, makeManifest, makeProgram, makeRealApp, makeSignedApp, makeZip } from "../testing/test-builds.ts";
import { inspect } from "./inspect.ts";
import { readDraft } from "./read-at.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "holo-inspect-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function look(
  platform: ReleasePlatform,
  content: Buffer,
  version: string | null = null,
  certificates: readonly string[] = [],
) {
  const file: FileHandle = await open(path.join(folder, "build"), "w+");
  try {
    await file.write(content);
    return await inspect(readDraft(file), content.byteLength, { platform, version }, certificates);
  } finally {
    await file.close();
  }
}

const version = (value: string) => ({ ok: true, value });
const other = (own: string) => ({ ok: false, refusal: { code: "other_version", figures: { version: own } } });

describe("a Windows program", () => {
  test("has the version of its resources, declared or not", async () => {
    expect(await look("windows", makeProgram("4.5.6.7"))).toEqual(version("4.5.6"));
    expect(await look("windows", makeProgram("4.5.6.7"), "4.5.6")).toEqual(version("4.5.6"));
    expect(await look("windows", makeProgram("4.5.6.7"), "1.0.0")).toEqual(other("4.5.6"));
  });

  test.each([
    ["none", makeProgram(null)],
    ["nothing but zeros", makeProgram("0.0.0.0")],
    ["one that is not of our form", makeProgram("1.2.65535")],
  ])("with %s as version gets the declared version, or the default", async (_what, content) => {
    expect(await look("windows", content, "2.0.1")).toEqual(version("2.0.1"));
    expect(await look("windows", content)).toEqual(version("1.0.0"));
  });

  const beyond = makeProgram(null);
  beyond.writeUInt32LE(0xffff_fff0, 0x3c);
  const bare = makeProgram(null);
  bare.write("PX", 64, "latin1");
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["two letters", Buffer.from("MZ")],
    ["a text", Buffer.from("MZ is how programs begin".repeat(20))],
    ["a header that leads beyond the end", beyond],
    ["another header where PE should be", bare],
    ["an Android app", makeRealApp()],
    ["a program for Linux", Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(1000)])],
    ["a program that does not begin the file", Buffer.concat([Buffer.from(" "), makeProgram("1.2.3")])],
  ])("is not %s", async (_what, content) => {
    expect(await look("windows", content)).toEqual({ ok: false, refusal: "not_a_windows_program" });
  });

  test("whose resources exceed the file has no version", async () => {
    const program = makeProgram("4.5.6");
    const cut = program.subarray(0, 590);
    expect(await look("windows", cut, "1.1.1")).toEqual(version("1.1.1"));
    program.writeUInt32LE(0xffff_ff00, 64 + 24 + 240 + 20);
    expect(await look("windows", program, "1.1.1")).toEqual(version("1.1.1"));
  });
});

describe("an Android app", () => {
  test("is signed with a configured certificate, if there is one [ADMIN-05b]", async () => {
    const certificate = Buffer.from("the certificate of the release key");
    const digest = createHash("sha256").update(certificate).digest("hex").toUpperCase().match(/../g)!.join(":");
    const signed = makeSignedApp(certificate);
    const refused = { ok: false, refusal: "other_certificate" };
    expect(await look("android", signed, null, ["AB", digest])).toEqual(version("1.2.3"));
    expect(await look("android", signed)).toEqual(version("1.2.3"));
    for (const foreign of [makeSignedApp(Buffer.from("the development key's")), makeRealApp(), makeApp("7.8.9")])
      expect(await look("android", foreign, null, [digest])).toEqual(refused);
    expect(await look("windows", makeProgram("4.5.6.7"), null, [digest])).toEqual(version("4.5.6"));
    for (let at = signed.indexOf("APK Sig") - 200; at < signed.byteLength - 22; at += 1) {
      const altered = Buffer.from(signed);
      altered[at] = 0xff;
      // It may still be accepted; it must not throw.
      await look("android", altered, null, [digest]);
    }
  });

  test("has the version of its manifest, declared or not", async () => {
    expect(await look("android", makeRealApp())).toEqual(version("1.2.3"));
    expect(await look("android", makeApp("7.8.9"), "7.8.9")).toEqual(version("7.8.9"));
    expect(await look("android", makeApp("7.8.9"), "1.0.0")).toEqual(other("7.8.9"));
  });

  test("with an unreadable version gets the declared version, or the default", async () => {
    expect(await look("android", makeApp("1.2b3"), "2.0.1")).toEqual(version("2.0.1"));
    expect(await look("android", makeZip("AndroidManifest.xml", Buffer.from("<manifest/>")))).toEqual(version("1.0.0"));
  });

  test("has no version if its manifest is cut, altered or too large unpacked", async () => {
    const manifest = makeManifest("7.8.9");
    for (let length = 0; length < manifest.byteLength; length += 7) {
      const cut = makeZip("AndroidManifest.xml", manifest.subarray(0, length));
      expect((await look("android", cut)).ok).toBe(true);
    }
    expect(await look("android", makeZip("AndroidManifest.xml", manifest.subarray(0, 200)), "1.1.1")).toEqual(
      version("1.1.1"),
    );
    for (let at = 0; at < manifest.byteLength; at += 1) {
      const altered = Buffer.from(manifest);
      altered[at] = 0xff;
      // It may still have a version; it must not throw.
      expect((await look("android", makeZip("AndroidManifest.xml", altered))).ok).toBe(true);
    }
    const bomb = makeZip("AndroidManifest.xml", deflateRawSync(Buffer.alloc(64 * 1024 * 1024)));
    bomb.writeUInt16LE(8, bomb.indexOf("PK\x01\x02", 0, "latin1") + 10);
    expect(await look("android", bomb, "1.1.1")).toEqual(version("1.1.1"));
  });

  const cut = makeApp("1.2.3").subarray(0, -30);
  const misled = makeApp("1.2.3");
  misled.writeUInt32LE(0xffff_fff0, misled.byteLength - 6);
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["four letters", Buffer.from("PK\x03\x04", "latin1")],
    ["a ZIP without a manifest", makeZip("classes.dex", Buffer.from("code"))],
    ["a ZIP with a manifest elsewhere", makeZip("assets/AndroidManifest.xml", makeManifest("1.2.3"))],
    ["a ZIP that only has the name in its content", makeZip("a.txt", Buffer.from("AndroidManifest.xml"))],
    ["a ZIP whose end is missing", cut],
    ["a ZIP whose directory is beyond its end", misled],
    ["an app with a letter before it", Buffer.concat([Buffer.from(" "), makeApp("1.2.3")])],
    ["an app with a letter after it", Buffer.concat([makeApp("1.2.3"), Buffer.from(" ")])],
    ["a Windows program", makeProgram("1.2.3")],
  ])("is not %s", async (_what, content) => {
    expect(await look("android", content)).toEqual({ ok: false, refusal: "not_an_android_app" });
  });
});
