import { type ComponentType, Suspense } from "react";
import { renderToString } from "react-dom/server";
import { beforeEach, expect, it, vi } from "vitest";

interface Named {
  readonly name: string;
}

let late: typeof import("./late-part.ts");
beforeEach(async () => {
  vi.resetModules();
  vi.stubGlobal("addEventListener", () => undefined);
  late = await import("./late-part.ts");
});

const Greeting = ({ name }: Named) => <p>Hello {name}</p>;

/** What is drawn at once. */
function draw(Part: ComponentType<Named>): string {
  return renderToString(
    <Suspense fallback="Loading...">
      <Part name="Ada" />
    </Suspense>,
  ).replaceAll(/<!--.*?-->/gs, "");
}

it("what was fetched ahead is drawn at once, and fetched once", async () => {
  const load = vi.fn(async () => ({ default: Greeting }));
  const Part = late.nearPart(load);
  expect(Part.isHere()).toBe(false);
  expect(late.listAwaited()).toEqual([Part]);
  await Promise.all([Part.fetchAhead(), Part.fetchAhead()]);
  expect(draw(Part)).toBe("<p>Hello Ada</p>");
  expect(late.listAwaited()).toEqual([]);
  expect(load).toHaveBeenCalledTimes(1);
});

it("what is there only later is waited for where it is shown", async () => {
  const Part = late.nearPart(async () => ({ default: Greeting }));
  expect(draw(Part)).toContain("Loading...");
});

it("what cannot be fetched ahead is no fault, and is fetched anew when it is wanted", async () => {
  let isThere = false;
  const Part = late.latePart(async () => {
    if (!isThere) throw new TypeError("Failed to fetch dynamically imported module");
    return { default: Greeting };
  });
  await Part.fetchAhead();
  expect(Part.isHere()).toBe(false);
  isThere = true;
  await Part.fetchAhead();
  expect(draw(Part)).toBe("<p>Hello Ada</p>");
});
