import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, type Instant, MINUTE_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted, lockLimits } from "../../accounts/accounts.ts";
import { hasOpenings, loadDebt } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { PaymentUpdater } from "../effect/payment-updater.ts";
import { isDeposit, type Payment } from "../payment.ts";
import { isSameReason, makeReason } from "../payment-base.ts";
import type { Paystack } from "../provider/paystack.ts";
import type { ProviderRefusal } from "../provider/paystack-client.ts";
import type { TransferStatus } from "../provider/provider-status.ts";
import { saveTransferSent } from "../store/claim-store.ts";
import { changePayment, loadByReference, lockPayment, saveSlow } from "../store/payment-store.ts";
import { findWithdrawalHold, HOLD_REASONS } from "./money-hold.ts";
import type { PayoutGuard } from "./payout-guard.ts";
import { type HeldWithdrawal, isWaiting, type SentWithdrawal, type Withdrawal } from "./withdrawal.ts";

export interface Transfers {
  step(withdrawal: Withdrawal, claimedUntil: Instant): Promise<void>;
  /**
   * Returns the coins of the player's waiting withdrawal. As with a final refusal, the provider
   * must not know its reference.
   */
  cancel(playerId: PlayerId, reference: string): Promise<Result<Payment, CancelRefusal>>;
}

type CancelRefusal = "unknown_payment" | "not_cancellable" | "provider_silent";

interface TransfersDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly updater: PaymentUpdater;
  readonly payoutGuard: PayoutGuard;
  readonly isLive: boolean;
}

/** After an order. */
const FIRST_QUERY_AFTER_MS = 2 * SECOND_MS;
/** Until a hold is checked again, or staff have restored the provider's balance or access. */
const BLOCKED_RETRY_MS = 5 * MINUTE_MS;
/** When the player was told to expect the money (T+1). */
const SLOW_MS = DAY_MS;
const RATE_LIMITED_MS = 10 * SECOND_MS;
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
        await (withdrawal.type === "held" ? send(deps, withdrawal, claimedUntil) : verify(deps, withdrawal));
      } finally {
        // Also where each step fails: that is no outcome either.
        await alertIfSlow(deps, withdrawal);
      }
    },
    cancel: (playerId, reference) => cancel(deps, playerId, reference),
  };
}

/** Alerts staff once; the payment itself continues, and its player reads nothing new. */
async function alertIfSlow({ database, time, updater }: TransfersDeps, { id, createdAt }: Withdrawal): Promise<void> {
  const at = time.now();
  const inProgressBefore = addMs(at, -SLOW_MS);
  if (createdAt > inProgressBefore) return;
  const slow = await saveSlow(database.kysely, id, inProgressBefore, at);
  if (slow !== null) updater.notify(slow, [], "transfer_slow");
}

async function verify({ time, paystack, updater }: TransfersDeps, withdrawal: Withdrawal): Promise<void> {
  const { reference } = withdrawal;
  const answer = await paystack.verifyTransfer(reference);
  if (!answer.ok) return await updater.postpone(withdrawal);
  const transfer = answer.value;
  if (transfer === null && withdrawal.type === "sent" && withdrawal.notFoundSince === null) {
    const at = time.now();
    await updater.change(withdrawal, {
      notFoundSince: at,
      attempts: 0,
      nextAttemptAt: addMs(at, FIRST_QUERY_AFTER_MS),
    });
    return;
  }
  const report = { type: "transfer", transfer } as const;
  await updater.apply({ reference, report, asOfRequest: withdrawal });
}

/** The provider certainly did not accept the order, but will once staff have acted. */
async function waitForBank({ time, updater }: TransfersDeps, withdrawal: Withdrawal, alert: string): Promise<void> {
  const nextAttemptAt = addMs(time.now(), BLOCKED_RETRY_MS);
  const change = { status: "pending", reason: makeReason("awaiting_bank"), sentAt: null, nextAttemptAt } as const;
  await updater.change(withdrawal, change, alert);
}

/** A final refusal is believed once the provider does not know the reference either. */
async function returnCoins({ paystack, updater }: TransfersDeps, withdrawal: Withdrawal): Promise<void> {
  const { reference } = withdrawal;
  const answer = await paystack.verifyTransfer(reference);
  if (!answer.ok) return await updater.postpone(withdrawal);
  const transfer = answer.value;
  const report = transfer === null ? ({ type: "refused" } as const) : ({ type: "transfer", transfer } as const);
  await updater.apply({ reference, report, asOfRequest: withdrawal });
}

async function cancel(
  { database, paystack, updater }: TransfersDeps,
  playerId: PlayerId,
  reference: string,
): Promise<Result<Payment, CancelRefusal>> {
  const payment = await loadByReference(database.kysely, reference);
  if (payment === null || payment.playerId !== playerId) return refuse("unknown_payment");
  if (payment.kind !== "withdrawal" || !isWaiting(payment)) return refuse("not_cancellable");
  const answer = await paystack.verifyTransfer(reference);
  if (!answer.ok) return refuse("provider_silent");
  if (answer.value !== null) return refuse("not_cancellable");
  const applied = await updater.apply({ reference, report: { type: "cancelled" } });
  const isCancelled = applied?.effect?.type === "return_coins";
  return isCancelled ? ok(applied.payment) : refuse("not_cancellable");
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

async function provideRecipient(deps: TransfersDeps, withdrawal: HeldWithdrawal): Promise<string | null> {
  if (withdrawal.recipientCode !== null) return withdrawal.recipientCode;
  const answer = await deps.paystack.createRecipient(withdrawal.account);
  if (answer.ok) return answer.value.recipientCode;
  const refusal = toTransferRefusal(answer.refusal);
  if (refusal === "no_access") await waitForBank(deps, withdrawal, "provider_access");
  else if (refusal === "other") await returnCoins(deps, withdrawal);
  else await deps.updater.postpone(withdrawal);
  return null;
}

async function send(deps: TransfersDeps, withdrawal: HeldWithdrawal, claimedUntil: Instant): Promise<void> {
  // Games mix coins, so any of them may come from demo accounts with a public password.
  if (deps.isLive && (await hasOpenings(deps.database.kysely)))
    return await waitForBank(deps, withdrawal, "demo_coins");
  const recipientCode = await provideRecipient(deps, withdrawal);
  if (recipientCode === null) return;
  await deps.payoutGuard.check();
  const sent = await recordIntent(deps, withdrawal, claimedUntil, recipientCode);
  if (sent === null) return await cancelIndebted(deps, withdrawal);
  const { kobo, reference } = sent;
  const answer = await deps.paystack.transfer({ kobo, recipientCode, reference, reason: NARRATION });
  if (answer.ok) await recordAccepted(deps, sent, answer.value.status);
  else await recordRefused(deps, sent, toTransferRefusal(answer.refusal));
}

/**
 * Stores the intent to send; null if nothing may be sent. A withdrawal waits if a hold began since.
 * A hold begins under the same lock, so none is missed.
 */
async function recordIntent(
  { database, time, updater, payoutGuard }: TransfersDeps,
  withdrawal: HeldWithdrawal,
  claimedUntil: Instant,
  recipientCode: string,
): Promise<SentWithdrawal | null> {
  return await transact(database, async (tx, afterCommit) => {
    await lockLimits(tx, withdrawal.playerId);
    const locked = await lockPayment(tx, withdrawal.reference);
    if (locked === null || isDeposit(locked) || locked.type !== "held") return null;
    const at = time.now();
    const hold = locked.kind === "revenue" ? null : await findWithdrawalHold(tx, locked.playerId);
    const isHeld = hold !== null || (await payoutGuard.isHeld(tx));
    if (isHeld) {
      const reason = makeReason(hold === null ? "awaiting_records" : HOLD_REASONS[hold]);
      const change = { status: "pending", reason, nextAttemptAt: addMs(at, BLOCKED_RETRY_MS) } as const;
      const waiting = await changePayment(tx, locked, change, at);
      if (!isSameReason(locked.reason, reason)) afterCommit(() => updater.notify(waiting, [], null));
      return null;
    }
    const isSaved = await saveTransferSent(tx, locked.id, claimedUntil, recipientCode, at);
    return isSaved ? { ...locked, type: "sent", recipientCode, sentAt: at, notFoundSince: null } : null;
  });
}

async function recordAccepted(
  { time, updater }: TransfersDeps,
  sent: SentWithdrawal,
  status: TransferStatus,
): Promise<void> {
  const polling = { attempts: 0, nextAttemptAt: addMs(time.now(), FIRST_QUERY_AFTER_MS) };
  if (status !== "otp") {
    await updater.change(sent, { ...polling, status: "processing", reason: null });
    return;
  }
  const reason = makeReason("awaiting_confirmation");
  await updater.change(sent, { ...polling, status: "pending", reason }, "transfer_otp");
}

async function recordRefused(deps: TransfersDeps, sent: SentWithdrawal, refusal: TransferRefusal): Promise<void> {
  const { time, updater } = deps;
  switch (refusal) {
    case "no_funds":
      return await waitForBank(deps, sent, "provider_balance");
    case "no_access":
      return await waitForBank(deps, sent, "provider_access");
    case "rate_limited":
      await updater.change(sent, { sentAt: null, nextAttemptAt: addMs(time.now(), RATE_LIMITED_MS) });
      return;
    case "other":
      return await returnCoins(deps, sent);
    case "duplicate":
    case "unknown":
      // The transfer may be in progress: from now on the server only queries its reference.
      await updater.change(sent, {
        status: "processing",
        reason: makeReason("awaiting_outcome"),
        attempts: 0,
        nextAttemptAt: addMs(time.now(), FIRST_QUERY_AFTER_MS),
      });
      return;
  }
}
