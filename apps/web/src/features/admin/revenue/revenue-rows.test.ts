import { formatCoins } from "@holo/kernel/money.ts";
import { expect, test } from "vitest";
import { toRevenueRows } from "./revenue-rows.ts";

const REVENUE = {
  earned: "17760000",
  providerFees: "1111000",
  providerLoss: "0",
  withdrawn: "3267974",
  onTheWay: "3267973",
  left: "10113053",
};

function show(revenue: typeof REVENUE) {
  const { rows, total } = toRevenueRows(revenue);
  return [...rows.map(({ term, coins }) => `${term} ${formatCoins(coins)}`), `Left ${formatCoins(total)}`];
}

test("the rows of the Admin Wallet add up to what is left, whatever bounds it [SITE-40]", () => {
  const rows = [
    "Earned from completed games 17.76",
    "Provider's fees −1.11",
    "Lost at the provider 0.00",
    "Withdrawn −3.27",
    "On the way −3.27",
  ];
  expect(show(REVENUE)).toEqual([...rows, "Left 10.11"]);
  expect(show({ ...REVENUE, left: "4000000" })).toEqual([...rows, "Kept back for players −6.11", "Left 4.00"]);
  expect(show({ ...REVENUE, earned: "0", left: "0" }).at(-1)).toBe("Left −7.65");
  expect(show({ ...REVENUE, left: "11113053" })).toEqual([...rows, "Kept back for players 1.00", "Left 11.11"]);
});
