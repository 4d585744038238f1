import { setImmediate as turn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { makeBatchLoader } from "./batch-loader.ts";

afterEach(() => {
  vi.useRealTimers();
});

function makeLengths(keysMax: number) {
  const loaded: (readonly string[])[] = [];
  const pending: (() => void)[] = [];
  const load = makeBatchLoader<string, number>(async (words) => {
    loaded.push(words);
    await new Promise<void>((resolve) => pending.push(resolve));
    if (words.includes("broken")) throw new Error("a broken word");
    return new Map(words.filter((word) => word !== "").map((word) => [word, word.length]));
  }, keysMax);
  const answerNext = async (): Promise<void> => {
    await expect.poll(() => pending.length).toBeGreaterThan(0);
    pending.shift()!();
  };
  return { loaded, load, answerNext };
}

test("loads together what is asked for together, each key once, and null for what does not exist", async () => {
  const { loaded, load, answerNext } = makeLengths(10);
  const answers = Promise.all([load("ada"), load("bola"), load("ada"), load("")]);
  await answerNext();
  expect(await answers).toEqual([3, 4, 3, null]);
  expect(loaded).toEqual([["ada", "bola", ""]]);
});

test("loads a key again that is asked for while it is being loaded, and no more than the limit at once", async () => {
  const { loaded, load, answerNext } = makeLengths(2);
  const first = Promise.all([load("a"), load("bb"), load("ccc")]);
  await expect.poll(() => loaded.length).toBe(2);
  const second = load("a");
  for (let turn = 1; turn <= 3; turn += 1) await answerNext();
  expect(await first).toEqual([1, 2, 3]);
  expect(await second).toBe(1);
  expect(loaded).toEqual([["a", "bb"], ["ccc"], ["a"]]);
});

test("fails those that were loaded together, and loads others", async () => {
  const { load, answerNext } = makeLengths(2);
  const failing = [load("broken"), load("a")];
  const other = load("bb");
  const outcomes = Promise.allSettled([...failing, other]);
  for (let turn = 1; turn <= 2; turn += 1) await answerNext();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("collects what is asked for one after another soon after a query", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  const loaded: (readonly string[])[] = [];
  const load = makeBatchLoader<string, number>(async (words) => {
    loaded.push(words);
    return new Map(words.map((word) => [word, word.length]));
  }, 3);
  expect(await load("a")).toBe(1);
  const next = [load("bb")];
  await turn();
  next.push(load("ccc"));
  await turn();
  expect(loaded).toEqual([["a"]]);
  vi.advanceTimersByTime(20);
  expect(await Promise.all(next)).toEqual([2, 3]);
  expect(await Promise.all([load("d"), load("ee"), load("fff")])).toEqual([1, 2, 3]);
  expect(loaded).toEqual([["a"], ["bb", "ccc"], ["d", "ee", "fff"]]);
});
