import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./fixtures.ts";

type Violations = AxeResults["violations"];
type Theme = "night" | "day";
type Rules = "all" | "colours";

/** Axe finds nothing on the page as it is shown now, by any of its rules. @param state told where it finds something */
export async function expectAccessible(
  page: Page,
  state: string,
  theme: Theme | null = null,
  rules: Rules = "all",
): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(inspect, { theme, rules });
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  expect(found, state).toEqual([]);
}

/** Nothing has to be scrolled sideways on the narrowest phone. */
export async function expectFitting(page: Page, state: string): Promise<void> {
  const usual = page.viewportSize();
  await narrow(page, state);
  if (usual !== null) await page.setViewportSize(usual);
}

/**
 * By night and by day, on a desktop and on phones, without loading the page again: what stands on it stays. Both colours are held at both
 * sizes with DEEP=1, otherwise at one each.
 */
export async function expectAccessibleAnyhow(page: Page, state: string): Promise<void> {
  await narrow(page, state);
  for (const [theme, size, rules] of LOOKS.filter((look) => isDeep || look[2] === "all")) {
    await page.setViewportSize(SIZES[size]);
    await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme, rules);
  }
  // what pages have to begin with
  await page.setViewportSize(SIZES.desktop);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "night";
  });
}

/**
 * As above, in one of the four looks only, which whoever walks through many pages as somebody else each time takes in turn; in all of
 * them with DEEP=1.
 */
export async function expectAccessibleSomehow(page: Page, state: string, turn: number): Promise<void> {
  if (isDeep) return await expectAccessibleAnyhow(page, state);
  await narrow(page, state);
  const [theme, size] = LOOKS[turn % LOOKS.length]!;
  await page.setViewportSize(SIZES[size]);
  await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme);
}

/** As a script: Playwright's own way of bringing it costs four times as much as running it. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const isDeep = process.env.DEEP === "1";
const NARROW = { width: 320, height: 640 };
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

/** A theme changes nothing but colours, so the second look at a size is at those. */
const LOOKS: readonly (readonly [theme: Theme, size: keyof typeof SIZES, rules: Rules])[] = [
  ["night", "phone", "all"],
  ["day", "phone", "colours"],
  ["day", "desktop", "all"],
  ["night", "desktop", "colours"],
];

async function narrow(page: Page, state: string): Promise<void> {
  await page.setViewportSize(NARROW);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${state}, on a narrow phone`).toBeLessThanOrEqual(NARROW.width);
}

interface Look {
  readonly theme: Theme | null;
  readonly rules: Rules;
}

/** In the page: what rises or fades in would be measured half transparent, so it is waited for, but not what goes on for ever. */
async function inspect({ theme, rules }: Look): Promise<Violations> {
  if (theme !== null) document.documentElement.dataset.theme = theme;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { axe } = window as unknown as { readonly axe: { run(options: object): Promise<AxeResults> } };
  const only = rules === "all" ? {} : { runOnly: ["color-contrast", "link-in-text-block"] };
  const { violations } = await axe.run({ resultTypes: ["violations"], ...only });
  return violations;
}
