import { expect, test } from "vitest";
import { NOW } from "../testing/test-reports.ts";
import { toNextAttemptAt } from "./effect.ts";

test("doubles the pauses up to a maximum", () => {
  const waits = (kind: "deposit" | "withdrawal") =>
    [0, 1, 2, 30, 1_000].map((attempts) => toNextAttemptAt({ kind, attempts }, NOW) - NOW);
  expect(waits("deposit")).toEqual([15_000, 30_000, 60_000, 1_800_000, 1_800_000]);
  expect(waits("withdrawal")).toEqual([2_000, 4_000, 8_000, 300_000, 300_000]);
});
