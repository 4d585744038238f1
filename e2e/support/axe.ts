import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./fixtures.ts";

type Violations = AxeResults["violations"];
type Theme = "night" | "day";
type Rules = "all" | "colours";

/** Expects no axe violation on the page as shown. @param state named in the failure message */
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

/** Expects no horizontal overflow at 320 px. */
export async function expectFitsNarrowPhone(page: Page, state: string): Promise<void> {
  const usual = page.viewportSize();
  await narrowPage(page, state);
  if (usual !== null) await page.setViewportSize(usual);
}

/**
 * Checks both themes and both sizes without reloading: all rules on a phone by night or on a
 * desktop by day, and the colours of the other. With DEEP=1 it checks all four combinations.
 */
export async function expectAccessibleInBothThemes(page: Page, state: string): Promise<void> {
  await narrowPage(page, state);
  // The state decides, so half of them use all rules on each.
  const isPhone = state.length % 2 === 0;
  const variants = isDeep
    ? ALL_VARIANTS
    : isPhone
      ? [PHONE_BY_NIGHT, COLOURS_BY_DAY]
      : [DESKTOP_BY_DAY, COLOURS_BY_NIGHT];
  for (const [theme, size, rules] of variants) {
    await page.setViewportSize(SIZES[size]);
    await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme, rules);
  }
  // restores the defaults
  await page.setViewportSize(SIZES.desktop);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "night";
  });
}

/**
 * Checks one of the four combinations, picked by `turn`, for tests that walk through many screens.
 * With DEEP=1 it checks all of them.
 */
export async function expectAccessibleInOneTheme(page: Page, state: string, turn: number): Promise<void> {
  if (isDeep) return await expectAccessibleInBothThemes(page, state);
  await narrowPage(page, state);
  const [theme, size] = ALL_VARIANTS[turn % ALL_VARIANTS.length]!;
  await page.setViewportSize(SIZES[size]);
  await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme);
}

/** Evaluated as text: addScriptTag takes four times as long as axe itself. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const isDeep = process.env.DEEP === "1";
const NARROW = { width: 320, height: 640 };
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;

type Variant = readonly [theme: Theme, size: keyof typeof SIZES, rules: Rules];
const PHONE_BY_NIGHT: Variant = ["night", "phone", "all"];
const DESKTOP_BY_DAY: Variant = ["day", "desktop", "all"];
const COLOURS_BY_DAY: Variant = ["day", "desktop", "colours"];
const COLOURS_BY_NIGHT: Variant = ["night", "phone", "colours"];

/** A theme changes only colours, so the second check of a size runs the colour rules alone. */
const ALL_VARIANTS: readonly Variant[] = [
  PHONE_BY_NIGHT,
  ["day", "phone", "colours"],
  DESKTOP_BY_DAY,
  ["night", "desktop", "colours"],
];

async function narrowPage(page: Page, state: string): Promise<void> {
  await page.setViewportSize(NARROW);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${state}, on a narrow phone`).toBeLessThanOrEqual(NARROW.width);
}

interface Inspection {
  readonly theme: Theme | null;
  readonly rules: Rules;
}

/**
 * Runs in the page. Waits for finite animations, which would be measured half transparent. Behind a
 * modal dialog the page is inert, and its own check covers it.
 */
async function inspect({ theme, rules }: Inspection): Promise<Violations> {
  if (theme !== null) document.documentElement.dataset.theme = theme;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { axe } = window as unknown as { readonly axe: { run(within: Node, options: object): Promise<AxeResults> } };
  const only = rules === "all" ? {} : { runOnly: ["color-contrast", "link-in-text-block"] };
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  // Only rules about recordings, which we have none of, need preloaded stylesheets and media.
  const { violations } = await axe.run(dialog, { resultTypes: ["violations"], preload: false, ...only });
  return violations;
}
