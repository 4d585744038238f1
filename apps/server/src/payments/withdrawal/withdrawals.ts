import { assert } from "@holo/kernel/assert.ts";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, KOBO_MAX, type Kobo, PAYMENT_KOBO_MIN, toCoinsOut, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import { isEmailVerified, lockLimits } from "../../accounts/accounts.ts";
import { loadDebt, lockWallet, postWithdrawalHold } from "../../ledger/ledger.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { checkClosing, saveClosingAndRemainder } from "../account-deletion/closing-terms.ts";
import { confirmAccount, loadAccount, type VerifiedAccount } from "../bank-accounts/bank-account-store.ts";
import { makePayment, type Payment } from "../payment.ts";
import type { Settler } from "../settlement/settler.ts";
import { hasDispute, loadByCommand, savePayment } from "../store/payment-store.ts";
import { writeNewAccountMail } from "./new-account-mail.ts";
import { loadWithdrawable } from "./withdrawable.ts";

export interface WithdrawalForm {
  readonly playerId: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly commandId: CommandId;
  readonly kobo: number;
  readonly accountNumber: string;
  readonly bankCode: string;
  /** Asked for where money goes to this account for the first time (ruling 12), and by who closes theirs. */
  readonly password: string | null;
  /** Everything there is, however little: the account is closing with it. */
  readonly isClosing?: true;
  /** The rate that the player was shown; left out by who was shown none: the one in force. */
  readonly rateKobo?: number;
}

export type WithdrawalRefusalCode =
  | "command_id_reused"
  | "withdrawal_too_small"
  | "bad_amount"
  | "rate_changed"
  | "insufficient_for_withdrawal"
  | "not_settled"
  | "account_not_verified"
  | "email_unverified"
  | "password_required"
  | "password_required_to_close"
  | "too_many_requests"
  | "wrong_password"
  | "game_to_finish"
  | "debts_open"
  | "not_settled_to_close"
  | "balance_changed";

export interface WithdrawalRefusal {
  readonly code: WithdrawalRefusalCode;
  readonly figures?: RefusalFigures;
}

export interface Withdrawals {
  /**
   * Takes the coins and writes the payment, both or neither; what follows is the due loop's. The same command gets the same payment.
   * Refusals in the order of `WithdrawalRefusalCode`; `not_settled` says what may be withdrawn and what becomes free next. Who closes
   * their account is not held to the least amount, but to all there is, with no game open; see `Closings`.
   */
  withdraw(form: WithdrawalForm): Promise<Result<Payment, WithdrawalRefusal>>;
}

export interface WithdrawalsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly settler: Settler;
  readonly rateKobo: () => number;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  /** Whether this is the player's password; guesses are counted. */
  readonly checkPassword: (playerId: PlayerId, password: string) => Promise<Result<boolean, "too_many_requests">>;
  /** Whether the player waits or plays at a table. */
  readonly hasOpenGame: (queries: Queries, playerId: PlayerId) => Promise<boolean>;
  /** Something is due at once. */
  readonly wake: () => void;
}

export function openWithdrawals(options: WithdrawalsDeps): Withdrawals {
  const { database, time, settler } = options;

  /** What the player has may have changed a moment later: asked once for the answer's sake, and again under the wallet's lock. */
  async function checkCoins(
    queries: Queries,
    playerId: PlayerId,
    coins: Coins,
  ): Promise<Result<null, WithdrawalRefusal>> {
    const now = time.now();
    const { balance, withdrawable, frees } = await loadWithdrawable(queries, playerId, now);
    if (coins > balance) return refuse({ code: "insufficient_for_withdrawal" });
    if (coins <= withdrawable) return ok(null);
    const [next] = frees;
    const figures = {
      have: withdrawable,
      ...(next === undefined ? {} : { need: next.coins, hours: Math.max(1, Math.ceil((next.at - now) / HOUR_MS)) }),
    };
    return refuse({ code: "not_settled", figures });
  }

  async function checkDebts(queries: Queries, playerId: PlayerId): Promise<Result<null, WithdrawalRefusal>> {
    const isBlocked = (await loadDebt(queries, playerId)) > 0n || (await hasDispute(queries, playerId));
    return isBlocked ? refuse({ code: "debts_open" }) : ok(null);
  }

  async function checkPayee(form: WithdrawalForm): Promise<Result<VerifiedAccount, WithdrawalRefusal>> {
    const { playerId, password } = form;
    const account = await loadAccount(database.kysely, playerId, form);
    if (account === null) return refuse({ code: "account_not_verified" });
    if (!(await isEmailVerified(database.kysely, playerId))) return refuse({ code: "email_unverified" });
    if (account.confirmedAt !== null && form.isClosing !== true) return ok(account);
    if (password === null || password === "") {
      return refuse({ code: form.isClosing ? "password_required_to_close" : "password_required" });
    }
    const checked = await options.checkPassword(playerId, password);
    if (!checked.ok) return refuse({ code: checked.refusal });
    return checked.value ? ok(account) : refuse({ code: "wrong_password" });
  }

  function repeat(
    known: Payment,
    { kobo, accountNumber, bankCode }: WithdrawalForm,
  ): Result<Payment, WithdrawalRefusal> {
    const { account } = known;
    const isSame =
      known.kind === "withdrawal" &&
      known.kobo === BigInt(kobo) &&
      account?.accountNumber === accountNumber &&
      account.bankCode === bankCode;
    return isSame ? ok(known) : refuse({ code: "command_id_reused" });
  }

  async function hold(
    tx: Tx,
    afterCommit: (effect: () => void) => void,
    form: WithdrawalForm,
    payment: Payment,
    account: VerifiedAccount,
  ): Promise<Result<Payment, WithdrawalRefusal>> {
    const { playerId, commandId, isClosing } = form;
    // Nobody sits down at a table while somebody closes, and who did is seen.
    if (isClosing) await lockLimits(tx, playerId);
    await lockWallet(tx, playerId);
    const known = await loadByCommand(tx, playerId, commandId);
    if (known !== null) return repeat(known, form);
    if (isClosing && (await options.hasOpenGame(tx, playerId))) return refuse({ code: "game_to_finish" });
    const [coins, debts] = [await checkCoins(tx, playerId, payment.coins), await checkDebts(tx, playerId)];
    if (!coins.ok) return coins;
    if (!debts.ok) return debts;
    const at = payment.createdAt;
    const left = isClosing
      ? await checkClosing(tx, { playerId, kobo: payment.kobo, rateKobo: payment.rateKobo, now: at })
      : ok(null);
    if (!left.ok) return left;
    if (await confirmAccount(tx, playerId, account, at)) {
      await options.queueMail(tx, writeNewAccountMail({ ...form, account, publicUrl: options.publicUrl, at }));
    }
    const { id: paymentId, reference, kobo, rateKobo } = payment;
    const posted = await postWithdrawalHold(tx, { paymentId, reference, kobo, rateKobo, playerId, at });
    assert(posted.ok && !posted.value.replayed, `the coins of ${paymentId} could not be held, although they are there`);
    assert(await savePayment(tx, payment, null), `payment ${paymentId} is there already`);
    const remainder = left.value;
    const last =
      remainder === null
        ? []
        : await saveClosingAndRemainder(tx, { source: paymentId, playerId, remainder, rateKobo, at });
    afterCommit(() => {
      settler.notify(payment, [...posted.value.wallets, ...last], null);
      options.wake();
    });
    return ok(payment);
  }

  return {
    async withdraw(form) {
      const { playerId, commandId } = form;
      const known = await loadByCommand(database.kysely, playerId, commandId);
      if (known !== null) return repeat(known, form);
      const kobo = BigInt(form.kobo);
      if (kobo < PAYMENT_KOBO_MIN && !form.isClosing) return refuse({ code: "withdrawal_too_small" });
      if (kobo <= 0n || kobo > KOBO_MAX) return refuse({ code: "bad_amount" });
      const rateKobo = options.rateKobo();
      if ((form.rateKobo ?? rateKobo) !== rateKobo) return refuse({ code: "rate_changed" });
      const coins = await checkCoins(database.kysely, playerId, toCoinsOut(toKobo(kobo), rateKobo));
      if (!coins.ok) return coins;
      const payee = await checkPayee(form);
      if (!payee.ok) return payee;
      const payment = makeWithdrawal({ playerId, commandId, account: payee.value }, toKobo(kobo), rateKobo, time.now());
      return await transact(database, (tx, afterCommit) => hold(tx, afterCommit, form, payment, payee.value));
    },
  };
}

function makeWithdrawal(
  {
    playerId,
    commandId,
    account,
  }: Pick<WithdrawalForm, "playerId" | "commandId"> & { readonly account: VerifiedAccount },
  kobo: Kobo,
  rateKobo: number,
  at: Instant,
): Payment {
  const { bankCode, bankName, accountNumber, accountName } = account;
  return makePayment({
    kind: "withdrawal",
    playerId,
    commandId,
    kobo,
    rateKobo,
    coins: toCoinsOut(kobo, rateKobo),
    status: "processing",
    money: "held",
    account: { bankCode, bankName, accountNumber, accountName },
    createdAt: at,
    nextAttemptAt: at,
  });
}
