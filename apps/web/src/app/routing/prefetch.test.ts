import { beforeAll, expect, test, vi } from "vitest";

/** What a part listens to for styles that cannot be fetched; nothing is fetched here. */
beforeAll(() => void vi.stubGlobal("addEventListener", () => undefined));

test.each([
  ["a browser that tells nothing, and was quick", undefined, 800, true],
  ["a good line", { saveData: false, effectiveType: "4g" }, 800, true],
  ["a good line that took long over the first page", { effectiveType: "4g" }, 3_500, false],
  ["a line of a village", { effectiveType: "3g" }, 800, false],
  ["somebody who saves data", { saveData: true, effectiveType: "4g" }, 800, false],
  ["a page that still loads", { effectiveType: "4g" }, 0, false],
])("for %s, is anything fetched that nobody asked for?", async (_, line, loadMs, isFetched) => {
  const { isFastNetwork } = await import("./prefetch.ts");
  expect(isFastNetwork(line, loadMs)).toBe(isFetched);
});
