import type { Instant } from "@holo/kernel/instant.ts";
import { isLeftToBank } from "../core/decide-deposit.ts";
import { isMissing } from "../core/decide-withdrawal.ts";
import { type DepositFact, type DepositState, toDepositResidue } from "../core/deposit-state.ts";
import { toWithdrawalResidue, type WithdrawalFact, type WithdrawalState } from "../core/withdrawal-state.ts";

const CORRECTION_ACTS = ["credit", "debit", "refund", "send_again", "write_off"] as const;
export type CorrectionAct = (typeof CORRECTION_ACTS)[number];

/** What staff may do about a payment with them, with its sum. */
export interface Correction {
  readonly act: CorrectionAct;
  readonly kobo: bigint;
}

/** An open dispute belongs to the bank: it would be paid back twice. */
export function toDepositCorrections(
  state: DepositState,
  { isAccountDeleted, now }: { readonly isAccountDeleted: boolean; readonly now: Instant },
): readonly Correction[] {
  if (state.step !== "with_staff" || state.outcome === "unreadable") return [];
  const residue = toDepositResidue(state);
  const isPayable = residue > 0n && !isLeftToBank(state, now);
  const isCreditable = isPayable && !isAccountDeleted && state.outcome !== "foreign" && state.refundStage !== "open";
  return [
    ...(isCreditable ? [{ act: "credit", kobo: residue } as const] : []),
    ...(isPayable && state.refund === null && state.refundStage !== "open"
      ? [{ act: "refund", kobo: residue } as const]
      : []),
    ...(state.keptKobo > 0n ? [{ act: "debit", kobo: state.keptKobo } as const] : []),
    ...(residue > 0n ? [{ act: "write_off", kobo: residue } as const] : []),
  ];
}

export function toWithdrawalCorrections(
  state: WithdrawalState,
  { now, orderedKobo }: { readonly now: Instant; readonly orderedKobo: bigint },
): readonly Correction[] {
  if (state.step !== "with_staff") return [];
  const residue = toWithdrawalResidue(state, orderedKobo);
  const isConclusive = residue !== null || state.outcome === "foreign";
  return [
    ...(isConclusive && !state.isBack ? [{ act: "credit", kobo: orderedKobo } as const] : []),
    ...(state.isBack && state.sentKobo > 0n ? [{ act: "debit", kobo: orderedKobo } as const] : []),
    ...(!state.isBack && isMissing(state, now) ? [{ act: "send_again", kobo: orderedKobo } as const] : []),
    ...(residue !== null && residue < 0n ? [{ act: "write_off", kobo: -residue } as const] : []),
  ];
}

export function toDepositCorrectionFact(
  { act, kobo }: Correction,
  { keptKobo }: DepositState,
  rateKobo: number | null,
): DepositFact {
  switch (act) {
    case "credit":
      return { type: "posted", keptKobo: keptKobo + kobo, rateKobo };
    case "debit":
      return { type: "posted", keptKobo: keptKobo - kobo, rateKobo: null };
    case "refund":
      return { type: "refund_sent", kobo, cause: "staff", borneFeeKobo: 0n };
    case "write_off":
      return { type: "wrote_off", kobo };
    case "send_again":
      throw new RangeError("a deposit is not sent");
  }
}

export function toWithdrawalCorrectionFact({ act, kobo }: Correction): WithdrawalFact {
  switch (act) {
    case "credit":
      return { type: "returned", cause: "staff" };
    case "debit":
      return { type: "taken" };
    case "send_again":
      return { type: "resend" };
    case "write_off":
      return { type: "wrote_off", kobo };
    case "refund":
      throw new RangeError("a withdrawal is not refunded");
  }
}
