/** Compares the app's knowledge of the page with the page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ANDROID_DIR } from "../java.ts";

function read(file: string): string {
  return readFileSync(path.join(ANDROID_DIR, file), "utf8");
}

it("requires the engine version of the page's build target", () => {
  const [, target] = /target: \["chrome(\d+)"/.exec(read("../web/vite.config.ts")) ?? [];
  expect(read("src/arena/holo/app/Engine.java")).toContain(`VERSION_MIN = ${target};`);
});

it("has the page's background colours in both themes", () => {
  const [, night, day] = /GROUNDS.*night: "(#\w+)", day: "(#\w+)"/.exec(read("../web/src/ui/theme/theme.ts")) ?? [];
  const colors = read("res/values/colors.xml");
  expect(colors).toContain(`<color name="ground">${night}</color>`);
  expect(colors).toContain(`<color name="paper">${day}</color>`);
});

it("reads the theme where the page stores it, with the same names", () => {
  const theme = read("src/arena/holo/app/PageTheme.java");
  expect(theme).toContain('"document.documentElement.dataset.theme"');
  expect(read("../web/src/ui/theme/theme.ts")).toContain("document.documentElement.dataset.theme = theme");
  expect(theme).toContain(String.raw`"\"day\""`);
  expect(read("../web/src/ui/theme/theme.ts")).toContain('type Theme = "night" | "day"');
});
