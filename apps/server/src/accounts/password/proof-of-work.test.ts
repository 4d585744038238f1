import { expect, it } from "vitest";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { solveTestChallenge } from "../testing/solve-test-challenge.ts";
import { makeProofOfWork } from "./proof-of-work.ts";

const time = makeTestTime();
const waiting = { count: 0, longestMs: 0 };
const work = makeProofOfWork(time, "a secret of at least thirty-two characters", {
  waitingCount: () => waiting.count,
  longestWaitMs: () => waiting.longestMs,
});

it("asks for no work until requests wait, then for more as proven ones wait", () => {
  const bitsAt = (count: number): number => {
    waiting.count = count;
    return work.requiredBits("login");
  };
  expect(bitsAt(11)).toBe(0);
  const [some, many] = [bitsAt(12), bitsAt(40)];
  expect(some).toBeGreaterThan(10);
  expect(many).toBeGreaterThan(some);
  waiting.longestMs = 500;
  expect(bitsAt(1)).toBeGreaterThan(10);
  waiting.longestMs = 499;
  expect(bitsAt(1)).toBe(0);
  waiting.count = 0;
});

it("accepts a proof once, from its address, until it expires", () => {
  const proof = solveTestChallenge(work.issue("203.0.113.1"));
  expect(work.trySpend(proof, "203.0.113.2")).toBe(false);
  expect(work.trySpend(proof, "203.0.113.1")).toBe(true);
  expect(work.trySpend(proof, "203.0.113.1")).toBe(false);
  const late = solveTestChallenge(work.issue("203.0.113.1"));
  time.advance(121_000);
  expect(work.trySpend(late, "203.0.113.1")).toBe(false);
});

it.each([
  ["nothing", () => ""],
  ["no work", () => `${work.issue("a").challenge}:zzz`],
  [
    "a forged challenge",
    () => solveTestChallenge({ challenge: work.issue("a").challenge.replace(/.$/, "!"), bits: 1 }),
  ],
  [
    "an easier challenge",
    () => solveTestChallenge({ challenge: work.issue("a").challenge.replace(/\.\d+\./, ".01."), bits: 1 }),
  ],
])("rejects %s", (_name, make) => {
  expect(work.trySpend(make(), "a")).toBe(false);
});
