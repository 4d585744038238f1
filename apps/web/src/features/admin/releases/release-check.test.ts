import { RELEASE_BYTES_MAX } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { describe, expect, it } from "vitest";
import { checkFile, guessPlatform, parseVersion, toNextVersion } from "./release-check.ts";

const EXE = new Uint8Array([0x4d, 0x5a, 0x90, 0x00]);
const APK = new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0x14]);

it.each([
  ["holo-setup.exe", "windows"],
  ["HOLO.APK", "android"],
  ["holo.apk.exe", "windows"],
  ["holo.msi", null],
  ["exe", null],
  ["", null],
])("guesses of %j: %s", (name, platform) => {
  expect(guessPlatform(name)).toBe(platform);
});

describe("the check of a file before its upload", () => {
  async function check(name: string, content: Uint8Array<ArrayBuffer>, platform: "windows" | "android") {
    const answer = await checkFile(new File([content], name), platform);
    return answer.ok ? "ok" : answer.refusal.code;
  }

  it("compares the extension and the first bytes", async () => {
    expect(await check("holo.exe", EXE, "windows")).toBe("ok");
    expect(await check("holo.apk", APK, "android")).toBe("ok");
    expect(await check("holo.exe", APK, "windows")).toBe("not_a_windows_program");
    expect(await check("holo.apk", EXE, "windows")).toBe("not_a_windows_program");
    expect(await check("holo.exe", EXE, "android")).toBe("not_an_android_app");
    expect(await check("holo.apk", APK.slice(0, 3), "android")).toBe("not_an_android_app");
    expect(await check("holo.exe", new Uint8Array(), "windows")).toBe("not_a_windows_program");
  });

  it("refuses a file that is too large", async () => {
    const file = new File([EXE], "holo.exe");
    Object.defineProperty(file, "size", { value: RELEASE_BYTES_MAX + 1 });
    expect(await checkFile(file, "windows")).toMatchObject({ ok: false, refusal: { code: "release_too_large" } });
  });

  it("refuses a file that cannot be read any more", async () => {
    const file = new File([EXE], "holo.exe");
    file.slice = () => {
      throw new DOMException("changed", "NotReadableError");
    };
    expect(await checkFile(file, "windows")).toMatchObject({
      refusal: { text: "The file was changed since you chose it. Please choose it again." },
    });
  });
});

it("parses a version, or null for the file's own", () => {
  expect(parseVersion("  ")).toEqual({ ok: true, value: null });
  expect(parseVersion(" 1.2.3 ")).toEqual({ ok: true, value: "1.2.3" });
  for (const wrong of ["1.2", "1.2.3-beta", "1.2.99999", "١.٢.٣"]) {
    expect(parseVersion(wrong)).toMatchObject({ ok: false, refusal: { code: "bad_version" } });
  }
});

it("proposes the version after the platform's newest, whichever is current", () => {
  const toRelease = (platform: ReleaseView["platform"], version: string) => ({ platform, version }) as ReleaseView;
  const releases = [toRelease("windows", "1.9.9"), toRelease("windows", "1.10.0"), toRelease("android", "3.0.0")];
  expect(toNextVersion(releases, "windows")).toBe("1.10.1");
  expect(toNextVersion([], "android")).toBe(null);
  expect(toNextVersion([toRelease("android", "1.0.9999")], "android")).toBe(null);
});
