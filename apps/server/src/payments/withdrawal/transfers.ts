import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { toTransferFee } from "@holo/kernel/provider-fee.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted } from "../../accounts/accounts.ts";
import { hasOpenings, loadDebt, loadMarkedWithdrawal, lockWallet } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { decideWait, toCheckAt, toFirstEndAt } from "../core/decide-withdrawal.ts";
import type { TransferFact, Wait, WithdrawalState } from "../core/withdrawal-state.ts";
import { foldWithdrawals, loadFacts } from "../facts/fact-store.ts";
import type { Follower } from "../facts/follower.ts";
import { isDeposit, type Payment } from "../payment.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import { toTransferFact } from "../provider/to-facts.ts";
import { CLAIM_MS, hasClaim } from "../store/claim-store.ts";
import { loadByReference, lockPaymentAndLimits, saveSlow } from "../store/payment-store.ts";
import { findWithdrawalHold } from "./money-hold.ts";
import type { PayoutGuard } from "./payout-guard.ts";
import type { Screen, Screening } from "./screening.ts";
import { isWaiting, type Withdrawal } from "./withdrawal.ts";

export interface Transfers {
  step(withdrawal: Withdrawal, claimedUntil: Instant): Promise<void>;
  /** Asks about the transfer and follows the answer; null without one. */
  follow(withdrawal: Withdrawal): Promise<Payment | null>;
  /**
   * Returns the coins of the player's waiting withdrawal. As with a final refusal, the provider
   * must not know its reference.
   */
  cancel(playerId: PlayerId, reference: string): Promise<Result<Payment, CancelRefusal>>;
}

type CancelRefusal = "unknown_payment" | "not_cancellable" | "coins_being_checked" | "provider_silent";

interface TransfersDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly follower: Follower;
  readonly payoutGuard: PayoutGuard;
  readonly isLive: boolean;
  readonly screen: Screen;
}

/** After an order. */
const FIRST_QUERY_AFTER_MS = 2 * SECOND_MS;
/** Until a hold is checked again, or staff have restored the provider's balance or access. */
const BLOCKED_RETRY_MS = 5 * MINUTE_MS;
/** When the player was told to expect the money (T+1). */
const SLOW_MS = DAY_MS;
const RATE_LIMITED_MS = 10 * SECOND_MS;
/** How long the judgement at acceptance counts. */
const SCREENED_MS = HOUR_MS;
const NARRATION = "Holo Arena withdrawal";

type TransferRefusal = "duplicate" | "no_funds" | "no_access" | "rate_limited" | "other" | "unknown";

function toTransferRefusal(refusal: ProviderRefusal): TransferRefusal {
  if (refusal.type !== "refused") return refusal.type;
  const { code, message, httpStatus } = refusal;
  const isDuplicate = code === "duplicate_transfer_reference" || /reference.*(exist|unique|duplicate)/i.test(message);
  if (isDuplicate) return "duplicate";
  if (code === "insufficient_balance" || /balance is not enough/i.test(message)) return "no_funds";
  return httpStatus === 401 || httpStatus === 403 ? "no_access" : "other";
}

export function openTransfers(deps: TransfersDeps): Transfers {
  return {
    async step(withdrawal, claimedUntil) {
      try {
        await (withdrawal.step === "held" ? send(deps, withdrawal, claimedUntil) : stepSent(deps, withdrawal));
      } finally {
        // Also where each step fails: that is no outcome either.
        await alertIfSlow(deps, withdrawal);
      }
    },
    follow: (withdrawal) => followTransfer(deps, withdrawal),
    cancel: (playerId, reference) => cancel(deps, playerId, reference),
  };
}

/** Alerts staff once; the payment itself continues, and its player reads nothing new. */
async function alertIfSlow({ database, time, follower }: TransfersDeps, { id, createdAt }: Withdrawal): Promise<void> {
  const at = time.now();
  const inProgressBefore = addMs(at, -SLOW_MS);
  if (createdAt > inProgressBefore) return;
  const slow = await saveSlow(database.kysely, id, inProgressBefore, at);
  if (slow !== null) follower.notify(slow, [], ["transfer_slow"]);
}

async function stepSent(deps: TransfersDeps, withdrawal: Withdrawal): Promise<void> {
  const fact = await askTransfer(deps, withdrawal);
  if (fact === null) await deps.follower.postpone(withdrawal);
  else await deps.follower.answer(withdrawal, fact);
}

async function followTransfer(deps: TransfersDeps, withdrawal: Withdrawal): Promise<Payment | null> {
  const fact = await askTransfer(deps, withdrawal);
  return fact && ((await deps.follower.answer(withdrawal, fact))?.payment ?? null);
}

/** What the provider says about the transfer; null without an answer. Moves nothing. */
async function askTransfer(
  { paystack }: Pick<TransfersDeps, "paystack">,
  withdrawal: Withdrawal,
): Promise<TransferFact | null> {
  const answer = await paystack.verifyTransfer(withdrawal.reference);
  return answer.ok ? toTransferFact(withdrawal, answer.value) : null;
}

/** A final refusal is believed once the provider does not know the reference either. */
async function returnRefused(deps: TransfersDeps, withdrawal: Withdrawal): Promise<void> {
  const fact = await askTransfer(deps, withdrawal);
  if (fact === null) await deps.follower.postpone(withdrawal);
  else if (fact.outcome !== "missing") await deps.follower.answer(withdrawal, fact);
  else await deps.follower.answer(withdrawal, { type: "returned", cause: "failed" });
}

async function cancel(
  deps: TransfersDeps,
  playerId: PlayerId,
  reference: string,
): Promise<Result<Payment, CancelRefusal>> {
  const payment = await loadByReference(deps.database.kysely, reference);
  if (payment === null || payment.playerId !== playerId) return refuse("unknown_payment");
  if (payment.kind !== "withdrawal" || !isWaiting(payment)) return refuse("not_cancellable");
  // They could be played away before anyone has looked.
  const { until } = await loadMarkedWithdrawal(deps.database.kysely, payment.id, deps.time.now());
  if (until !== null) return refuse("coins_being_checked");
  const fact = await askTransfer(deps, payment);
  if (fact === null) return refuse("provider_silent");
  if (fact.outcome !== "missing") return refuse("not_cancellable");
  const followed = await deps.follower.answer(payment, { type: "returned", cause: "cancelled" });
  return followed === null ? refuse("not_cancellable") : ok(followed.payment);
}

/**
 * A deleted account deposits nothing more, so its payout would wait for ever: its coins repay the
 * debt. Staff send the rest.
 */
async function cancelIndebted(deps: TransfersDeps, { playerId, reference }: Withdrawal): Promise<void> {
  const { kysely } = deps.database;
  const isIndebted = (await isAccountDeleted(kysely, playerId)) && (await loadDebt(kysely, playerId)) > 0n;
  if (isIndebted) await cancel(deps, playerId, reference);
}

/** The provider certainly did not take the order, but will once staff have acted. */
async function waitForBank(deps: TransfersDeps, withdrawal: Withdrawal, alert: string): Promise<void> {
  const fact = withdrawal.step === "sent" ? ({ type: "unsent", why: "bank" } as const) : toWait("bank");
  const isTold = withdrawal.reason?.code === "awaiting_bank";
  const nextAskAt = addMs(deps.time.now(), BLOCKED_RETRY_MS);
  await deps.follower.answer(withdrawal, fact, { nextAskAt, alerts: isTold ? [] : [alert] });
}

function toWait(why: Wait) {
  return { type: "waits", why } as const;
}

async function provideRecipient(deps: TransfersDeps, withdrawal: Withdrawal): Promise<string | null> {
  if (withdrawal.recipientCode !== null) return withdrawal.recipientCode;
  const answer = await deps.paystack.createRecipient(withdrawal.account);
  if (answer.ok) return answer.value.recipientCode;
  const refusal = toTransferRefusal(answer.refusal);
  if (refusal === "no_access") await waitForBank(deps, withdrawal, "provider_access");
  else if (refusal === "other") await returnRefused(deps, withdrawal);
  else await deps.follower.postpone(withdrawal);
  return null;
}

async function send(deps: TransfersDeps, withdrawal: Withdrawal, claimedUntil: Instant): Promise<void> {
  // Games mix coins, so any of them may come from demo accounts with a public password.
  if (deps.isLive && (await hasOpenings(deps.database.kysely)))
    return await waitForBank(deps, withdrawal, "demo_coins");
  const recipientCode = await provideRecipient(deps, withdrawal);
  if (recipientCode === null) return;
  if (withdrawal.reason?.code === "awaiting_bank" && !(await hasFunds(deps, withdrawal)))
    return await waitForBank(deps, withdrawal, "provider_balance");
  await deps.payoutGuard.check();
  const screening = await screenAgain(deps, withdrawal);
  const sent = await recordIntent(deps, withdrawal, claimedUntil, { recipientCode, screening });
  if (sent === null) return await cancelIndebted(deps, withdrawal);
  const { kobo, reference } = sent;
  const answer = await deps.paystack.transfer({ kobo, recipientCode, reference, reason: NARRATION });
  const nextAskAt = addMs(deps.time.now(), FIRST_QUERY_AFTER_MS);
  if (answer.ok) await deps.follower.answer(sent, toAccepted(answer.value.status === "otp"), { nextAskAt });
  else await recordRefused(deps, sent, toTransferRefusal(answer.refusal), nextAskAt);
}

/** What became known since it was accepted. Those that waited for a check are not checked again. */
async function screenAgain(
  { database, time, screen }: TransfersDeps,
  { id, kind, playerId, createdAt }: Withdrawal,
): Promise<Screening | null> {
  const now = time.now();
  if (kind === "revenue" || createdAt > addMs(now, -SCREENED_MS)) return null;
  const { fairAt } = foldWithdrawals(await loadFacts(database.kysely, id));
  return fairAt === null ? await screen(playerId, now) : null;
}

/** Asked before a retry, so that each does not store an order and its refusal. */
async function hasFunds({ paystack }: TransfersDeps, { kobo }: Withdrawal): Promise<boolean> {
  const balance = await paystack.loadBalance();
  return balance.ok && balance.value >= kobo + toTransferFee(kobo);
}

/** The answer only means that it was taken: the provider is asked for the outcome. */
function toAccepted(isOtp: boolean): TransferFact {
  return { type: "transfer", outcome: isOtp ? "otp" : "open", kobo: 0n, feeKobo: null, providerId: null };
}

/**
 * Stores the intent to send; null if nothing may be sent. A withdrawal waits if a hold began since.
 * A hold begins under the same lock, so none is missed.
 */
async function recordIntent(
  { database, time, follower, payoutGuard }: TransfersDeps,
  { reference, lastFact, questions }: Withdrawal,
  claimedUntil: Instant,
  { recipientCode, screening }: { readonly recipientCode: string; readonly screening: Screening | null },
): Promise<Withdrawal | null> {
  return await transact(database, async (tx, afterCommit) => {
    const locked = await lockPaymentAndLimits(tx, reference);
    if (locked === null || isDeposit(locked) || locked.step !== "held") return null;
    const isUnchanged = locked.lastFact === lastFact && locked.questions === questions;
    if (!isUnchanged || !(await hasClaim(tx, locked.id, claimedUntil))) return null;
    const at = time.now();
    const hold = locked.kind === "revenue" ? null : await findWithdrawalHold(tx, locked.playerId);
    if (screening !== null && hold === null) {
      await lockWallet(tx, locked.playerId);
      await screening(tx, afterCommit, at);
    }
    const state = foldWithdrawals(await loadFacts(tx, locked.id));
    const { until } = await loadMarkedWithdrawal(tx, locked.id, at);
    const isGuarded = await payoutGuard.isHeld(tx);
    const why = decideWait(state, { now: at, hold, isMarked: until !== null, isGuarded });
    if (why !== null) {
      const nextAskAt = toRetryAt(why, state, until, at);
      await follower.follow(tx, afterCommit, locked, [toWait(why)], { nextAskAt });
      return null;
    }
    // No one asks while the order is on its way.
    const options = { nextAskAt: addMs(at, CLAIM_MS), columns: { recipient_code: recipientCode } };
    const { payment } = await follower.follow(tx, afterCommit, locked, [{ type: "sent" }], options);
    return isDeposit(payment) ? null : payment;
  });
}

function toRetryAt(why: Wait, state: WithdrawalState, markedUntil: Instant | null, now: Instant): Instant | null {
  if (why === "first") return toFirstEndAt(state);
  return why === "fair_play" ? toCheckAt(state, markedUntil, now) : addMs(now, BLOCKED_RETRY_MS);
}

async function recordRefused(
  deps: TransfersDeps,
  sent: Withdrawal,
  refusal: TransferRefusal,
  nextAskAt: Instant,
): Promise<void> {
  const { time, follower } = deps;
  switch (refusal) {
    case "no_funds":
      return await waitForBank(deps, sent, "provider_balance");
    case "no_access":
      return await waitForBank(deps, sent, "provider_access");
    case "rate_limited":
      await follower.answer(sent, { type: "unsent", why: null }, { nextAskAt: addMs(time.now(), RATE_LIMITED_MS) });
      return;
    case "other":
      return await returnRefused(deps, sent);
    case "duplicate":
    case "unknown":
      // The transfer may be in progress: from now on the server only asks for its reference.
      await follower.answer(
        sent,
        { type: "transfer", outcome: "unanswered", kobo: 0n, feeKobo: null, providerId: null },
        { nextAskAt },
      );
      return;
  }
}
