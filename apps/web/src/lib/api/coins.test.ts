import { wholeCoins } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { readCoins } from "./coins.ts";

it("reads coins of the wire, and throws where it is sent none", () => {
  expect(readCoins("12000000")).toBe(wholeCoins(12));
  expect(() => readCoins("12.5")).toThrow();
});
