import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { Page, ViewportSize } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./fixtures.ts";

type Violations = AxeResults["violations"];
type Theme = "night" | "day";

/** Expects no axe violation on the page as shown. `state` names it in the failure message. */
export async function expectAccessibleAsShown(page: Page, state: string, theme: Theme | null = null): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(inspect, theme);
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(", ")}`);
  expect(found, state).toEqual([]);
}

export async function expectFitsNarrowPhone(page: Page, state: string): Promise<void> {
  const usual = page.viewportSize();
  await checkPhones(page, state);
  if (usual !== null) await resize(page, usual);
}

interface Options {
  /** Also with text twice as large. */
  readonly inLargeText?: boolean;
}

/**
 * Expects no axe violation, and on phones targets for fingers and no scrolling sideways. axe checks
 * one combination of theme and size, which the state's name picks; with DEEP=1 all of them.
 */
export async function expectAccessible(page: Page, state: string, options: Options = {}): Promise<void> {
  await checkPhones(page, state, options);
  for (const { theme, size } of isDeep ? VARIANTS : [pickVariant(state)]) {
    await resize(page, SIZES[size]);
    await expectAccessibleAsShown(page, `${state}, by ${theme} on a ${size}`, theme);
  }
  // restores the defaults
  await resize(page, SIZES.desktop);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = "night";
  });
}

/** Evaluated as text: addScriptTag takes four times as long as axe itself. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const isDeep = process.env.DEEP === "1";
/** The phone is the narrowest, which is the strictest. */
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 320, height: 640 } } as const;
/** Of fingers; axe asks for 24 px. */
const TOUCH_PX = 44;
const USUAL_PHONE = { width: 390, height: 844 };

const VARIANTS = [
  { theme: "night", size: "phone" },
  { theme: "day", size: "desktop" },
  { theme: "night", size: "desktop" },
  { theme: "day", size: "phone" },
] as const;

function pickVariant(state: string): (typeof VARIANTS)[number] {
  const sum = [...state].reduce((total, character) => total + character.charCodeAt(0), 0);
  return VARIANTS[sum % VARIANTS.length]!;
}

async function checkPhones(page: Page, state: string, { inLargeText = false }: Options = {}): Promise<void> {
  await resize(page, USUAL_PHONE);
  const small = await page.evaluate(findSmallTargets, TOUCH_PX);
  expect(small, `targets under ${TOUCH_PX} px: ${state}, on a phone`).toEqual([]);
  if (inLargeText) {
    const width = await page.evaluate(measureInLargeText);
    expect(width, `${state}, in large text`).toBeLessThanOrEqual(USUAL_PHONE.width);
  }
  await resize(page, SIZES.phone);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${state}, on a narrow phone`).toBeLessThanOrEqual(SIZES.phone.width);
}

/** Runs in the page. */
function measureInLargeText(): number {
  const { style } = document.documentElement;
  style.fontSize = "200%";
  const { scrollWidth } = document.documentElement;
  style.removeProperty("font-size");
  return scrollWidth;
}

/** Runs in the page. Links within a sentence may be as small as its text. */
async function findSmallTargets(leastPx: number): Promise<readonly string[]> {
  // Media queries are read again in the frame after a resize.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const modal = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  const found = modal.querySelectorAll("a[href], button, input, select, textarea, summary");
  const targets = [...found].filter(
    (target) =>
      target.checkVisibility({ visibilityProperty: true }) &&
      !target.matches(":disabled, .skip-link, [aria-hidden=true] *") &&
      !isInSentence(target),
  );
  return targets.flatMap((target) => {
    const { width, height } = toArea(target);
    if (Math.min(width, height) > leastPx - 0.5) return [];
    const words = target.getAttribute("aria-label") ?? target.textContent.trim();
    return [`${target.tagName} ${target.className} "${words.slice(0, 30)}" ${Math.round(width)}x${Math.round(height)}`];
  });

  function isInSentence(target: Element): boolean {
    if (!target.matches("a[href], .link")) return false;
    const beside = [...(target.parentElement?.childNodes ?? [])].filter(({ nodeName }) =>
      /^(#text|X-TEXT)$/.test(nodeName),
    );
    const isInText = beside.some(({ textContent }) => textContent?.trim() !== "");
    return /^inline(-block)?$/.test(getComputedStyle(target).display) && isInText;
  }

  /** A label presses its field, and absolute pseudo-elements enlarge theirs, except decoration. */
  function toArea(target: Element): { readonly width: number; readonly height: number } {
    const label =
      target instanceof HTMLInputElement && /radio|checkbox|file/.test(target.type) && target.closest("label");
    const { width, height } = (label || target).getBoundingClientRect();
    const around = ["::before", "::after"]
      .map((pseudo) => getComputedStyle(target, pseudo))
      .filter(({ position, pointerEvents }) => position === "absolute" && pointerEvents !== "none");
    return {
      width: Math.max(width, ...around.map((style) => Number.parseFloat(style.width) || 0)),
      height: Math.max(height, ...around.map((style) => Number.parseFloat(style.height) || 0)),
    };
  }
}

/** A resize lays out and paints the page even if the size is the same. */
async function resize(page: Page, size: ViewportSize): Promise<void> {
  const now = page.viewportSize();
  if (now?.width !== size.width || now.height !== size.height) await page.setViewportSize(size);
}

/**
 * Runs in the page. Waits for finite animations, which would be measured half transparent. Behind a
 * modal dialog the page is inert, and its own check covers it.
 */
async function inspect(theme: Theme | null): Promise<Violations> {
  if (theme !== null) document.documentElement.dataset.theme = theme;
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  const { axe } = window as unknown as { readonly axe: { run(within: Node, options: object): Promise<AxeResults> } };
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document;
  // Only rules about recordings, which the site lacks, need preloaded stylesheets and media.
  const rules = { "target-size": { enabled: true } };
  const { violations } = await axe.run(dialog, { resultTypes: ["violations"], preload: false, rules });
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
