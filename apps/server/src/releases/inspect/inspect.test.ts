import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import { describe, expect, test } from "vitest";
import {
  makeApp,
  makeManifest,
  makeManifestZip,
  makeProgram,
  makeSignedApp,
  makeUnsignedApp,
  makeZip,
} from "../testing/test-builds.ts";
import { inspect } from "./inspect.ts";

async function look(
  platform: ReleasePlatform,
  content: Buffer,
  version: string | null = null,
  certificates: readonly string[] = [],
) {
  const readAt = async (position: number, length: number) =>
    position + length <= content.byteLength ? content.subarray(position, position + length) : null;
  return await inspect(readAt, content.byteLength, { platform, version }, certificates);
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
    ["an Android app", makeUnsignedApp()],
    ["a program for Linux", Buffer.concat([Buffer.from("\x7fELF"), Buffer.alloc(1000)])],
    ["a program that does not begin the file", Buffer.concat([Buffer.from(" "), makeProgram("1.2.3")])],
  ])("is not %s", async (_what, content) => {
    expect(await look("windows", content)).toEqual({ ok: false, refusal: "not_a_windows_program" });
  });

  test("of another product is refused, as are a library and a program that is cut [ADMIN-05]", async () => {
    const refused = (refusal: string) => ({ ok: false, refusal });
    expect(await look("windows", makeProgram("4.5.6", undefined, "Solitaire"))).toEqual(refused("other_app"));
    const program = makeProgram("4.5.6");
    expect(await look("windows", program.subarray(0, 590))).toEqual(refused("not_a_windows_program"));
    const library = Buffer.from(program);
    library.writeUInt16LE(0x2000, 64 + 22);
    expect(await look("windows", library)).toEqual(refused("not_a_windows_program"));
    program.writeUInt32LE(0xffff_ff00, 64 + 24 + 240 + 20);
    expect(await look("windows", program)).toEqual(refused("not_a_windows_program"));
  });
});

describe("an Android app", () => {
  test("is signed with a configured certificate, if there is one [ADMIN-05]", async () => {
    const certificate = Buffer.from("the certificate of the release key");
    const digest = createHash("sha256").update(certificate).digest("hex").toUpperCase().match(/../g)!.join(":");
    const signed = makeSignedApp(certificate);
    const refused = { ok: false, refusal: "other_certificate" };
    expect(await look("android", signed, null, ["AB", digest])).toEqual(version("1.2.3"));
    expect(await look("android", signed)).toEqual(version("1.2.3"));
    for (const foreign of [makeSignedApp(Buffer.from("the development key's")), makeUnsignedApp()])
      expect(await look("android", foreign, null, [digest])).toEqual(refused);
    expect(await look("windows", makeProgram("4.5.6.7"), null, [digest])).toEqual(version("4.5.6"));
    for (let at = signed.indexOf("APK Sig") - 200; at < signed.byteLength - 22; at += 1) {
      const altered = Buffer.from(signed);
      altered[at] = 0xff;
      // It may still be accepted; it must not throw.
      await look("android", altered, null, [digest]);
    }
  });

  test("is ours and is signed, also without a configured certificate [ADMIN-05]", async () => {
    const refused = (refusal: string) => ({ ok: false, refusal });
    expect(await look("android", makeUnsignedApp())).toEqual(refused("unsigned_app"));
    const manifest = makeManifest("1.2.3");
    const other = Buffer.from(manifest);
    other.write("arena.holo.apq", other.indexOf("arena.holo.app", 0, "utf16le"), "utf16le");
    const sign = (one: Buffer) => makeSignedApp(Buffer.from("a certificate"), makeManifestZip(one));
    expect(await look("android", sign(other))).toEqual(refused("other_app"));
    const empty = Buffer.from("");
    const [signed, list, key] = ["META-INF/MANIFEST.MF", "META-INF/A.SF", "META-INF/A.EC"] as const;
    const schemeOne = { "AndroidManifest.xml": manifest, [signed]: empty, [list]: empty, [key]: empty };
    expect(await look("android", makeZip(schemeOne))).toEqual(version("1.2.3"));
    for (const lacking of [signed, list, key]) {
      const { [lacking]: _, ...files } = schemeOne;
      expect(await look("android", makeZip(files))).toEqual(refused("unsigned_app"));
    }
    // A block without a signer.
    const unnamed = makeSignedApp(Buffer.from("a certificate"), makeManifestZip(manifest));
    unnamed.writeUInt32LE(0x12345678, unnamed.indexOf("digests") - 28);
    expect(await look("android", unnamed)).toEqual(refused("unsigned_app"));
  });

  test("has the version of its manifest, declared or not", async () => {
    expect(await look("android", makeApp())).toEqual(version("1.2.3"));
    expect(await look("android", makeApp("7.8.9"), "7.8.9")).toEqual(version("7.8.9"));
    expect(await look("android", makeApp("7.8.9"), "1.0.0")).toEqual(other("7.8.9"));
  });

  test("with a version of another form gets the declared version, or the default", async () => {
    expect(await look("android", makeApp("1.2b3"), "2.0.1")).toEqual(version("2.0.1"));
    expect(await look("android", makeApp("1.2b3"))).toEqual(version("1.0.0"));
  });

  test("never fails, however its manifest is cut or altered", async () => {
    const manifest = makeManifest("7.8.9");
    for (let length = 0; length < manifest.byteLength; length += 7)
      await look("android", makeManifestZip(manifest.subarray(0, length)));
    for (let at = 0; at < manifest.byteLength; at += 1) {
      const altered = Buffer.from(manifest);
      altered[at] = 0xff;
      await look("android", makeManifestZip(altered));
    }
  });

  const bomb = makeManifestZip(deflateRawSync(Buffer.concat([makeManifest("1.2.3"), Buffer.alloc(64 * 1024 * 1024)])));
  for (const at of [8, bomb.indexOf("PK\x01\x02", 0, "latin1") + 10]) bomb.writeUInt16LE(8, at);
  const second = "AndroidManifest.xmL";
  const twice = makeZip({ "AndroidManifest.xml": makeManifest("1.2.3"), [second]: makeManifest("1.2.4") });
  twice.write("l", twice.lastIndexOf(second) + second.length - 1);
  const cut = makeApp("1.2.3").subarray(0, -30);
  const misled = makeApp("1.2.3");
  misled.writeUInt32LE(0xffff_fff0, misled.byteLength - 6);
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["four letters", Buffer.from("PK\x03\x04", "latin1")],
    ["a ZIP without a manifest", makeZip({ "classes.dex": Buffer.from("code") })],
    ["a ZIP with a manifest elsewhere", makeZip({ "assets/AndroidManifest.xml": makeManifest("1.2.3") })],
    ["a ZIP that only has the name in its content", makeZip({ "a.txt": Buffer.from("AndroidManifest.xml") })],
    ["a ZIP whose manifest is a text", makeManifestZip(Buffer.from("<manifest package='arena.holo.app'/>"))],
    ["a ZIP whose manifest is too large unpacked", bomb],
    ["a ZIP with two manifests", twice],
    ["a ZIP whose end is missing", cut],
    ["a ZIP whose directory is beyond its end", misled],
    ["an app with a letter before it", Buffer.concat([Buffer.from(" "), makeApp("1.2.3")])],
    ["an app with a letter after it", Buffer.concat([makeApp("1.2.3"), Buffer.from(" ")])],
    ["a Windows program", makeProgram("1.2.3")],
  ])("is not %s", async (_what, content) => {
    expect(await look("android", content)).toEqual({ ok: false, refusal: "not_an_android_app" });
  });
});
