import { type ComponentType, Suspense } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";

interface Named {
  readonly name: string;
}

let late: typeof import("./lazy-chunk.ts");
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal("addEventListener", () => undefined);
  late = await import("./lazy-chunk.ts");
});

const Greeting = ({ name }: Named) => <p>Hello {name}</p>;

function draw(Part: ComponentType<Named>): string {
  return renderToString(
    <Suspense fallback="Loading...">
      <Part name="Ada" />
    </Suspense>,
  ).replaceAll(/<!--.*?-->/gs, "");
}

it("renders a prefetched chunk at once and fetches it once", async () => {
  const load = vi.fn(async () => ({ default: Greeting }));
  const Part = late.idlePrefetchedChunk(load);
  expect(Part.isLoaded()).toBe(false);
  expect(late.listUnfetched()).toEqual([Part]);
  await Promise.all([Part.prefetch(), Part.prefetch()]);
  expect(draw(Part)).toBe("<p>Hello Ada</p>");
  expect(late.listUnfetched()).toEqual([]);
  expect(load).toHaveBeenCalledTimes(1);
});

it("suspends until the chunk is loaded", async () => {
  const Part = late.idlePrefetchedChunk(async () => ({ default: Greeting }));
  expect(draw(Part)).toContain("Loading...");
});

it("ignores a failed prefetch and fetches again when shown", async () => {
  let isThere = false;
  const Part = late.lazyChunk(async () => {
    if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Greeting };
  });
  await Part.prefetch();
  expect(Part.isLoaded()).toBe(false);
  isThere = true;
  await Part.prefetch();
  expect(draw(Part)).toBe("<p>Hello Ada</p>");
});
