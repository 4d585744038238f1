/** What the app knows of the page, held against the page. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ANDROID_DIR } from "../java.ts";

function read(file: string): string {
  return readFileSync(path.join(ANDROID_DIR, file), "utf8");
}

it("asks for the engine that the page is built for", () => {
  const [, target] = /target: \["chrome(\d+)"/.exec(read("../web/vite.config.ts")) ?? [];
  expect(read("src/arena/holo/app/Engine.java")).toContain(`VERSION_MIN = ${target};`);
});

it("has the page's grounds, by night and by day", () => {
  const [, night, day] = /GROUNDS.*night: "(#\w+)", day: "(#\w+)"/.exec(read("../web/src/ui/theme/theme.ts")) ?? [];
  const colors = read("res/values/colors.xml");
  expect(colors).toContain(`<color name="ground">${night}</color>`);
  expect(colors).toContain(`<color name="paper">${day}</color>`);
});

it("asks the page after its theme where the page keeps it, and takes the page's words for an answer", () => {
  const skin = read("src/arena/holo/app/Skin.java");
  expect(skin).toContain('"document.documentElement.dataset.theme"');
  expect(read("../web/src/ui/theme/theme.ts")).toContain("document.documentElement.dataset.theme = theme");
  expect(skin).toContain(String.raw`"\"day\""`);
  expect(read("../web/src/ui/theme/theme.ts")).toContain('type Theme = "night" | "day"');
});
