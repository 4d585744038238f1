import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SDK_MIN } from "../build.ts";
import { compile } from "../java.ts";
import { packResources } from "../resources.ts";
import { type AndroidClass, findLevel, readAndroid } from "./android-api.ts";
import { type JavaClass, listMembers, listUses } from "./java-members.ts";

/** Newer members in use: each is behind a version check or a constant that older phones ignore. */
const NEWER = [
  "android.app.Activity getSplashScreen(): android.window.SplashScreen",
  "android.graphics.Insets bottom: number",
  "android.graphics.Insets left: number",
  "android.graphics.Insets right: number",
  "android.graphics.Insets top: number",
  "android.view.Window getInsetsController(): android.view.WindowInsetsController",
  "android.view.WindowInsets CONSUMED: android.view.WindowInsets",
  "android.view.WindowInsets getInsets(number): android.graphics.Insets",
  "android.view.WindowInsets.Type displayCutout(): number",
  "android.view.WindowInsets.Type ime(): number",
  "android.view.WindowInsets.Type systemBars(): number",
  "android.view.WindowInsetsController setSystemBarsAppearance(number, number): void",
  "android.webkit.SafeBrowsingResponse backToSafety(boolean): void",
  "android.webkit.WebSettings setSafeBrowsingEnabled(boolean): void",
  "android.window.SplashScreen setSplashScreenTheme(number): void",
];

let android: ReadonlyMap<string, AndroidClass>;
let standIns: readonly JavaClass[];
let uses: readonly string[];
const work = mkdtempSync(path.join(tmpdir(), "holo-api-"));

beforeAll(async () => {
  android = await readAndroid();
  const versions = { code: 1, name: "0.0.1", sdkMin: SDK_MIN, sdkTarget: 35 };
  const { generated } = packResources("https://arena.example", versions, work);
  const dex = path.join(work, "app.dex");
  writeFileSync(dex, await compile({ origin: "https://arena.example", version: "0.0.1" }, generated, work));
  uses = listUses(dex);
  const folder = path.join(work, "stand-ins", "android");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => name.endsWith(".class") && !/\$\d|Uri\$/.test(name));
  standIns = listMembers(files.map((name) => path.join(folder, name)));
});

afterAll(() => rmSync(work, { recursive: true }));

describe("the stand-ins that the app is compiled against", () => {
  it("declare only members of Android, with the same constants", () => {
    expect(standIns.length).toBeGreaterThan(40);
    const foreign = standIns.flatMap(({ name, signatures }) =>
      signatures
        .filter((signature) => findLevel(android, name, signature) === undefined)
        .map((text) => `${name} ${text}`),
    );
    expect(foreign).toEqual([]);
  });

  it("are interfaces where Android's are, which bytecode calls differently", () => {
    const differing = standIns.filter(({ name, isInterface }) => android.get(name)?.isInterface !== isInterface);
    expect(differing.map(({ name }) => name)).toEqual([]);
  });
});

describe("the app's bytecode", () => {
  it("calls only existing members, and newer ones behind a version check", () => {
    expect(uses.length).toBeGreaterThan(80);
    const levels = uses.map((use) => ({ use, level: findLevel(android, ...split(use)) }));
    expect(levels.filter(({ level }) => level === undefined)).toEqual([]);
    const newer = levels.filter(({ level = 0 }) => level > SDK_MIN);
    expect(newer.map(({ use }) => use).sort()).toEqual(NEWER);
  });

  it("exposes no object of the app to a page", () => {
    expect(uses.filter((use) => /addJavascriptInterface|JavascriptInterface|addWebMessageListener/.test(use))).toEqual(
      [],
    );
  });
});

function split(use: string): [name: string, signature: string] {
  const space = use.indexOf(" ");
  return [use.slice(0, space), use.slice(space + 1)];
}
