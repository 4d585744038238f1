import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../scripts/native/run.ts";
import { build, compileProgram, packSetup } from "./build.ts";
import { RESOURCES, readExecutable } from "./testing/portable-executable.ts";

const ORDER = { origin: "https://arena.example", version: "1.2.3" };

let folder = "";
let setup = "";
let program = "";
let unsigned = "";

function makeFolder(name: string): string {
  const made = path.join(folder, name);
  mkdirSync(made);
  return made;
}

const toHash = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const toWide = (words: string) => Buffer.from(`${words}\0`, "utf16le");

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "holo-build-"));
  [setup = "", program = "", unsigned = ""] = await build({ ...ORDER, outDir: makeFolder("out") });
});

afterAll(() => rmSync(folder, { recursive: true }));

describe("the files of a release", () => {
  it("are named by version, with the setup first", () => {
    const names = [setup, program, unsigned].map((file) => path.basename(file));
    expect(names).toEqual(["holo-arena-1.2.3-setup.exe", "holo-arena-1.2.3.exe", "holo-arena-1.2.3-unsigned.exe"]);
  });

  it("are small", () => {
    expect(statSync(program).size).toBeLessThanOrEqual(150_000);
    expect(statSync(setup).size).toBeLessThanOrEqual(300_000);
  });

  it("contain their version as numbers and text", () => {
    for (const file of [setup, program]) {
      const [version = Buffer.alloc(0)] = readExecutable(file).listResources(RESOURCES.version);
      const fixed = version.indexOf(Buffer.from([0xbd, 0x04, 0xef, 0xfe]));
      const numbers = [10, 8, 14, 12].map((at) => version.readUInt16LE(fixed + at));
      expect(numbers).toEqual([1, 2, 3, 0]);
      for (const name of ["ProductVersion", "FileVersion"]) {
        const at = version.indexOf(toWide(name)) + toWide(name).length;
        expect(version.subarray(at, at + 20).includes(toWide("1.2.3"))).toBe(true);
      }
    }
  });

  it("contain the icon in every size that Windows uses", () => {
    const { listResources } = readExecutable(program);
    expect(listResources(RESOURCES.iconGroup)).toHaveLength(1);
    expect(listResources(RESOURCES.icon)).toHaveLength(8);
    expect(readExecutable(setup).listResources(RESOURCES.icon).length).toBeGreaterThanOrEqual(8);
  });

  it("are DPI-aware and run without elevation", () => {
    const [manifest = Buffer.alloc(0)] = readExecutable(program).listResources(RESOURCES.manifest);
    expect(manifest.toString()).toContain("PerMonitorV2");
    expect(manifest.toString()).toContain('level="asInvoker"');
    const [setupManifest = Buffer.alloc(0)] = readExecutable(setup).listResources(RESOURCES.manifest);
    expect(setupManifest.toString()).toContain('level="asInvoker"');
  });

  it("are 64-bit with ASLR and DEP, and import only Windows libraries", () => {
    const { machine, characteristics } = readExecutable(program);
    expect(machine).toBe(0x8664);
    expect(characteristics & 0x0160).toBe(0x0160);
    const libraries = run("x86_64-w64-mingw32-objdump", ["-p", program]).matchAll(/DLL Name: (\S+)/g);
    const known = ["advapi32.dll", "gdi32.dll", "kernel32.dll", "msvcrt.dll", "ole32.dll", "shell32.dll", "user32.dll"];
    expect([...libraries].map(([, name = ""]) => name.toLowerCase()).sort()).toEqual(known);
  });

  it("are signed, and a changed byte invalidates the signature", () => {
    for (const file of [setup, program]) {
      const [signature, signer, changed] = [`${file}.p7`, `${file}.crt`, `${file}.changed`] as const;
      run("osslsigncode", ["extract-signature", "-pem", "-in", file, "-out", signature]);
      run("openssl", ["pkcs7", "-in", signature, "-print_certs", "-out", signer]);
      const verify = (signed: string) => run("osslsigncode", ["verify", "-CAfile", signer, "-in", signed]);
      expect(verify(file)).toContain("Succeeded");
      const bytes = readFileSync(file);
      bytes[0x600] = (bytes[0x600] ?? 0) ^ 1;
      writeFileSync(changed, bytes);
      expect(() => verify(changed)).toThrow("ended with 1");
    }
  });
});

describe("a second build", () => {
  it("of the same release gives the same unsigned bytes", () => {
    const again = makeFolder("again");
    const second = path.join(again, "program.exe");
    compileProgram(ORDER, again, second);
    expect(toHash(second)).toBe(toHash(unsigned));
    expect(readExecutable(second).builtAt).toBe(0);
    const [first, other] = [path.join(folder, "first.exe"), path.join(again, "other.exe")] as const;
    packSetup(ORDER.version, unsigned, first);
    packSetup(ORDER.version, second, other);
    expect(toHash(other)).toBe(toHash(first));
  });

  it("for another site gives other bytes", () => {
    const other = makeFolder("other");
    const file = path.join(other, "program.exe");
    compileProgram({ ...ORDER, origin: "https://arena.example:8443" }, other, file);
    expect(toHash(file)).not.toBe(toHash(unsigned));
  });
});
