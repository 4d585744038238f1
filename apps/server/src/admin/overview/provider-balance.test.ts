import { SECOND_MS } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { spyOnSleep } from "../../platform/testing/spy-on-sleep.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openProviderBalance } from "./provider-balance.ts";

test("asks the provider once for concurrent callers, and again after ten seconds", async () => {
  const time = makeTestTime();
  let asked = 0;
  const ask = openProviderBalance(async () => {
    asked += 1;
    return BigInt(asked);
  }, time);
  expect(await Promise.all([ask(), ask()])).toEqual([{ kobo: 1 }, { kobo: 1 }]);
  time.advance(10 * SECOND_MS - 1);
  expect((await ask()).kobo).toBe(1);
  time.advance(1);
  expect(await ask()).toEqual({ kobo: 2 });
});

test("waits at most three seconds for the provider, and uses its late response", async () => {
  const delaysMs: (number | undefined)[] = [];
  spyOnSleep(async (ms) => {
    delaysMs.push(ms);
    return null;
  });
  const time = makeTestTime();
  let answer: (kobo: bigint) => void = () => undefined;
  const ask = openProviderBalance(
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
    time,
  );
  expect((await ask()).kobo).toBeNull();
  expect(delaysMs).toEqual([3_000]);
  answer(500n);
  expect((await ask()).kobo).toBe(500);
});
