import type { Instant } from "@holo/kernel/instant.ts";
import { toKobo } from "@holo/kernel/money.ts";
import { toWithdrawalPosition } from "../../ledger/ledger.ts";
import { toNextAskAt } from "../core/schedule.ts";
import { toWithdrawalStanding } from "../core/standing.ts";
import type { WithdrawalState } from "../core/withdrawal-state.ts";
import type { Withdrawal } from "../withdrawal/withdrawal.ts";
import type { Outcome } from "./outcome.ts";

/** With growing pauses more than ten minutes. */
const DOUBTED_ATTEMPTS = 9;

/** What the withdrawal's row, its player and the ledger get from its state. */
export function toWithdrawalOutcome(
  withdrawal: Withdrawal,
  state: WithdrawalState,
  { now, attempts }: { readonly now: Instant; readonly attempts: number },
): Outcome {
  const { kind, playerId, kobo, payerFeeKobo, rateKobo } = withdrawal;
  const isOver = state.step === "paid" || state.step === "returned";
  // Something wanted it asked, and this one answer may be wrong.
  const isDoubted = state.outcome === "missing" && attempts < DOUBTED_ATTEMPTS;
  const isSending = state.step === "held" && state.wait === null;
  const sentKobo = toKobo(state.sentKobo);
  const order = { playerId: kind === "revenue" ? null : playerId, kobo, payerFeeKobo, rateKobo };
  return {
    standing: toWithdrawalStanding(state),
    nextAskAt: isSending ? now : isOver && !isDoubted ? null : toNextAskAt({ kind, attempts }, now),
    columns: {
      step: state.step,
      is_back: state.isBack,
      sent_kobo: state.sentKobo,
      sent_at: state.sentAt,
      written_off_kobo: state.writtenOffKobo,
    },
    isDeposit: false,
    isOver,
    position: toWithdrawalPosition({ ...order, isBack: state.isBack, sentKobo }),
    details: {
      kobo: Number(kobo),
      rateKobo,
      ...(sentKobo === 0n || sentKobo === kobo ? {} : { sentKobo: Number(sentKobo) }),
    },
    feeKobo: state.sentKobo > 0n ? state.feeKobo : null,
    isHolding: [false, false],
    isContested: [false, false],
    refundKobo: null,
  };
}
