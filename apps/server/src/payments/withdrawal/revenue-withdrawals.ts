import { assert } from "@holo/kernel/assert.ts";
import { type CommandId, type PlayerId, toPaymentId } from "@holo/kernel/ids.ts";
import { KOBO_MAX, toCoinsOut, toKobo, ZERO_COINS } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { lockLimits } from "../../accounts/accounts.ts";
import { loadWithdrawableRevenue, lockRevenue, postWithdrawal } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { readSnapshot, transact } from "../../platform/database/transaction.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import { loadAccount } from "../bank-accounts/bank-account-store.ts";
import type { Permit } from "../corrections/permit.ts";
import type { PaymentNotices } from "../facts/notices.ts";
import type { Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByCommand, loadNewestRevenue, savePayment } from "../store/payment-store.ts";
import { loadProviderCover, type ProviderCover } from "./provider-cover.ts";
import { isSameOrder, makeWithdrawal, toBankAccount, type Withdrawal } from "./withdrawal.ts";

export interface RevenueForm {
  /** The person who withdraws. The caller has checked a recent login. */
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: number;
  readonly accountNumber: string;
  readonly bankCode: string;
}

export type RevenueRefusal =
  | "command_id_reused"
  | "bad_revenue_amount"
  | "account_not_verified"
  | "provider_silent"
  | "above_revenue"
  | "above_provider_cover";

export interface RevenueWithdrawals {
  /**
   * Withdraws what the ledger allows (ruling 10) and the provider holds beyond what players are
   * owed (ruling 34). The same command gets the same payment.
   */
  withdraw<Denied extends string>(
    form: RevenueForm,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, RevenueRefusal | Denied>>;
  list(): Promise<readonly Payment[]>;
  /** What the provider holds beyond what players are owed (ruling 34); null without an answer. */
  loadCover(): Promise<ProviderCover | null>;
}

interface RevenueWithdrawalsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly notices: PaymentNotices;
  readonly rateKobo: () => number;
  readonly wakeDueLoop: () => void;
  readonly paystack: Pick<Paystack, "loadBalance">;
}

const LIST_MAX = 20;

export function openRevenueWithdrawals(deps: RevenueWithdrawalsDeps): RevenueWithdrawals {
  const { database, time } = deps;
  return {
    list: () => loadNewestRevenue(database.kysely, LIST_MAX),

    async loadCover() {
      const askedAt = time.now();
      const balance = await deps.paystack.loadBalance();
      if (!balance.ok) return null;
      const facts = { heldKobo: balance.value, askedAt, rateKobo: deps.rateKobo() };
      return await readSnapshot(database, (queries) => loadProviderCover(queries, facts));
    },

    async withdraw(form, permit) {
      const { playerId, commandId } = form;
      const known = await loadByCommand(database.kysely, playerId, commandId);
      if (known !== null) return repeat(known, form);
      const asked = BigInt(form.kobo);
      const rateKobo = deps.rateKobo();
      const isAmount = asked > 0n && asked <= KOBO_MAX && toCoinsOut(toKobo(asked), rateKobo) > ZERO_COINS;
      if (!isAmount) return refuse("bad_revenue_amount");
      const account = await loadAccount(database.kysely, playerId, form);
      if (account === null) return refuse("account_not_verified");
      const askedAt = time.now();
      const balance = await deps.paystack.loadBalance();
      if (!balance.ok) return refuse("provider_silent");
      const facts = { heldKobo: balance.value, askedAt, rateKobo };
      const [kobo, at] = [toKobo(asked), time.now()];
      const coins = toCoinsOut(kobo, rateKobo);
      const id = toPaymentId(randomUUID());
      const given = { id, playerId, commandId, kobo, rateKobo, coins, createdAt: at, nextAskAt: at };
      const withdrawal = makeWithdrawal("revenue", { ...given, account: toBankAccount(account) });
      return await transact(database, (tx, afterCommit) =>
        hold(tx, afterCommit, deps, form, permit, withdrawal, facts),
      );
    },
  };
}

function repeat(known: Payment, form: RevenueForm): Result<Payment, "command_id_reused"> {
  return known.kind === "revenue" && isSameOrder(known, form) ? ok(known) : refuse("command_id_reused");
}

async function hold<Denied extends string>(
  tx: Tx,
  afterCommit: (effect: () => void) => void,
  { notices, wakeDueLoop }: RevenueWithdrawalsDeps,
  form: RevenueForm,
  permit: Permit<Denied>,
  withdrawal: Withdrawal,
  facts: Parameters<typeof loadProviderCover>[1],
): Promise<Result<Payment, RevenueRefusal | Denied>> {
  const { id: paymentId, playerId, commandId, reference, kobo, rateKobo, createdAt: at } = withdrawal;
  // Serializes the withdrawals of one person, since a command may arrive twice concurrently.
  await lockLimits(tx, playerId);
  const other = await loadByCommand(tx, playerId, commandId);
  if (other !== null) return repeat(other, form);
  const permitted = await permit.check(tx, withdrawal);
  if (!permitted.ok) return permitted;
  // Under this lock no other withdrawal of revenue is counted twice or missed.
  await lockRevenue(tx);
  if ((await loadWithdrawableRevenue(tx)) >= withdrawal.coins && (await loadProviderCover(tx, facts)) < kobo) {
    return refuse("above_provider_cover");
  }
  const posted = await postWithdrawal(tx, {
    paymentId,
    reference,
    playerId: null,
    kobo,
    payerFeeKobo: toKobo(0n),
    rateKobo,
    at,
  });
  if (!posted.ok) {
    assert(posted.refusal.type === "insufficient_balance", `payment ${paymentId} exists already`);
    return refuse("above_revenue");
  }
  assert(await savePayment(tx, withdrawal, null), `command ${commandId} was saved twice`);
  await permit.record(tx, withdrawal, kobo);
  afterCommit(() => {
    notices.notify(withdrawal, posted.value.wallets);
    wakeDueLoop();
  });
  return ok(withdrawal);
}
