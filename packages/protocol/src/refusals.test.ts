import { toCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { REFUSALS, type RefusalCode, toRefusalView } from "./refusals.ts";

test("every refusal has words for a player and a status for a request", () => {
  for (const { status, title, text } of Object.values(REFUSALS)) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).not.toBe("");
    expect(text).not.toBe("");
  }
});

test("figures are filled in, what is needed rounded up and what there is rounded down", () => {
  const figures = { need: toCoins(17_184_000n), have: toCoins(17_183_999n) };
  expect(toRefusalView("insufficient_to_create", figures).text).toBe("You need 17.19 holocoins (you have 17.18)");
  expect(toRefusalView("paused", { minutes: 5 }).text).toContain("in 5 min");
});

test("no text is left with an open place once its figures are given", () => {
  const figures = { need: toCoins(1n), have: toCoins(1n), minutes: 1, hours: 1 };
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
    expect(toRefusalView(code, figures).text).not.toMatch(/[{}]/);
  }
});
