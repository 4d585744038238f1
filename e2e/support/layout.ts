import type { Page } from "@playwright/test";

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Wanted {
  /** Selectors of elements that are completely visible; each matches at least one. */
  readonly seen: readonly string[];
  /** Blocks that must not overlap each other. */
  readonly apart: readonly string[];
  /** Selectors of elements that are shown completely or not at all. */
  readonly whole?: readonly string[];
}

/**
 * Faults of the page's layout in each of these text sizes: an element that is absent, outside the
 * window, cut off or covered, a text that does not fit, two blocks that overlap.
 */
export async function findLayoutFaults(
  page: Page,
  wanted: readonly Wanted[],
  textSizes: readonly string[],
): Promise<string[]> {
  return await page.evaluate(inspect, { wanted, textSizes });
}

interface Inspection {
  readonly wanted: readonly Wanted[];
  readonly textSizes: readonly string[];
}

async function inspect(asked: Inspection): Promise<string[]> {
  // Media queries are read again in the frame after a resize.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const { style } = document.documentElement;
  const faults = asked.textSizes.flatMap((textSize) => {
    style.fontSize = textSize;
    scrollTo(0, 0);
    return asked.wanted.flatMap(inspectPart).map((fault) => `at ${textSize}: ${fault}`);
  });
  style.removeProperty("font-size");
  return faults;

  function inspectPart({ seen, apart, whole = [] }: Wanted): string[] {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity);
    for (const animation of ending) animation.finish();
    const { clientWidth, clientHeight, scrollWidth } = document.documentElement;
    const faults: string[] = [];
    if (scrollWidth > clientWidth) {
      const wide = [...document.querySelectorAll("body *")].filter(
        (element) => element.getBoundingClientRect().right > clientWidth + 1,
      );
      faults.push(`the page is ${scrollWidth - clientWidth} px too wide: ${wide.slice(0, 3).map(nameOf).join(", ")}`);
    }

    for (const selector of seen) {
      const found = findShown(selector);
      if (found.length === 0) faults.push(`${selector} is not there`);
      for (const element of found) faults.push(...inspectOne(element, nameOf(element)));
    }
    for (const element of whole.flatMap(findShown)) {
      const { top, bottom } = element.getBoundingClientRect();
      const shown = toShownRect(element);
      // A line's text does not reach its edges.
      const leading = 4;
      const isHidden = shown.bottom - shown.top <= leading || shown.right - shown.left <= leading;
      const isCut = !isHidden && (shown.top > top + leading || shown.bottom < bottom - leading);
      if (isCut) faults.push(`${nameOf(element)} is cut through: ${round(shown.top, shown.bottom, bottom)}`);
    }
    const blocks = apart.flatMap(findShown);
    for (const [index, one] of blocks.entries()) {
      for (const other of blocks.slice(index + 1)) {
        if (one.contains(other) || other.contains(one)) continue;
        const [a, b] = [toShownRect(one), toShownRect(other)];
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
      const shown = toShownRect(element);
      const isHidden =
        shown.left > left + 1 || shown.top > top + 1 || shown.right < right - 1 || shown.bottom < bottom - 1;
      if (isHidden) return [`${name} is cut off: ${round(shown.left, shown.top, shown.right, shown.bottom)}`];
      const inset = 3;
      for (const [x, y] of [
        [left + width / 2, top + height / 2],
        [left + inset, top + height / 2],
        [right - inset, top + height / 2],
        [left + width / 2, top + inset],
        [left + width / 2, bottom - inset],
      ] as const) {
        const top = document.elementFromPoint(x, y);
        // `elementFromPoint` skips elements without pointer events.
        const isInert = getComputedStyle(element).pointerEvents === "none";
        if (top === null || !(element.contains(top) || (isInert && top.contains(element)))) {
          return [`${name} is covered by ${top === null ? "nothing" : nameOf(top)} at ${round(x, y)}`];
        }
      }
      return [];
    }

    /** The part of the element that its ancestors do not hide. */
    function toShownRect(element: Element): Pick<DOMRect, "left" | "top" | "right" | "bottom"> {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      let inner = element;
      for (let outer = inner.parentElement; outer !== null; outer = outer.parentElement) {
        if (getComputedStyle(inner).position === "fixed" || outer === document.body) break;
        const { display, overflowX, overflowY } = getComputedStyle(outer);
        inner = outer;
        if (display === "contents" || (overflowX === "visible" && overflowY === "visible")) continue;
        const shown = outer.getBoundingClientRect();
        left = Math.max(left, shown.left);
        top = Math.max(top, shown.top);
        right = Math.min(right, shown.right);
        bottom = Math.min(bottom, shown.bottom);
      }
      return { left, top, right, bottom };
    }

    function nameOf(element: Element): string {
      const label = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 30);
      return `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${label}"`;
    }

    function round(...values: readonly number[]): string {
      return values.map(Math.round).join(" ");
    }
  }
}
