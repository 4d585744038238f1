import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { type Coins, type Kobo, toCoinsOut, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted, loadDeletedPlayers } from "../../accounts/accounts.ts";
import { loadWallets, lockWallet, postClosingRemainder, postWithdrawalHold } from "../../ledger/ledger.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { deleteUnconfirmedAccount, loadAccount } from "../bank-accounts/bank-account-store.ts";
import { makePayment, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { Permit } from "../review/reviews.ts";
import type { Settler } from "../settlement/settler.ts";
import { loadByCommand, savePayment } from "../store/payment-store.ts";
import { ERASED_ACCOUNT_NUMBER, type LastPayee, loadLastPayees } from "./account-deletion-store.ts";
import { isBelowOneKobo, toPayout } from "./closing-terms.ts";

/** Coins that reached the wallet of somebody after they had left for good, such as a transfer that their bank sent back. */
export interface OrphanedBalance {
  readonly playerId: PlayerId;
  readonly coins: Coins;
  /** All of it that is a whole kobo, at the rate in force: what is sent. */
  readonly kobo: Kobo;
  /** Where they were paid last; null where that is not kept. */
  readonly bankName: string | null;
}

export interface OrphanedBalanceOrder {
  /** Whose coins they are. */
  readonly playerId: PlayerId;
  readonly commandId: CommandId;
  /** What was shown to be sent. */
  readonly kobo: number;
  /** Null: where they were paid last. Else an account whose holder the provider has named to `verifiedBy`. */
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

/** What has come to people who are there no more: nobody but the house can send it on. */
export interface OrphanedBalances {
  list(): Promise<readonly OrphanedBalance[]>;
  /**
   * Sends all of it, as a withdrawal of theirs that nobody of them asked for: it is paid or comes back as every other. Whose account it went
   * to is kept by the provider's code alone. The same command gets the same payment; whoever comes second with another finds nothing left.
   * Refusals in the order of `LeftCoinsRefusal`, and before the last two what `permit` refuses.
   */
  send<Denied extends string>(
    order: OrphanedBalanceOrder,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, OrphanedBalanceRefusal | Denied>>;
}

export interface OrphanedBalancesDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Pick<Paystack, "createRecipient">;
  readonly settler: Settler;
  readonly rateKobo: () => number;
  readonly wake: () => void;
}

export function openOrphanedBalances({
  database,
  time,
  paystack,
  settler,
  rateKobo,
  wake,
}: OrphanedBalancesDeps): OrphanedBalances {
  /** The provider's code of an account that it has named; what is kept of the account ends with the payment's beginning. */
  async function provide(
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

  function make(order: OrphanedBalanceOrder, kobo: Kobo, rate: number, to: LastPayee): Payment {
    const { bankCode, bankName, recipientCode } = to;
    const at = time.now();
    return makePayment({
      kind: "withdrawal",
      playerId: order.playerId,
      commandId: order.commandId,
      kobo,
      rateKobo: rate,
      coins: toCoinsOut(kobo, rate),
      status: "processing",
      money: "held",
      account: { bankCode, bankName, accountNumber: ERASED_ACCOUNT_NUMBER, accountName: "" },
      recipientCode,
      createdAt: at,
      nextAttemptAt: at,
    });
  }

  async function sendWithin<Denied extends string>(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    order: OrphanedBalanceOrder,
    named: LastPayee | null,
    permit: Permit<Denied>,
  ): Promise<Result<Payment, OrphanedBalanceRefusal | Denied>> {
    const { playerId, commandId } = order;
    // One at a time: whoever comes second finds the wallet empty.
    const balance = (await lockWallet(tx, playerId)) ?? (0n as Coins);
    const known = await loadByCommand(tx, playerId, commandId);
    if (known !== null) return repeat(known, order);
    const rate = rateKobo();
    const { kobo, remainder } = toPayout(balance, rate);
    if (kobo === 0n || !(await isAccountDeleted(tx, playerId))) return refuse("nothing_left_behind");
    const to = named ?? (await loadLastPayees(tx, [playerId])).get(playerId) ?? null;
    const payment = to === null ? null : make(order, kobo, rate, to);
    if (payment !== null) {
      const permitted = await permit.check(tx, payment);
      if (!permitted.ok) return permitted;
    }
    if (kobo !== BigInt(order.kobo)) return refuse("figures_changed");
    if (payment === null) return refuse("no_account_kept");
    const { id: paymentId, reference, createdAt: at } = payment;
    const posted = await postWithdrawalHold(tx, { paymentId, reference, kobo, rateKobo: rate, playerId, at });
    assert(posted.ok && !posted.value.replayed, `the coins of ${paymentId} could not be held, although they are there`);
    assert(await savePayment(tx, payment, null), `payment ${paymentId} is there already`);
    // Above the most that one payment can be there is more of it, for the next.
    if (remainder > 0n && isBelowOneKobo(remainder, rate)) {
      await postClosingRemainder(tx, { source: paymentId, playerId, amount: remainder, rateKobo: rate, at });
    }
    if (order.account !== null) await deleteUnconfirmedAccount(tx, order.verifiedBy, order.account);
    await permit.record(tx, payment, kobo);
    afterCommit(() => {
      settler.notify(payment, [], null);
      wake();
    });
    return ok(payment);
  }

  return {
    async list() {
      const left = await loadDeletedPlayers(database.kysely);
      const wallets = (await loadWallets(database.kysely, left)).filter(({ balance }) => balance > 0n);
      const lastPaid = await loadLastPayees(
        database.kysely,
        wallets.map(({ playerId }) => playerId),
      );
      return wallets
        .map(({ playerId, balance }) => ({
          playerId,
          coins: balance,
          kobo: toPayout(balance, rateKobo()).kobo,
          bankName: lastPaid.get(playerId)?.bankName ?? null,
        }))
        .filter(({ kobo }) => kobo > toKobo(0n));
    },

    async send(order, permit) {
      const known = await loadByCommand(database.kysely, order.playerId, order.commandId);
      if (known !== null) return repeat(known, order);
      const named = await provide(order);
      if (!named.ok) return named;
      return await transact(database, (tx, afterCommit) => sendWithin(tx, afterCommit, order, named.value, permit));
    },
  };
}
