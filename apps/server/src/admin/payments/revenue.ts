import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira, toCoins, toCoinsWorth } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RevenueView } from "@holo/protocol/admin/money.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { type LockConfirmed, loadRole } from "../../accounts/accounts.ts";
import { loadPlatformFigures, loadRevenueFigures } from "../../ledger/ledger.ts";
import {
  type Payments,
  type Permit,
  type RevenueForm,
  type RevenueRefusal,
  toCoveredKobo,
  toPaymentView,
} from "../../payments/payments.ts";
import type { Database } from "../../platform/database/database.ts";
import { readSnapshot } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";

/**
 * The platform's revenue and its withdrawal (ruling 10). For the CEO, with a fresh password
 * confirmation to withdraw.
 */
export interface Revenue {
  load(playerId: PlayerId): Promise<RevenueView>;
  withdraw(
    form: RevenueForm,
    lockConfirmed: LockConfirmed,
  ): Promise<Result<PaymentView, RevenueRefusal | "access_denied" | "wrong_password">>;
}

interface RevenueDeps {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "revenue" | "bankAccounts">;
  readonly rateKobo: () => number;
}

export function openRevenue({ database, time, payments, rateKobo }: RevenueDeps): Revenue {
  /** Checked and recorded in the transaction of the payment. */
  function makeCeoPermit(playerId: PlayerId, lockConfirmed: LockConfirmed): Permit<"access_denied" | "wrong_password"> {
    return {
      async check(tx) {
        if ((await loadRole(tx, playerId)) !== "ceo") return refuse("access_denied");
        return (await lockConfirmed(tx)) ? ok(null) : refuse("wrong_password");
      },
      async record(tx, payment) {
        assert(payment.kind === "revenue", `payment ${payment.id} is no revenue withdrawal`);
        const { reference, kobo, account } = payment;
        const detail = `${formatNaira(kobo)} to ${account.accountName} at ${account.bankName}`;
        return await recordAuditEvent(tx, {
          playerId,
          action: "revenue_withdrawn",
          subject: reference,
          detail,
          at: time.now(),
        });
      },
    };
  }

  return {
    async load(playerId) {
      const [{ revenue, accounts }, newest, saved, cover] = await Promise.all([
        readSnapshot(database, async (queries) => ({
          revenue: await loadRevenueFigures(queries),
          accounts: await loadPlatformFigures(queries),
        })),
        payments.revenue.list(),
        payments.bankAccounts.list(playerId),
        payments.revenue.loadCover(),
      ]);
      const earnedLeft = revenue.withdrawable;
      const covered = cover === null ? earnedLeft : toCoinsWorth(toCoveredKobo(cover), rateKobo());
      return {
        earned: String(revenue.earned),
        // These accounts have negative balances in the ledger.
        providerFees: String(toCoins(-accounts.providerFees)),
        providerLoss: String(toCoins(-accounts.providerLoss)),
        withdrawn: String(revenue.withdrawn),
        onTheWay: String(revenue.onTheWay),
        left: String(covered < earnedLeft ? covered : earnedLeft),
        isBoundByProvider: cover === null ? null : covered < earnedLeft,
        payments: newest.map(toPaymentView),
        accounts: saved.map(({ bankCode, bankName, accountNumber, accountName }) => ({
          bankCode,
          bankName,
          accountNumber,
          accountName,
        })),
      };
    },

    async withdraw(form, lockConfirmed) {
      const payment = await payments.revenue.withdraw(form, makeCeoPermit(form.playerId, lockConfirmed));
      return payment.ok ? ok(toPaymentView(payment.value)) : payment;
    },
  };
}
