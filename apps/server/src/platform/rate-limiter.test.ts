import { expect, test } from "vitest";
import { makeRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { makeTestTime } from "./testing/test-time.ts";

const LIMIT = { burst: 5, refillMs: 300 };

function countAcquired(limiter: RateLimiter, key: string): number {
  let acquired = 0;
  while (limiter.tryAcquire(key)) acquired += 1;
  return acquired;
}

test("gives a burst at once, then one token per refill, to each key", () => {
  const time = makeTestTime();
  const limiter = makeRateLimiter(time, LIMIT);
  // Not a whole number of ms, as the clock of the process gives it.
  time.advance(0.1);
  expect([countAcquired(limiter, "one"), countAcquired(limiter, "other")]).toEqual([5, 5]);
  time.advance(299);
  expect(limiter.hasToken("one")).toBe(false);
  time.advance(1);
  expect([limiter.hasToken("one"), countAcquired(limiter, "one")]).toEqual([true, 1]);
  time.advance(100 * 300);
  expect(countAcquired(limiter, "one")).toBe(5);
});

test("charges a cost down to minus one burst, and gives tokens back up to a burst", () => {
  const time = makeTestTime();
  const limiter = makeRateLimiter(time, LIMIT);
  limiter.charge("one", 1_000);
  time.advance(5 * 300);
  expect(limiter.hasToken("one")).toBe(false);
  time.advance(300);
  expect(countAcquired(limiter, "one")).toBe(1);
  for (let i = 0; i < 9; i += 1) limiter.giveBackToken("one");
  expect(countAcquired(limiter, "one")).toBe(5);
});

test("remembers what a key has used while thousands of others come and refill", () => {
  const time = makeTestTime();
  const limiter = makeRateLimiter(time, LIMIT);
  for (let i = 0; i < 1_500; i += 1) limiter.tryAcquire(`before ${i}`);
  limiter.charge("used up", 10);
  time.advance(300);
  for (let i = 0; i < 5_000; i += 1) limiter.tryAcquire(`after ${i}`);
  expect(limiter.hasToken("used up")).toBe(false);
  expect([countAcquired(limiter, "before 0"), countAcquired(limiter, "after 0")]).toEqual([5, 4]);
});
