/** Runs the app's checks (folder `checks`) on a Java machine, for several API levels. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import vm from "node:vm";
import { afterAll, describe, expect, it, vi } from "vitest";
import { run } from "../../../scripts/native/run.ts";
import { saveTheme } from "../../web/src/ui/theme/theme.ts";
import webBuild from "../../web/vite.config.ts";
import { SDK_MIN } from "../build.ts";
import { ANDROID_DIR, compileApp, javac } from "../java.ts";
import { packResources } from "../resources.ts";

/** The oldest level, and the first and last of each version check. */
const SDKS = [24, 26, 29, 30, 31, 34, 35];
const SDK_LATEST = 35;
const ORIGIN = "https://arena.example";
const [, ENGINE] = /chrome(\d+)/.exec(String(webBuild.build?.target)) ?? [];

const work = mkdtempSync(path.join(tmpdir(), "holo-app-"));
const versions = { code: 1, name: "1.2.3", sdkMin: SDK_MIN, sdkTarget: 35 };
const { generated } = packResources(ORIGIN, versions, work);
const classes = compileApp({ origin: ORIGIN, version: "1.2.3" }, generated, work);
const classpath = [classes, path.join(work, "stand-ins"), path.join(work, "checks")];
// The checks are not shipped, so they use Java 8.
javac("8", [path.join(ANDROID_DIR, "checks")], classpath.slice(0, 2), path.join(work, "checks"));
const lines = new Map(SDKS.map((sdk) => [sdk, runChecks(sdk)]));

/** @returns per line: outcome, title, fault */
function runChecks(sdk: number): readonly (readonly string[])[] {
  const words = [
    "-ea",
    `-Dsdk=${sdk}`,
    `-Dengine=${ENGINE}`,
    "-Dfile.encoding=UTF-8",
    "-cp",
    classpath.join(path.delimiter),
  ];
  const printed = run("java", [...words, "arena.holo.app.Checks", ...(sdk === SDK_LATEST ? ["addresses"] : [])]);
  return printed
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

afterAll(() => rmSync(work, { recursive: true }));

describe.each(SDKS)("on a phone of API %i", (sdk) => {
  const checks = lines.get(sdk)?.filter(([outcome]) => outcome !== "question") ?? [];

  it.each(checks.map(([outcome, title, fault]) => ({ title, fault: outcome === "ok" ? null : fault })))(
    "$title",
    ({ fault }) => expect(fault).toBeNull(),
  );
});

it("reads the theme that the page has set", () => {
  const question = lines.get(SDK_LATEST)?.find(([outcome]) => outcome === "question")?.[1] ?? "";
  const document = { documentElement: { dataset: {} }, querySelector: () => null };
  vi.stubGlobal("document", document);
  vi.stubGlobal("localStorage", { setItem: () => undefined });
  for (const theme of ["day", "night"] as const) {
    saveTheme(theme);
    expect(vm.runInNewContext(question, { document })).toBe(theme);
  }
  vi.unstubAllGlobals();
});
