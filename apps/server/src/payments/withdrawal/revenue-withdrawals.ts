import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { KOBO_MAX, type Kobo, toCoinsOut, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { lockLimits } from "../../accounts/accounts.ts";
import { postRevenueWithdrawal } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { loadAccount, type VerifiedAccount } from "../bank-accounts/bank-account-store.ts";
import { makePayment, type Payment } from "../payment.ts";
import type { Permit } from "../review/reviews.ts";
import type { Settler } from "../settlement/settler.ts";
import { loadByCommand, loadNewestRevenue, savePayment } from "../store/payment-store.ts";

export interface RevenueForm {
  /** Who withdraws. That they have just signed in again is for the caller to check. */
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: number;
  readonly accountNumber: string;
  readonly bankCode: string;
}

export type RevenueRefusal = "command_id_reused" | "bad_revenue_amount" | "account_not_verified" | "above_revenue";

/** The platform's own earnings on their way out, as withdrawals of players go. */
export interface RevenueWithdrawals {
  /**
   * Takes what the ledger says may leave (ruling 10). The same command gets the same payment, and asks nobody again. Refusals in the
   * order of `RevenueRefusal`, and before the last what `permit` refuses.
   */
  withdraw<Denied extends string>(
    form: RevenueForm,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, RevenueRefusal | Denied>>;
  /** The newest first. */
  list(): Promise<readonly Payment[]>;
}

export interface RevenueWithdrawalsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly settler: Settler;
  readonly rateKobo: () => number;
  readonly wake: () => void;
}

const LISTED = 20;

export function openRevenueWithdrawals({
  database,
  time,
  settler,
  rateKobo,
  wake,
}: RevenueWithdrawalsDeps): RevenueWithdrawals {
  function repeat(known: Payment, form: RevenueForm): Result<Payment, "command_id_reused"> {
    const isSame =
      known.kind === "revenue" &&
      known.kobo === BigInt(form.kobo) &&
      known.account?.accountNumber === form.accountNumber &&
      known.account.bankCode === form.bankCode;
    return isSame ? ok(known) : refuse("command_id_reused");
  }

  function makeRevenue(form: RevenueForm, kobo: Kobo, rate: number, account: VerifiedAccount): Payment {
    const { bankCode, bankName, accountNumber, accountName } = account;
    const at = time.now();
    return makePayment({
      kind: "revenue",
      playerId: form.playerId,
      commandId: form.commandId,
      kobo,
      rateKobo: rate,
      coins: toCoinsOut(kobo, rate),
      status: "processing",
      money: "held",
      account: { bankCode, bankName, accountNumber, accountName },
      createdAt: at,
      nextAttemptAt: at,
    });
  }

  return {
    list: () => loadNewestRevenue(database.kysely, LISTED),

    async withdraw(form, permit) {
      const { playerId, commandId } = form;
      const known = await loadByCommand(database.kysely, playerId, commandId);
      if (known !== null) return repeat(known, form);
      const asked = BigInt(form.kobo);
      const rate = rateKobo();
      const isAmount = asked > 0n && asked <= KOBO_MAX && toCoinsOut(toKobo(asked), rate) > ZERO_COINS;
      if (!isAmount) return refuse("bad_revenue_amount");
      const account = await loadAccount(database.kysely, playerId, form);
      if (account === null) return refuse("account_not_verified");
      const payment = makeRevenue(form, toKobo(asked), rate, account);
      const { id: paymentId, reference, kobo, createdAt: at } = payment;
      return await transact(database, async (tx, afterCommit) => {
        // One at a time of one person: two of one command may come at once.
        await lockLimits(tx, playerId);
        const other = await loadByCommand(tx, playerId, commandId);
        if (other !== null) return repeat(other, form);
        const permitted = await permit.check(tx, payment);
        if (!permitted.ok) return permitted;
        const posted = await postRevenueWithdrawal(tx, { paymentId, reference, kobo, rateKobo: rate, at });
        if (!posted.ok) {
          assert(posted.refusal.type === "insufficient_balance", `payment ${paymentId} is there already`);
          return refuse("above_revenue");
        }
        assert(await savePayment(tx, payment, null), `command ${commandId} came twice at once`);
        await permit.record(tx, payment, kobo);
        afterCommit(() => {
          settler.notify(payment, posted.value.wallets, null);
          wake();
        });
        return ok(payment);
      });
    },
  };
}
