import { DAY_MS } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { isRecent } from "./recent-forfeit.ts";

const FORFEIT = { endedAt: DAY_MS, appealUntilAt: null, appeal: null };
const APPEAL = { at: 2 * DAY_MS, text: "No.", answer: null };
const ANSWER = { at: 40 * DAY_MS, isAccepted: false, text: "Yes." };

test.each([
  ["may be appealed", { appealUntilAt: 90 * DAY_MS }, 60, true],
  ["was decided 29 days ago", {}, 30, true],
  ["was decided 30 days ago", {}, 31, false],
  ["waits for the answer", { appeal: APPEAL }, 300, true],
  ["was answered 29 days ago", { appeal: { ...APPEAL, answer: ANSWER } }, 69, true],
  ["was answered 30 days ago", { appeal: { ...APPEAL, answer: ANSWER } }, 70, false],
])("the wallet shows a decision that %s", (_what, own, day, isShown) => {
  expect(isRecent({ ...FORFEIT, ...own }, day * DAY_MS)).toBe(isShown);
});
