import { wholeCoins } from "@holo/kernel/money.ts";
import { expect, it } from "vitest";
import { readCoins } from "./coins.ts";

it("parses an amount from the server and throws on a malformed one", () => {
  expect(readCoins("12000000")).toBe(wholeCoins(12));
  expect(() => readCoins("12.5")).toThrow();
});
