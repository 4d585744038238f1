import type { PaymentReasonCode } from "@holo/protocol/payments/payment-reasons.ts";
import pg from "pg";
import { expect, test } from "vitest";
import { openDatabase } from "../../platform/database/database.ts";
import { migrate } from "../../platform/database/migrations.ts";
import { migrateUntil } from "../../platform/testing/old-schema.ts";
import { createEmptyTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { loadByReference } from "./payment-store.ts";

const ABOVE_LIMIT = "This is more than you let yourself deposit.";
const FAILED = "Failed to process withdrawal: the bank did not take the payment.";

type OldRow = readonly [
  kind: "deposit" | "withdrawal" | "revenue",
  status: string,
  money: string,
  reason: string,
  code: PaymentReasonCode,
  kobo?: bigint,
];

const OLD_ROWS: readonly OldRow[] = [
  ["deposit", "failed", "none", "The payment could not be begun.", "start_failed"],
  ["deposit", "failed", "none", "The payment was never begun.", "never_started"],
  ["deposit", "failed", "none", "Your bank or card declined the payment.", "declined"],
  ["deposit", "abandoned", "none", "The payment was not completed.", "not_completed"],
  [
    "deposit",
    "review",
    "none",
    "What arrived differs from what was to be paid. We are looking into it.",
    "amount_differs",
  ],
  [
    "deposit",
    "review",
    "none",
    "This was paid long after it was begun, at a rate of before. We are looking into it.",
    "old_exchange_rate",
  ],
  ["deposit", "review", "none", "This came in after its player had left.", "account_deleted"],
  ["deposit", "completed", "credited", "What arrived was credited: ₦4,999.50.", "credited_actual_amount", 499_950n],
  [
    "deposit",
    "completed",
    "credited",
    "What arrived was credited: ₦1,250,000.",
    "credited_actual_amount",
    125_000_000n,
  ],
  [
    "deposit",
    "review",
    "credited",
    "Your bank disputes this payment. Nothing can be withdrawn until that is decided.",
    "disputed",
  ],
  [
    "deposit",
    "review",
    "taken_back",
    "The dispute about this payment was decided in your favour. Its coins come back once Paystack confirms it.",
    "dispute_won",
  ],
  ["deposit", "reversed", "taken_back", "The payment was reversed by your bank or card.", "reversed_by_bank"],
  ["deposit", "reversed", "none", `${ABOVE_LIMIT} It is being sent back to you.`, "above_limit_refunding"],
  ["deposit", "reversed", "none", `${ABOVE_LIMIT} It was sent back to you.`, "above_limit_refunded"],
  ["deposit", "review", "none", `${ABOVE_LIMIT} Your bank disputes it as well.`, "above_limit_disputed"],
  ["deposit", "reversed", "none", "Your payment is being sent back to you.", "refunding"],
  [
    "deposit",
    "reversed",
    "none",
    "Your payment is still on its way back to you. We are looking into it.",
    "refund_slow",
  ],
  ["deposit", "review", "none", "We could not send your payment back yet. We are looking into it.", "refund_failed"],
  ["deposit", "reversed", "none", "Your payment was sent back to you.", "refunded"],
  [
    "deposit",
    "completed",
    "credited",
    "₦1,000 of this payment went back to you, and its coins were taken back.",
    "coins_taken_back",
    100_000n,
  ],
  ["deposit", "review", "restored", "We are looking into this payment.", "under_review"],
  [
    "withdrawal",
    "pending",
    "held",
    "Waiting for our bank. Your payment will be sent as soon as possible.",
    "awaiting_bank",
  ],
  ["withdrawal", "pending", "held", "Waiting for our confirmation.", "awaiting_confirmation"],
  ["withdrawal", "failed", "returned", `${FAILED} Your coins are back in your wallet.`, "transfer_failed"],
  ["revenue", "failed", "returned", `${FAILED} It is back in the Admin Wallet.`, "transfer_failed"],
  [
    "withdrawal",
    "reversed",
    "returned",
    "The bank sent the payment back. Your coins are back in your wallet.",
    "transfer_reversed",
  ],
  [
    "revenue",
    "reversed",
    "returned",
    "The bank sent the payment back. It is back in the Admin Wallet.",
    "transfer_reversed",
  ],
  ["withdrawal", "review", "lost", "We are looking into this payment.", "under_review"],
];

test("keeps every reason of release 0.1 as its code", async () => {
  const connectionString = await createEmptyTestDatabase();
  await migrateUntil(connectionString, "550-held-mailboxes.ts");
  const client = new pg.Client({ connectionString });
  await client.connect();
  for (const [index, [kind, status, money, reason]] of OLD_ROWS.entries()) {
    const account = kind === "deposit" ? null : "0123456789";
    const named = account && "named";
    await client.query(
      `insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, money, reference, reason,
         account_number, bank_code, bank_name, account_name, created_at, updated_at, completed_at)
       values (gen_random_uuid(), $1, 'player-of-old', $2, 500000, 30600, 16339870, $3, $4, $2, $5, $6, $7, $7, $7, 1, 1, 1)`,
      [kind, `reference-of-old-${index}`, status, money, reason, account, named],
    );
  }
  await client.end();

  await migrate(connectionString);

  const database = openDatabase({ connectionString, log: openTestLog() });
  const reasons = await Promise.all(
    OLD_ROWS.map(async (_row, index) => {
      const payment = await loadByReference(database.kysely, `reference-of-old-${index}`);
      return payment?.reason;
    }),
  );
  expect(reasons).toEqual(OLD_ROWS.map(([_kind, _status, _money, _reason, code, kobo = null]) => ({ code, kobo })));
  await database.close();
});
