import { toInstant } from "@holo/kernel/instant.ts";
import { toCoins, toKobo } from "@holo/kernel/money.ts";
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
  const coins = { need: toCoins(1n), have: toCoins(1n), stake: 1 };
  const times = { minutes: 1, hours: 1, period: "day", until: toInstant(0), version: "1.2.3" } as const;
  const figures = { ...coins, ...times, limit: toKobo(1n), left: toKobo(0n) };
  for (const code of Object.keys(REFUSALS) as RefusalCode[]) {
    expect(toRefusalView(code, figures).text).not.toMatch(/[{}]/);
  }
});

test("what players have set for themselves is told in naira, coins and the time of their country", () => {
  const limit = { period: "week", limit: toKobo(2_000_000n), left: toKobo(150_050n) } as const;
  expect(toRefusalView("limit_reached", limit).text).toContain(
    "deposit ₦20,000 a week. Of that ₦1,500.50 is left now.",
  );
  expect(toRefusalView("stake_limit", { stake: 2 }).text).toContain("at most 2 HC a piece");
  const until = toInstant(Date.UTC(2026, 10, 24, 17, 30));
  expect(toRefusalView("self_excluded", { until }).text).toContain("until 24 Nov 2026, 18:30 (Lagos time).");
});
