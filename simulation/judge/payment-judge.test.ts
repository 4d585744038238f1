import { expect, test } from "vitest";
import type { Evidence } from "./evidence.ts";
import { awaitsComparison, judgePayments, type PaymentEvidence } from "./payment-judge.ts";

type Money = Parameters<typeof awaitsComparison>[0];

/** A withdrawal that is completed here and was reversed at the provider. */
function makeMoney(webhook: object): Money {
  const reference = "wdr-1";
  const payment = { kind: "withdrawal", status: "completed", reference, kobo: 1n, feeKobo: 0n, rateKobo: 1n, net: -1n };
  const transfers = [{ reference, status: "reversed", amount: 1 }];
  const webhooks = [{ reference, event: "transfer.reversed", status: "delivered", attempts: [], ...webhook }];
  return { payments: [payment], provider: { transactions: [], disputes: [], transfers, webhooks } } as unknown as Money;
}

test("a reversal whose webhook was lost awaits the daily comparison", () => {
  expect(awaitsComparison(makeMoney({ status: "lost" }))).toBe(true);
});

test("a reversal whose webhook was untrue awaits the daily comparison", () => {
  expect(awaitsComparison(makeMoney({ attempts: [{ at: 1, answer: 200, fault: "wrong_status" }] }))).toBe(true);
});

test("a reversal that was reported awaits nothing", () => {
  expect(awaitsComparison(makeMoney({}))).toBe(false);
});

/** A withdrawal of 700 kobo, of which 300 wait because their coins are marked. */
function judgeSplit(part: object): readonly string[] {
  const common = {
    player: "p",
    kind: "withdrawal",
    status: "completed",
    reason: null,
    feeKobo: 0n,
    rateKobo: 1_000_000n,
    credits: [],
  };
  const whole = { ...common, commandId: "c-1", partOf: null, reference: "wdr-1", kobo: 400n, net: -400n };
  const waiting = { ...common, commandId: "c-2", partOf: "c-1", reference: "wdr-2", kobo: 300n, net: -300n, ...part };
  const answer = { code: null, payment: { reference: "wdr-1" } };
  const answered = {
    player: "p",
    path: "/api/withdrawals",
    body: { commandId: "c-1", kobo: 700 },
    status: 200,
    answer,
  };
  const received = ["wdr-1", "wdr-2"].map((reference, index) => ({
    frame: { type: "payment", payment: { reference, kobo: [400, 300][index], payerFeeKobo: 0 } },
  }));
  const transfers = [
    { reference: "wdr-1", status: "success", amount: 400 },
    { reference: "wdr-2", status: "success", amount: 300 },
  ];
  const money = {
    answers: [answered],
    orders: [{ commandId: "c-1", kobo: 700 }],
    payments: [whole, waiting],
    provider: { transactions: [], disputes: [], transfers, webhooks: [] },
    statements: new Map(),
  };
  const clients = [{ account: { id: "p", username: "ada" }, connections: [{ received }] }];
  const evidence = { clients, wallets: new Map(), games: new Map(), jumps: [] };
  return judgePayments(evidence as unknown as Evidence, money as unknown as PaymentEvidence);
}

test("a part that waits belongs to what its player ordered", () => {
  expect(judgeSplit({})).toEqual([]);
  expect(judgeSplit({ partOf: null })).toContain("withdrawal c-1 is not stored as it was ordered");
  expect(judgeSplit({ kobo: 299n, net: -299n })).not.toEqual([]);
  expect(judgeSplit({ status: "pending", reason: "awaiting_fair_play" })).toEqual([
    "withdrawal wdr-2 (pending) is still checked after three days",
  ]);
});
