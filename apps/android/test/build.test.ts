import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../../scripts/native/run.ts";
import { build, toVersionCode } from "../build.ts";
import { toManifest } from "../resources.ts";
import { readZip, toZip } from "../zip.ts";

const BYTES_MAX = 100_000;

const work = mkdtempSync(path.join(tmpdir(), "holo-apk-"));
let signed: string;
let unsigned: string;
let again: string;
let development: string;

/** A different folder, because no path may be in the output. */
async function buildIn(name: string, origin: string): Promise<readonly string[]> {
  const outDir = path.join(work, name);
  mkdirSync(outDir);
  return await build({ origin, version: "1.2.3", outDir });
}

beforeAll(async () => {
  [signed = "", unsigned = ""] = await buildIn("first", "https://arena.example");
  [, again = ""] = await buildIn("and-again", "https://arena.example");
  [development = ""] = await buildIn("development", "http://10.0.2.2:3000");
});

afterAll(() => rmSync(work, { recursive: true }));

function hash(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

describe("the .apk", () => {
  it("is reproducible before it is signed", () => {
    expect(hash(again)).toBe(hash(unsigned));
    expect(hash(development)).not.toBe(hash(signed));
  });

  it("is small", () => {
    expect(readFileSync(signed).length).toBeLessThanOrEqual(BYTES_MAX);
  });

  it("has signature schemes 2 and 3 and no weaker one", () => {
    const verified = run("apksigner", ["verify", "--verbose", "--min-sdk-version", "24", signed]);
    expect(verified).toContain("Verified using v1 scheme (JAR signing): false");
    expect(verified).toContain("Verified using v2 scheme (APK Signature Scheme v2): true");
    expect(verified).toContain("Verified using v3 scheme (APK Signature Scheme v3): true");
    expect(verified).toContain("Number of signers: 1");
  });

  it("has an invalid signature after one changed byte", () => {
    const forged = path.join(work, "forged.apk");
    const content = readFileSync(signed);
    content.writeUInt8(content.readUInt8(2000) ^ 1, 2000);
    writeFileSync(forged, content);
    expect(() => run("apksigner", ["verify", forged])).toThrow("DOES NOT VERIFY");
  });

  it("is aligned for mapping", () => {
    expect(run("zipalign", ["-c", "-v", "-p", "4", signed])).toContain("Verification successful");
  });

  it("contains no time and only its own files", () => {
    expect([...readZip(readFileSync(unsigned)).keys()].filter((name) => !name.startsWith("res/"))).toEqual([
      "AndroidManifest.xml",
      "classes.dex",
      "resources.arsc",
    ]);
    expect(readFileSync(unsigned).includes(work)).toBe(false);
  });
});

describe("its manifest", () => {
  it("declares its id, its SDKs and the internet permission only", () => {
    const badging = run("aapt", ["dump", "badging", signed]);
    expect(badging).toContain("package: name='arena.holo.app' versionCode='1002003' versionName='1.2.3'");
    expect(badging).toContain("sdkVersion:'24'\ntargetSdkVersion:'35'");
    expect(badging.match(/uses-permission.*/g)).toEqual(["uses-permission: name='android.permission.INTERNET'"]);
    expect(badging).toContain("application-label:'Holo Arena'");
    expect(badging).toContain("launchable-activity: name='arena.holo.app.ArenaActivity'");
    expect(badging).not.toContain("application-debuggable");
  });

  it("has an icon for every density and an adaptive one", () => {
    const listed = run("aapt", ["list", signed]);
    for (const density of ["mdpi", "hdpi", "xhdpi", "xxhdpi", "xxxhdpi"]) {
      expect(listed).toContain(`res/mipmap-${density}-v4/icon.webp`);
    }
    expect(listed).toContain("res/mipmap-anydpi-v26/icon.xml");
  });

  it("opens only links to its own tables and invitations, and exports one activity", () => {
    const tree = run("aapt", ["dump", "xmltree", signed, "AndroidManifest.xml"]);
    expect(listValues(tree, "scheme|host|port|pathPrefix|pathPattern|path")).toEqual([
      'scheme="https"',
      'host="arena.example"',
      'pathPrefix="/game/"',
      'pathPrefix="/invite/"',
    ]);
    expect(tree.match(/E: (?:activity|service|receiver|provider|activity-alias) /g)).toEqual(["E: activity "]);
    expect(tree).toMatch(/allowBackup\S+=\(type 0x12\)0x0\n/);
  });

  it("allows cleartext traffic in development only", () => {
    const toTree = (file: string) => run("aapt", ["dump", "xmltree", file, "AndroidManifest.xml"]);
    expect(toTree(signed)).toMatch(/usesCleartextTraffic\S+=\(type 0x12\)0x0\n/);
    expect(toTree(development)).toMatch(/usesCleartextTraffic\S+=\(type 0x12\)0xffffffff\n/);
    expect(listValues(toTree(development), "scheme|host|port")).toEqual([
      'scheme="http"',
      'host="10.0.2.2"',
      'port="3000"',
    ]);
  });

  it("fills in every placeholder", () => {
    const template = "@CLEARTEXT@ @SCHEME@ @HOST@ @PORT@";
    expect(toManifest(template, "https://arena.example:8443")).toBe('false https arena.example android:port="8443"');
  });
});

describe("its bytecode", () => {
  it("is readable by dexdump and contains only the app's classes", () => {
    const dex = path.join(work, "classes.dex");
    writeFileSync(dex, readZip(readFileSync(signed)).get("classes.dex") ?? Buffer.alloc(0));
    const dump = run("dexdump", [dex]);
    const classes = [...dump.matchAll(/Class descriptor {2}: '(.*)'/g)].map(([, name]) => name);
    expect(classes).toContain("Larena/holo/app/ArenaActivity;");
    expect(classes.filter((name) => !name?.startsWith("Larena/holo/app/"))).toEqual([]);
  });
});

describe("its version code", () => {
  it("grows with every part of the version", () => {
    const versions = ["0.0.1", "0.0.999", "0.1.0", "0.999.999", "1.0.0", "1.2.3", "1.2.10", "999.999.999"];
    const codes = versions.map(toVersionCode);
    expect(codes).toEqual([...new Set(codes)].sort((a, b) => a - b));
    expect(Math.max(...codes)).toBeLessThan(2_100_000_000);
  });
});

describe("an archive", () => {
  it("is read as written, sorted by name, with only mapped files uncompressed", () => {
    const files = new Map([
      ["b/long.txt", Buffer.alloc(5000, "a")],
      ["resources.arsc", Buffer.alloc(5000)],
      ["empty", Buffer.alloc(0)],
    ]);
    const zip = toZip(files);
    expect([...readZip(zip)]).toEqual([...files].sort());
    expect(zip.length).toBeGreaterThan(5000);
    expect(zip.length).toBeLessThan(6000);
    expect(() => readZip(Buffer.alloc(100))).toThrow("no archive");
  });
});

function listValues(tree: string, names: string): readonly string[] {
  return [...tree.matchAll(new RegExp(`A: android:((?:${names})\\S*=".*?")`, "g"))].map(([, value = ""]) =>
    value.replace(/\(0x\w+\)/, ""),
  );
}
