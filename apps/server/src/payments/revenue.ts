import { randomUUID } from "node:crypto";
import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { KOBO_MAX, toCoinsOut, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { postRevenueWithdrawal } from "../ledger/ledger.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { loadAccount } from "./accounts-store.ts";
import { makeReference } from "./deposits.ts";
import type { Payment } from "./payment.ts";
import type { Settler } from "./settle.ts";
import { loadByCommand, savePayment } from "./store.ts";

export interface RevenueForm {
  /** Who withdraws. That it is the CEO, who has just signed in again, is for the caller to check. */
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: number;
  readonly accountNumber: string;
  readonly bankCode: string;
}

export type RevenueRefusal = "command_id_reused" | "bad_amount" | "account_not_verified" | "above_revenue";

/** The platform's own earnings on their way out, as withdrawals of players go. */
export interface Revenue {
  /** Takes what the ledger says may leave (ruling 10). The same command gets the same payment. Refusals in the order of `RevenueRefusal`. */
  withdraw(form: RevenueForm): Promise<Result<Payment, RevenueRefusal>>;
}

export interface RevenueOptions {
  readonly database: Database;
  readonly time: Time;
  readonly settler: Settler;
  readonly rateKobo: () => number;
  readonly wake: () => void;
}

export function openRevenue({ database, time, settler, rateKobo, wake }: RevenueOptions): Revenue {
  return {
    async withdraw({ playerId, commandId, kobo: given, accountNumber, bankCode }) {
      const known = await loadByCommand(database.kysely, playerId, commandId);
      if (known !== null) {
        const isSame = known.kind === "revenue" && known.kobo === BigInt(given);
        return isSame ? ok(known) : refuse("command_id_reused");
      }
      const kobo = toKobo(BigInt(given));
      const rate = rateKobo();
      const isAmount = kobo > 0n && kobo <= KOBO_MAX && toCoinsOut(kobo, rate) > ZERO_COINS;
      if (!isAmount) return refuse("bad_amount");
      const account = await loadAccount(database.kysely, playerId, { accountNumber, bankCode });
      if (account === null) return refuse("account_not_verified");
      const id = randomUUID() as PaymentId;
      const at = time.now();
      const { bankName, accountName } = account;
      const payment: Payment = {
        id,
        kind: "revenue",
        playerId,
        commandId,
        kobo,
        rateKobo: rate,
        coins: toCoinsOut(kobo, rate),
        feeKobo: null,
        status: "processing",
        money: "held",
        reference: makeReference("rev", id),
        reason: null,
        authorizationUrl: null,
        account: { bankCode, bankName, accountNumber, accountName },
        recipientCode: null,
        createdAt: at,
        completedAt: null,
        updatedAt: at,
        attempts: 0,
        nextAttemptAt: at,
        sentAt: null,
        askedSince: null,
      };
      return await transact(database, async (tx, afterCommit) => {
        const { reference } = payment;
        const posted = await postRevenueWithdrawal(tx, { paymentId: id, reference, kobo, rateKobo: rate, at });
        if (!posted.ok) {
          assert(posted.refusal.type === "insufficient_balance", `payment ${id} is there already`);
          return refuse("above_revenue");
        }
        // Two of one command: the second finds the row of the first, and its own hold is rolled back with it.
        assert(await savePayment(tx, payment, null), `command ${commandId} came twice at once`);
        afterCommit(() => {
          settler.tell(payment, posted.value.wallets, null);
          wake();
        });
        return ok(payment);
      });
    },
  };
}
