import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page, ViewportSize } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./fixtures.ts";

type Violations = AxeResults["violations"];
type Theme = "night" | "day";
type Rules = "all" | "colours";

/** Expects no axe violation on the page as shown. `state` names it in the failure message. */
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

export async function expectFitsNarrowPhone(page: Page, state: string): Promise<void> {
  const usual = page.viewportSize();
  await narrowPage(page, state);
  if (usual !== null) await resize(page, usual);
}

/** Expects that a page whose text is twice as large needs no scrolling sideways on a phone. */
export async function expectFitsLargeText(page: Page, state: string): Promise<void> {
  const usual = page.viewportSize();
  await resize(page, USUAL_PHONE);
  const width = await page.evaluate(() => {
    const { style } = document.documentElement;
    style.fontSize = "200%";
    const { scrollWidth } = document.documentElement;
    style.removeProperty("font-size");
    return scrollWidth;
  });
  expect(width, `${state}, in large text`).toBeLessThanOrEqual(USUAL_PHONE.width);
  if (usual !== null) await resize(page, usual);
}

/**
 * Checks both themes without reloading, on a phone or on a desktop: all rules in one theme, the
 * colours in the other. With DEEP=1 it checks both themes on both.
 */
export async function expectAccessibleInBothThemes(page: Page, state: string): Promise<void> {
  await narrowPage(page, state);
  const isPhone = state.length % 2 === 0;
  const sizes = isDeep ? ALL_SIZES : isPhone ? [ON_PHONE] : [ON_DESKTOP];
  for (const [size, variants] of sizes) {
    await resize(page, SIZES[size]);
    for (const [theme, rules] of variants) {
      await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme, rules);
    }
  }
  // restores the defaults
  await resize(page, SIZES.desktop);
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
  const theme = turn % 4 < 2 ? "night" : "day";
  const size = turn % 2 === 0 ? "phone" : "desktop";
  await resize(page, SIZES[size]);
  await expectAccessible(page, `${state}, by ${theme} on a ${size}`, theme);
}

/** Evaluated as text: addScriptTag takes four times as long as axe itself. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const isDeep = process.env.DEEP === "1";
/** The phone is the narrowest, which is the strictest. */
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 320, height: 640 } } as const;
const USUAL_PHONE = { width: 390, height: 844 };

/** A theme changes only colours, so the second check of a size runs the colour rules alone. */
type SizeCheck = readonly [size: keyof typeof SIZES, variants: readonly (readonly [Theme, Rules])[]];
const ON_PHONE: SizeCheck = [
  "phone",
  [
    ["night", "all"],
    ["day", "colours"],
  ],
];
const ON_DESKTOP: SizeCheck = [
  "desktop",
  [
    ["day", "all"],
    ["night", "colours"],
  ],
];
const ALL_SIZES = [ON_PHONE, ON_DESKTOP];

async function narrowPage(page: Page, state: string): Promise<void> {
  await resize(page, SIZES.phone);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${state}, on a narrow phone`).toBeLessThanOrEqual(SIZES.phone.width);
}

/** A resize lays out and paints the page even if the size is the same. */
async function resize(page: Page, size: ViewportSize): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size);
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
  const only =
    rules === "all"
      ? { rules: { "target-size": { enabled: true } } }
      : { runOnly: ["color-contrast", "link-in-text-block"] };
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  // Only rules about recordings, which the site lacks, need preloaded stylesheets and media.
  const { violations } = await axe.run(dialog, { resultTypes: ["violations"], preload: false, ...only });
  return (await Promise.all(violations.map(keepSmall))).filter(({ nodes }) => nodes.length > 0);

  /**
   * A target covered by a fixed bar is small only if it is still small in the middle of the screen.
   */
  async function keepSmall(violation: Violations[number]): Promise<Violations[number]> {
    if (violation.id !== "target-size") return violation;
    const nodes: typeof violation.nodes = [];
    for (const node of violation.nodes) {
      const element = document.querySelector(String(node.target[0]))!;
      element.scrollIntoView({ block: "center" });
      const again = await axe.run(element, { runOnly: ["target-size"], preload: false });
      if (again.violations.length > 0) nodes.push(node);
    }
    return { ...violation, nodes };
  }
}
