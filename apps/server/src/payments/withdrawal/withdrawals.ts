import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, KOBO_MAX, type Kobo, PAYMENT_KOBO_MIN, toCoinsOut, toKobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toWithdrawalTerms, type WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import type { RefusalFigures } from "@holo/protocol/refusals/refusals.ts";
import { type Accounts, isEmailVerified, type LockConfirmed, lockLimits } from "../../accounts/accounts.ts";
import { loadUnplayed, lockWallet } from "../../ledger/ledger.ts";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { checkClosing, saveClosingAndRemainder } from "../account-deletion/closing-terms.ts";
import { confirmAccount, loadAccount, type VerifiedAccount } from "../bank-accounts/bank-account-store.ts";
import type { Follower } from "../facts/follower.ts";
import type { Payment } from "../payment.ts";
import type { BankAccount } from "../payment-base.ts";
import { loadByCommand, loadPartKobo, loadWithdrawalsSince, saveDayLimit } from "../store/payment-store.ts";
import { acceptParts } from "./accept-withdrawal.ts";
import { findWithdrawalHold, HOLD_REFUSALS } from "./money-hold.ts";
import { toNewAccountMail } from "./new-account-mail.ts";
import type { Screen, Screening } from "./screening.ts";
import { loadWithdrawable } from "./withdrawable.ts";
import { isSameOrder, toBankAccount } from "./withdrawal.ts";

type AfterCommit = Parameters<Screening>[1];

export interface WithdrawalForm {
  readonly playerId: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly commandId: CommandId;
  readonly kobo: number;
  /** The provider's fees that the player was shown (ruling 37). */
  readonly feeKobo: number;
  readonly accountNumber: string;
  readonly bankCode: string;
  /** Required for the first withdrawal to an account (ruling 12) and for closing. */
  readonly password: string | null;
  /** The exchange rate that the player was shown. Absent for a closing: the current one. */
  readonly rateKobo?: number;
}

type WithdrawalRefusalCode =
  | "command_id_reused"
  | "withdrawal_too_small"
  | "bad_amount"
  | "rate_changed"
  | "insufficient_for_withdrawal"
  | "not_settled"
  | "account_not_verified"
  | "email_unverified"
  | "password_required"
  | "too_many_requests"
  | "wrong_password"
  | "debts_open"
  | "withdrawals_held"
  | "withdrawals_used"
  | "withdrawal_fee_changed";

/** What only closing an account is refused with. */
export type ClosingRefusalCode =
  | "password_required_to_close"
  | "game_to_finish"
  | "not_settled_to_close"
  | "balance_changed";

export interface WithdrawalRefusal<Extra extends ClosingRefusalCode = never> {
  readonly code: WithdrawalRefusalCode | Extra;
  readonly figures?: RefusalFigures;
}

export interface Withdrawals {
  /**
   * Holds the coins and writes the payment in one transaction; the due loop sends it later. The
   * same command gets the same payment. `not_settled` states what is withdrawable now and next.
   */
  withdraw(form: WithdrawalForm): Promise<Result<Payment, WithdrawalRefusal>>;
  /** Withdraws the whole balance, without a minimum, and closes the account with it. */
  withdrawToClose(form: WithdrawalForm): Promise<Result<Payment, WithdrawalRefusal<ClosingRefusalCode>>>;
}

export interface WithdrawalsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly follower: Follower;
  readonly rateKobo: () => number;
  /** Per 24 hours (ruling 37). Closing the account is always possible. */
  readonly withdrawalsPerDay: () => number;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly recordTrace: Accounts["recordTrace"];
  readonly confirmPassword: Accounts["confirmPassword"];
  readonly hasOpenGame: (queries: Queries, playerId: PlayerId) => Promise<boolean>;
  readonly screen: Screen;
  readonly wakeDueLoop: () => void;
}

/** The checks that closing the account adds to a withdrawal. Without them `Extra` is `never`. */
interface ClosingChecks<Extra extends ClosingRefusalCode> {
  readonly passwordMissing: Extra;
  findOpenGame(tx: Tx, playerId: PlayerId): Promise<Extra | null>;
  /** Returns the coins that remain because they are worth less than a kobo. */
  checkBalance(tx: Tx, order: Parameters<typeof checkClosing>[1]): Promise<Result<Coins, { readonly code: Extra }>>;
}

export function openWithdrawals(deps: WithdrawalsDeps): Withdrawals {
  const closing: ClosingChecks<ClosingRefusalCode> = {
    passwordMissing: "password_required_to_close",
    findOpenGame: async (tx, playerId) => ((await deps.hasOpenGame(tx, playerId)) ? "game_to_finish" : null),
    checkBalance: checkClosing,
  };
  return {
    withdraw: (form) => withdraw<never>(deps, form, null),
    withdrawToClose: (form) => withdraw(deps, form, closing),
  };
}

async function withdraw<Extra extends ClosingRefusalCode>(
  deps: WithdrawalsDeps,
  form: WithdrawalForm,
  closing: ClosingChecks<Extra> | null,
): Promise<Result<Payment, WithdrawalRefusal<Extra>>> {
  const { database } = deps;
  const { playerId, commandId } = form;
  const known = await loadByCommand(database.kysely, playerId, commandId);
  if (known !== null) return await repeat(database.kysely, known, form);
  const asked = BigInt(form.kobo);
  if (asked < PAYMENT_KOBO_MIN && closing === null) return refuse({ code: "withdrawal_too_small" });
  if (asked <= 0n || asked > KOBO_MAX) return refuse({ code: "bad_amount" });
  const [kobo, rateKobo] = [toKobo(asked), deps.rateKobo()];
  if ((form.rateKobo ?? rateKobo) !== rateKobo) return refuse({ code: "rate_changed" });
  const order = { playerId, asked: kobo, rateKobo };
  // Checked again under the wallet's lock.
  const covered = await checkCoins(database.kysely, deps, order);
  if (!covered.ok) return covered;
  const payee = await checkPayee(deps, form, closing);
  if (!payee.ok) return payee;
  const { lockConfirmed } = payee.value;
  const account = toBankAccount(payee.value.account);
  const screening = await deps.screen(playerId, deps.time.now());
  return await transact(database, (tx, afterCommit) =>
    hold(tx, afterCommit, deps, form, { ...order, account, lockConfirmed, screening }, closing),
  );
}

interface AskedAmount {
  readonly playerId: PlayerId;
  readonly asked: Kobo;
  readonly rateKobo: number;
}

async function checkCoins(
  queries: Queries,
  { time }: WithdrawalsDeps,
  { playerId, asked, rateKobo }: AskedAmount,
): Promise<Result<Coins, WithdrawalRefusal>> {
  const now = time.now();
  const { balance, withdrawable, frees } = await loadWithdrawable(queries, playerId, now);
  const coins = toCoinsOut(asked, rateKobo);
  if (coins > balance) return refuse({ code: "insufficient_for_withdrawal" });
  if (coins <= withdrawable) return ok(balance);
  const [next] = frees;
  const figures = {
    have: withdrawable,
    ...(next === undefined ? {} : { need: next.coins, hours: Math.max(1, Math.ceil((next.at - now) / HOUR_MS)) }),
  };
  return refuse({ code: "not_settled", figures });
}

/** Each withdrawal costs the platform a fee, so their number is bounded (ruling 37). */
async function checkCount(
  tx: Tx,
  { withdrawalsPerDay }: WithdrawalsDeps,
  playerId: PlayerId,
  now: Instant,
): Promise<Result<null, { readonly code: "withdrawals_used"; readonly figures: RefusalFigures }>> {
  const count = withdrawalsPerDay();
  const made = await loadWithdrawalsSince(tx, playerId, addMs(now, -DAY_MS));
  if (made.length < count) return ok(null);
  // The oldest of the counted ones makes room first.
  const freeAt = addMs(made[made.length - count]!, DAY_MS);
  const hours = Math.max(1, Math.ceil((freeAt - now) / HOUR_MS));
  return refuse({ code: "withdrawals_used", figures: { count, hours } });
}

interface Payee {
  readonly account: VerifiedAccount;
  /** Null: the account was paid before, so no password was needed. */
  readonly lockConfirmed: LockConfirmed | null;
}

async function checkPayee<Extra extends ClosingRefusalCode>(
  { database, confirmPassword }: WithdrawalsDeps,
  form: WithdrawalForm,
  closing: ClosingChecks<Extra> | null,
): Promise<Result<Payee, WithdrawalRefusal<Extra>>> {
  const { playerId, password } = form;
  const account = await loadAccount(database.kysely, playerId, form);
  if (account === null) return refuse({ code: "account_not_verified" });
  if (!(await isEmailVerified(database.kysely, playerId))) return refuse({ code: "email_unverified" });
  if (account.confirmedAt !== null && closing === null) return ok({ account, lockConfirmed: null });
  if (password === null || password === "") return refuse({ code: closing?.passwordMissing ?? "password_required" });
  const confirmed = await confirmPassword(playerId, password);
  return confirmed.ok ? ok({ account, lockConfirmed: confirmed.value }) : refuse({ code: confirmed.refusal });
}

async function repeat(
  queries: Queries,
  known: Payment,
  form: WithdrawalForm,
): Promise<Result<Payment, WithdrawalRefusal>> {
  const partKobo = await loadPartKobo(queries, known.id);
  const isSame = known.kind === "withdrawal" && isSameOrder(known, form, partKobo);
  return isSame ? ok(known) : refuse({ code: "command_id_reused" });
}

/** The terms under the wallet's lock, which must be those that the player was shown (ruling 37). */
async function decideTerms(
  tx: Tx,
  { playerId, asked, rateKobo }: AskedAmount,
  balance: Coins,
  { feeKobo: shownFeeKobo }: WithdrawalForm,
): Promise<Result<WithdrawalTerms, { readonly code: "withdrawal_fee_changed" }>> {
  const unplayed = await loadUnplayed(tx, playerId, balance);
  const terms = toWithdrawalTerms(asked, rateKobo, { balance, unplayed });
  return terms.feeKobo === BigInt(shownFeeKobo) ? ok(terms) : refuse({ code: "withdrawal_fee_changed" });
}

type AcceptedOrder = AskedAmount & {
  readonly account: BankAccount;
  readonly lockConfirmed: LockConfirmed | null;
  readonly screening: Screening | null;
};

/** Takes the coins under the wallet's lock, and closes the account with them if requested. */
async function hold<Extra extends ClosingRefusalCode>(
  tx: Tx,
  afterCommit: AfterCommit,
  deps: WithdrawalsDeps,
  form: WithdrawalForm,
  order: AcceptedOrder,
  closing: ClosingChecks<Extra> | null,
): Promise<Result<Payment, WithdrawalRefusal<Extra>>> {
  const { playerId, commandId } = form;
  const { asked, rateKobo, account, lockConfirmed, screening } = order;
  // Taking a seat takes the same lock: no open game and no shared bank account is missed.
  await lockLimits(tx, playerId);
  const known = await loadByCommand(tx, playerId, commandId);
  if (known !== null) return await repeat(tx, known, form);
  if (lockConfirmed !== null && !(await lockConfirmed(tx))) return refuse({ code: "wrong_password" });
  await lockWallet(tx, playerId);
  const openGame = (await closing?.findOpenGame(tx, playerId)) ?? null;
  if (openGame !== null) return refuse({ code: openGame });
  const covered = await checkCoins(tx, deps, order);
  if (!covered.ok) return covered;
  const at = deps.time.now();
  const held = await findWithdrawalHold(tx, playerId);
  if (held !== null) return refuse({ code: HOLD_REFUSALS[held] });
  const counted = closing === null ? await checkCount(tx, deps, playerId, at) : ok(null);
  if (!counted.ok) return counted;
  const emptying =
    closing === null ? ok(null) : await closing.checkBalance(tx, { playerId, kobo: asked, rateKobo, now: at });
  if (!emptying.ok) return emptying;
  const terms = await decideTerms(tx, order, covered.value, form);
  if (!terms.ok) return terms;
  await deps.recordTrace(tx, playerId, "bank_account", `${account.bankCode} ${account.accountNumber}`, at);
  if (await confirmAccount(tx, playerId, account, at)) {
    await deps.queueMail(tx, toNewAccountMail({ ...form, playerId, account, publicUrl: deps.publicUrl, at }));
  }
  await screening?.(tx, afterCommit, at);
  const accepted = { order: { ...order, commandId }, terms: terms.value, at };
  const parts = await acceptParts(tx, afterCommit, deps.follower, accepted);
  const { payment } = parts[0]!;
  if (closing === null) await saveDayLimit(tx, payment.id, deps.withdrawalsPerDay());
  const remainder = emptying.value;
  const emptied =
    remainder === null
      ? []
      : await saveClosingAndRemainder(tx, { source: payment.id, playerId, remainder, rateKobo, at });
  afterCommit(() => {
    for (const part of parts) deps.follower.notify(part.payment, part.wallets);
    deps.follower.sendWallets(emptied);
    deps.wakeDueLoop();
  });
  return ok(payment);
}
