import type { Page } from "@playwright/test";

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What the first screen of a table has to show. */
export interface Wanted {
  /** Selectors of elements that are completely visible; each matches at least one. */
  readonly seen: readonly string[];
  /** Blocks that must not overlap each other. */
  readonly apart: readonly string[];
}

/**
 * What is wrong with the page as it is laid out: an element that is absent, beyond the window, cut
 * off or covered, a text that does not fit, two blocks that overlap.
 */
export async function findLayoutFaults(page: Page, wanted: Wanted): Promise<readonly string[]> {
  return await page.evaluate(inspect, wanted);
}

/** Runs in the page. Waits for finite animations, during which elements are elsewhere. */
async function inspect({ seen, apart }: Wanted): Promise<readonly string[]> {
  const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
  for (const animation of ending) animation.finish();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
  const faults: string[] = [];
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll("body *")].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 1 && element.children.length === 0,
    );
    faults.push(`the page is ${scrollWidth - clientWidth} px too wide: ${wide.slice(0, 3).map(nameOf).join(", ")}`);
  }

  for (const selector of seen) {
    const found = findShown(selector);
    if (found.length === 0) faults.push(`${selector} is not there`);
    for (const element of found) faults.push(...inspectOne(element, nameOf(element)));
  }
  const blocks = apart.flatMap(findShown);
  for (const [index, one] of blocks.entries()) {
    for (const other of blocks.slice(index + 1)) {
      if (one.contains(other) || other.contains(one)) continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 1 && height > 1) faults.push(`${nameOf(one)} overlaps ${nameOf(other)} by ${round(width, height)}`);
    }
  }
  return faults;

  function findShown(selector: string): readonly Element[] {
    return [...document.querySelectorAll(selector)].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      // Texts for screen readers have one pixel.
      return element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2;
    });
  }

  function inspectOne(element: Element, name: string): readonly string[] {
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
    if (left < -1 || top < -1 || right > clientWidth + 1 || bottom > clientHeight + 1) {
      return [`${name} is beyond the window: ${round(left, top, right, bottom)}`];
    }
    const { textOverflow } = getComputedStyle(element);
    const isCut =
      element.scrollWidth > element.clientWidth + 1 && textOverflow !== "ellipsis" && element.clientWidth > 0;
    if (isCut) return [`${name} has ${element.scrollWidth - element.clientWidth} px of text too many`];
    const inset = 3;
    for (const [x, y] of [
      [left + width / 2, top + height / 2],
      [left + inset, top + height / 2],
      [right - inset, top + height / 2],
      [left + width / 2, top + inset],
      [left + width / 2, bottom - inset],
    ] as const) {
      const top = document.elementFromPoint(x, y);
      if (top === null || !(element.contains(top) || top.contains(element))) {
        return [`${name} is covered by ${top === null ? "nothing" : nameOf(top)} at ${round(x, y)}`];
      }
    }
    return [];
  }

  function nameOf(element: Element): string {
    const label = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 30);
    return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${label}"`;
  }

  function round(...values: readonly number[]): string {
    return values.map(Math.round).join(" ");
  }
}
