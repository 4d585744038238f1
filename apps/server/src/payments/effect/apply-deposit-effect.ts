import { assert, assertNever } from "@holo/kernel/assert.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import { toCoinsIn, toKobo } from "@holo/kernel/money.ts";
import { postDeposit, postDepositReturn, postDepositReversal, postDepositSentBack } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { Deposit } from "../deposit/deposit.ts";
import { makeReason } from "../payment-base.ts";
import { changeTerms } from "../store/payment-store.ts";
import { type AskEffect, type DepositEffect, NOT_FOUND_MS, type SetStatusEffect, toNextAttemptAt } from "./effect.ts";
import { assertPosted, ENDED, type PostingResult, postFee, toPaymentAmount } from "./posting-result.ts";

type MovingEffect = Exclude<DepositEffect, SetStatusEffect | AskEffect>;
type EffectOf<Type extends MovingEffect["type"]> = Extract<MovingEffect, { readonly type: Type }>;

/** Posts the effect under the lock of the deposit's row and returns the row's change. */
export async function applyDepositEffect(
  tx: Tx,
  deposit: Deposit,
  effect: MovingEffect,
  at: Instant,
): Promise<PostingResult> {
  switch (effect.type) {
    case "credit":
      return await credit(tx, deposit, effect, at);
    case "take_back": {
      const { wallets } = await postDepositReversal(tx, { paymentId: deposit.id, at });
      const reason = makeReason("reversed_by_bank");
      const change = { ...ENDED, status: "reversed", money: "taken_back", reason, refundedKobo: toKobo(0n) } as const;
      return { change, wallets, alert: "deposit_reversed" };
    }
    case "restore": {
      const { wallets } = await postDepositReturn(tx, { paymentId: deposit.id, at });
      // `completedAt` is unchanged: nothing was deposited again. The due loop lists the refunds,
      // since taking the whole back forgot those of a part.
      const change = { ...ENDED, status: "completed", money: "restored", reason: null, nextAttemptAt: at } as const;
      return { change, wallets, alert: null };
    }
    case "take_part":
      return await takePart(tx, deposit, effect, at);
    case "record_refund":
      return recordRefund(deposit, effect);
    case "allocate_refund":
      return await allocateRefund(tx, deposit, effect, at);
    case "start_refund": {
      // The provider has no refund of it yet, so the due loop orders one without waiting.
      const order = { sentAt: at, notFoundSince: addMs(at, -NOT_FOUND_MS), completedAt: null, nextAttemptAt: at };
      return { change: { ...ENDED, ...order, status: "reversed", reason: effect.reason }, wallets: [], alert: null };
    }
    case "finish_refund": {
      const change = { ...ENDED, status: "reversed", reason: effect.reason, completedAt: at } as const;
      return { change, wallets: [], alert: null };
    }
    case "retry_refund":
      // The caller orders it again. If that fails, the due loop asks once more.
      return { change: { notFoundSince: null, attempts: 0, nextAttemptAt: at }, wallets: [], alert: null };
    default:
      return assertNever(effect);
  }
}

async function credit(tx: Tx, given: Deposit, effect: EffectOf<"credit">, at: Instant): Promise<PostingResult> {
  const { providerFeeKobo, paidAt, rateKobo, reason, isDisputed, isAskedAgain } = effect;
  const coins = toCoinsIn(given.kobo, rateKobo);
  const deposit = rateKobo === given.rateKobo ? given : await changeTerms(tx, given, { ...given, rateKobo, coins });
  const order = { ...toPaymentAmount(deposit), playerId: deposit.playerId, at };
  const { wallets } = assertPosted(await postDeposit(tx, order), deposit);
  await postFee(tx, deposit, providerFeeKobo, at);
  const state = isDisputed
    ? ({ status: "review", reason: makeReason("disputed") } as const)
    : ({ status: "completed", reason } as const);
  const fee = providerFeeKobo === null ? {} : { providerFeeKobo };
  // The dispute may be lost already: then the provider is polled for the reversal.
  const next = toNextAttemptAt({ kind: "deposit", attempts: 0 }, at);
  const polling = isAskedAgain ? { nextAttemptAt: at } : isDisputed ? { nextAttemptAt: next } : {};
  const change = { ...ENDED, ...polling, ...state, ...fee, money: "credited", paidAt, completedAt: at } as const;
  return { change, wallets, alert: isDisputed ? "deposit_disputed" : null };
}

function recordRefund(deposit: Deposit, effect: EffectOf<"record_refund">): PostingResult {
  const { kobo: refundedKobo, status, reason, alert } = effect;
  const isMore = deposit.type !== "credited" || refundedKobo > deposit.refundedKobo;
  // A part is recorded while the provider is polled for the reversal after a lost dispute.
  const isPolled = deposit.type === "credited" && deposit.isUnderReview && refundedKobo < deposit.kobo;
  const polling = isPolled ? { nextAttemptAt: deposit.nextAttemptAt } : {};
  return { change: { ...ENDED, ...polling, refundedKobo, status, reason }, wallets: [], alert: isMore ? alert : null };
}

/** Takes the refunded part as the player's. A lost dispute is polled for the rest. */
async function takePart(
  tx: Tx,
  deposit: Deposit,
  { refundedKobo }: EffectOf<"take_part">,
  at: Instant,
): Promise<PostingResult> {
  assert(deposit.type === "credited", `deposit ${deposit.id} is not credited`);
  const isDisputed = deposit.isUnderReview;
  const effect = { type: "allocate_refund", bearer: "player", isDisputed } as const;
  const { change, wallets } = await allocateRefund(tx, { ...deposit, refundedKobo }, effect, at);
  const alert = refundedKobo === deposit.kobo ? "deposit_reversed" : "deposit_refunded";
  return { change: { ...change, refundedKobo }, wallets, alert };
}

async function allocateRefund(
  tx: Tx,
  deposit: Deposit,
  { bearer, isDisputed }: EffectOf<"allocate_refund">,
  at: Instant,
): Promise<PostingResult> {
  assert(deposit.type === "credited", `deposit ${deposit.id} is not credited`);
  const { id: paymentId, refundedKobo, allocatedKobo } = deposit;
  const order = { paymentId, refundedKobo, allocatedKobo, bearer, at };
  const { wallets } = assertPosted(await postDepositSentBack(tx, order), deposit);
  if (isDisputed && refundedKobo < deposit.kobo) {
    return { change: { allocatedKobo: refundedKobo }, wallets, alert: null };
  }
  const isAllTaken = bearer === "player" && refundedKobo === deposit.kobo;
  const reason = bearer === "player" ? makeReason("coins_taken_back", refundedKobo) : null;
  const status = isAllTaken ? "reversed" : "completed";
  return { change: { ...ENDED, status, allocatedKobo: refundedKobo, reason }, wallets, alert: null };
}
