import { assertNever } from "@holo/kernel/assert.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { postLateReversal, postLateSuccess, postWithdrawalPaid, postWithdrawalReturn } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { makeReason } from "../payment-base.ts";
import type { Withdrawal } from "../withdrawal/withdrawal.ts";
import type { AskEffect, SetStatusEffect, WithdrawalEffect } from "./effect.ts";
import { assertPosted, ENDED, type PostingResult, postFee } from "./posting-result.ts";

type MovingEffect = Exclude<WithdrawalEffect, SetStatusEffect | AskEffect>;

/** Posts the effect under the lock of the withdrawal's row and returns the row's change. */
export async function applyWithdrawalEffect(
  tx: Tx,
  withdrawal: Withdrawal,
  effect: MovingEffect,
  at: Instant,
): Promise<PostingResult> {
  const order = { paymentId: withdrawal.id, at };
  switch (effect.type) {
    case "pay": {
      const { providerFeeKobo, sentKobo } = effect;
      const sent = sentKobo === undefined ? {} : { sentKobo };
      const { wallets } = assertPosted(await postWithdrawalPaid(tx, { ...order, ...sent }), withdrawal);
      const fee = await postFee(tx, withdrawal, providerFeeKobo, at);
      const change = { ...ENDED, ...fee, ...sent, status: "completed", money: "paid", reason: null } as const;
      return { change: { ...change, completedAt: at }, wallets, alert: null };
    }
    case "bear_sent": {
      const { providerFeeKobo, sentKobo } = effect;
      const { wallets } = assertPosted(await postWithdrawalReturn(tx, order), withdrawal);
      assertPosted(await postLateSuccess(tx, { ...order, sentKobo }), withdrawal);
      const fee = await postFee(tx, withdrawal, providerFeeKobo, at);
      const reason = makeReason("paid_less", sentKobo);
      const change = { ...ENDED, ...fee, sentKobo, status: "completed", money: "lost", reason } as const;
      return { change: { ...change, completedAt: at }, wallets, alert: null };
    }
    case "return_coins": {
      const { wallets } = assertPosted(await postWithdrawalReturn(tx, order), withdrawal);
      const { status, reason } = effect;
      return { change: { ...ENDED, status, money: "returned", reason, completedAt: at }, wallets, alert: null };
    }
    case "return_late": {
      const { wallets } = assertPosted(await postLateReversal(tx, order), withdrawal);
      const change = { ...ENDED, status: "reversed", money: "returned", reason: effect.reason } as const;
      return { change, wallets, alert: "transfer_reversed" };
    }
    case "record_loss": {
      const { sentKobo = withdrawal.sentKobo } = effect;
      const posted = await postLateSuccess(tx, { ...order, sentKobo });
      const state = { ...ENDED, status: "review", reason: makeReason("under_review") } as const;
      // Only staff decide about a loss that came back once and is reported as arrived.
      const isLost = posted.ok && !posted.value.replayed;
      const sent = sentKobo === null ? {} : { sentKobo };
      const change = isLost ? ({ ...state, ...sent, money: "lost" } as const) : state;
      return { change, wallets: [], alert: "transfer_after_return" };
    }
    case "send_again": {
      const change = {
        status: "processing",
        sentAt: null,
        notFoundSince: null,
        attempts: 0,
        nextAttemptAt: at,
      } as const;
      return { change, wallets: [], alert: null };
    }
    default:
      return assertNever(effect);
  }
}
