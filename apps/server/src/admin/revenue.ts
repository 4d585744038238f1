import type { PlayerId } from "@holo/kernel/ids.ts";
import { formatNaira, toCoins } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RevenueView } from "@holo/protocol/admin-views.ts";
import type { PaymentView } from "@holo/protocol/wallet-views.ts";
import { loadRole } from "../accounts/accounts.ts";
import { platformFigures, revenueFigures } from "../ledger/ledger.ts";
import {
  type Payments,
  type Permit,
  type RevenueForm,
  type RevenueRefusal,
  toPaymentView,
} from "../payments/payments.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { readSnapshot } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";

/** What the platform earned, and its way out (ruling 10). For the CEO, who has just signed in again where something leaves. */
export interface RevenueActs {
  load(playerId: PlayerId): Promise<RevenueView>;
  withdraw(form: RevenueForm): Promise<Result<PaymentView, RevenueRefusal | "access_denied">>;
}

export interface RevenueActsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly payments: Pick<Payments, "revenue" | "bankAccounts">;
}

export function openRevenueActs({ database, time, payments }: RevenueActsOptions): RevenueActs {
  function toPermit(playerId: PlayerId): Permit<"access_denied"> {
    return {
      check: async (tx) => ((await loadRole(tx, playerId)) === "ceo" ? ok(null) : refuse("access_denied")),
      async record(tx, { reference, kobo, account }) {
        const detail = `${formatNaira(kobo)} to ${account?.accountName} at ${account?.bankName}`;
        await recordAct(tx, { playerId, act: "revenue_withdrawn", subject: reference, detail, at: time.now() });
      },
    };
  }

  return {
    async load(playerId) {
      const [{ revenue, accounts }, newest, saved] = await Promise.all([
        readSnapshot(database, async (queries) => ({
          revenue: await revenueFigures(queries),
          accounts: await platformFigures(queries),
        })),
        payments.revenue.list(),
        payments.bankAccounts.list(playerId),
      ]);
      return {
        earned: String(revenue.earned),
        // What was kept or lost stands below zero in the ledger.
        providerFees: String(toCoins(-accounts.providerFees)),
        providerLoss: String(toCoins(-accounts.providerLoss)),
        withdrawn: String(revenue.withdrawn),
        onTheWay: String(revenue.onTheWay),
        left: String(revenue.left),
        payments: newest.map(toPaymentView),
        accounts: saved.map(({ bankCode, bankName, accountNumber, accountName }) => ({
          bankCode,
          bankName,
          accountNumber,
          accountName,
        })),
      };
    },

    async withdraw(form) {
      const payment = await payments.revenue.withdraw(form, toPermit(form.playerId));
      return payment.ok ? ok(toPaymentView(payment.value)) : payment;
    },
  };
}
