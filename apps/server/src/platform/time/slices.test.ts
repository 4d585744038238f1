import { expect, test } from "vitest";
import { openSlices } from "./slices.ts";

function makeWork(names: string[], clock: { nowMs: number }) {
  return function* work(name: string, count: number): Generator<undefined, string, undefined> {
    for (let step = 0; step < count; step += 1) {
      clock.nowMs += 2;
      names.push(name);
      yield;
    }
    return name;
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("works for one slice in each turn of the event loop, and lets computations take turns", async () => {
  const clock = { nowMs: 0 };
  const names: string[] = [];
  const slices = openSlices(() => clock.nowMs);
  const work = makeWork(names, clock);
  const done = Promise.all([slices.run(work("a", 5)), slices.run(work("b", 4))]);
  expect(names).toEqual([]);
  await turn();
  expect(names.join("")).toBe("aaa");
  await turn();
  expect(names.join("")).toBe("aaabbb");
  await turn();
  expect(names.join("")).toBe("aaabbbaab");
  expect(await done).toEqual(["a", "b"]);
});

test("rejects with the fault of a computation and goes on with the others", async () => {
  const clock = { nowMs: 0 };
  const slices = openSlices(() => clock.nowMs);
  const work = makeWork([], clock);
  const failing = slices.run(
    (function* fail(): Generator<undefined, string, undefined> {
      yield;
      throw new Error("no such move");
    })(),
  );
  const other = slices.run(work("b", 9));
  await expect(failing).rejects.toThrow("no such move");
  expect(await other).toBe("b");
});
