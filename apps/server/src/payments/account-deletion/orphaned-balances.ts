import { assert } from "@holo/kernel/assert.ts";
import { type CommandId, type PlayerId, toPaymentId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, toCoinsOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted, loadDeletedPlayers } from "../../accounts/accounts.ts";
import { loadWallets, lockWallet, postClosingRemainder, postWithdrawal } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { randomUUID } from "../../platform/runtime.ts";
import type { Time } from "../../platform/time/time.ts";
import { deleteUnconfirmedAccount, loadAccount } from "../bank-accounts/bank-account-store.ts";
import type { Permit } from "../corrections/permit.ts";
import type { PaymentNotices } from "../facts/notices.ts";
import type { Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadByCommand, savePayment } from "../store/payment-store.ts";
import { makeWithdrawal, type Withdrawal } from "../withdrawal/withdrawal.ts";
import { ERASED_ACCOUNT_NUMBER, type LastPayee, loadLastPayees } from "./account-deletion-store.ts";
import { isBelowOneKobo, toPayout } from "./closing-terms.ts";

/**
 * Coins that reached the wallet of a deleted account, such as a transfer that its bank returned.
 */
interface OrphanedBalance {
  readonly playerId: PlayerId;
  readonly coins: Coins;
  readonly kobo: Kobo;
  /** The bank of the last payout; null if it is not stored. */
  readonly bankName: string | null;
}

export interface OrphanedBalanceOrder {
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  readonly kobo: number;
  /**
   * Null: the account of the last payout. Else one whose holder the provider has named to
   * `verifiedBy`.
   */
  readonly account: { readonly accountNumber: string; readonly bankCode: string } | null;
  readonly verifiedBy: PlayerId;
}

export type OrphanedBalanceRefusal =
  | "command_id_reused"
  | "account_not_verified"
  | "provider_silent"
  | "nothing_left_behind"
  | "figures_changed"
  | "no_account_kept";

export interface OrphanedBalances {
  list(): Promise<readonly OrphanedBalance[]>;
  /**
   * Sends the whole balance as a withdrawal of the deleted player. Stores only the provider's code
   * of the account. The same command gets the same payment.
   */
  send<Denied extends string>(
    order: OrphanedBalanceOrder,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, OrphanedBalanceRefusal | Denied>>;
}

interface OrphanedBalancesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Pick<Paystack, "createRecipient">;
  readonly notices: PaymentNotices;
  readonly rateKobo: () => number;
  readonly wakeDueLoop: () => void;
}

export function openOrphanedBalances(deps: OrphanedBalancesDeps): OrphanedBalances {
  const { database } = deps;
  return {
    list: () => list(deps),
    async send(order, permit) {
      const known = await loadByCommand(database.kysely, order.playerId, order.commandId);
      if (known !== null) return repeat(known, order);
      const payee = await providePayee(deps, order);
      if (!payee.ok) return payee;
      return await transact(database, (tx, afterCommit) =>
        sendWithin(tx, afterCommit, deps, order, payee.value, permit),
      );
    },
  };
}

async function list({ database, rateKobo }: OrphanedBalancesDeps): Promise<readonly OrphanedBalance[]> {
  const deleted = await loadDeletedPlayers(database.kysely);
  const wallets = (await loadWallets(database.kysely, deleted)).filter(({ balance }) => balance > 0n);
  const owners = wallets.map(({ playerId }) => playerId);
  const lastPayees = await loadLastPayees(database.kysely, owners);
  return wallets
    .map(({ playerId, balance }) => ({
      playerId,
      coins: balance,
      kobo: toPayout(balance, rateKobo()).kobo,
      bankName: lastPayees.get(playerId)?.bankName ?? null,
    }))
    .filter(({ kobo }) => kobo > 0n);
}

/** The provider's code of a newly named account; null for the account of the last payout. */
async function providePayee(
  { database, paystack }: OrphanedBalancesDeps,
  order: OrphanedBalanceOrder,
): Promise<Result<LastPayee | null, "account_not_verified" | "provider_silent">> {
  if (order.account === null) return ok(null);
  const account = await loadAccount(database.kysely, order.verifiedBy, order.account);
  if (account === null) return refuse("account_not_verified");
  const answer = await paystack.createRecipient(account);
  if (!answer.ok) return refuse("provider_silent");
  return ok({ bankCode: account.bankCode, bankName: account.bankName, ...answer.value });
}

function repeat(known: Payment, { kobo }: OrphanedBalanceOrder): Result<Payment, "command_id_reused"> {
  return known.kind === "withdrawal" && known.kobo === BigInt(kobo) ? ok(known) : refuse("command_id_reused");
}

function makePayout(
  { playerId, commandId }: OrphanedBalanceOrder,
  { kobo, rateKobo }: { readonly kobo: Kobo; readonly rateKobo: number },
  { bankCode, bankName, recipientCode }: LastPayee,
  at: Instant,
): Withdrawal {
  return makeWithdrawal("withdrawal", {
    id: toPaymentId(randomUUID()),
    playerId,
    commandId,
    kobo,
    rateKobo,
    coins: toCoinsOut(kobo, rateKobo),
    account: { bankCode, bankName, accountNumber: ERASED_ACCOUNT_NUMBER, accountName: "" },
    recipientCode,
    createdAt: at,
    nextAskAt: at,
  });
}

async function sendWithin<Denied extends string>(
  tx: Tx,
  afterCommit: (effect: () => void) => void,
  { time, notices, rateKobo: currentRate, wakeDueLoop }: OrphanedBalancesDeps,
  order: OrphanedBalanceOrder,
  named: LastPayee | null,
  permit: Permit<Denied>,
): Promise<Result<Payment, OrphanedBalanceRefusal | Denied>> {
  const { playerId, commandId } = order;
  // Of two concurrent orders the second finds an empty wallet.
  const balance = (await lockWallet(tx, playerId)) ?? (0n as Coins);
  const known = await loadByCommand(tx, playerId, commandId);
  if (known !== null) return repeat(known, order);
  const rateKobo = currentRate();
  const { kobo, remainder } = toPayout(balance, rateKobo);
  if (kobo === 0n || !(await isAccountDeleted(tx, playerId))) return refuse("nothing_left_behind");
  const payee = named ?? (await loadLastPayees(tx, [playerId])).get(playerId) ?? null;
  const payout = payee === null ? null : makePayout(order, { kobo, rateKobo }, payee, time.now());
  if (payout !== null) {
    const permitted = await permit.check(tx, payout);
    if (!permitted.ok) return permitted;
  }
  if (kobo !== BigInt(order.kobo)) return refuse("figures_changed");
  if (payout === null) return refuse("no_account_kept");
  const { id: paymentId, reference, createdAt: at } = payout;
  const payerFeeKobo = payout.payerFeeKobo;
  const posted = await postWithdrawal(tx, { paymentId, reference, playerId, kobo, payerFeeKobo, rateKobo, at });
  assert(posted.ok && !posted.value.replayed, `the coins of ${paymentId} are there and could not be held`);
  assert(await savePayment(tx, payout, null), `payment ${paymentId} exists already`);
  // A larger remainder is above the maximum of one payment; the next payment takes it.
  if (remainder > 0n && isBelowOneKobo(remainder, rateKobo)) {
    await postClosingRemainder(tx, { source: paymentId, playerId, amount: remainder, rateKobo, at });
  }
  if (order.account !== null) await deleteUnconfirmedAccount(tx, order.verifiedBy, order.account);
  await permit.record(tx, payout, kobo);
  afterCommit(() => {
    notices.notify(payout, []);
    wakeDueLoop();
  });
  return ok(payout);
}
