import { beforeAll, expect, test, vi } from "vitest";

/** Chunks listen for failed styles. No chunk is loaded here. */
beforeAll(() => void vi.stubGlobal("addEventListener", () => undefined));

test.each([
  ["a browser that tells nothing, and was quick", undefined, 800, true],
  ["a good line", { saveData: false, effectiveType: "4g" }, 800, true],
  ["a good line that took long over the first page", { effectiveType: "4g" }, 3_500, false],
  ["a line of a village", { effectiveType: "3g" }, 800, false],
  ["somebody who saves data", { saveData: true, effectiveType: "4g" }, 800, false],
  ["a page that still loads", { effectiveType: "4g" }, 0, false],
])("decides about prefetching for %s", async (_, line, loadMs, isFetched) => {
  const { isFastNetwork } = await import("./prefetch.ts");
  expect(isFastNetwork(line, loadMs)).toBe(isFetched);
});
