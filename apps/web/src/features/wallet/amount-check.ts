import { formatCoins, type Kobo, PAYMENT_KOBO_MIN, toCoinsOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toWithdrawalTerms, type WithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { NOT_NAIRA, parseNaira } from "../../shared/money/naira-amount.ts";
import type { FailureText } from "../../ui/feedback/failure-note.tsx";
import { formatFutureTime } from "../../ui/text/relative-time.ts";
import { findAvailableAt, type Wallet } from "./wallet.ts";

/** Parses an amount field. The minimum is named for numbers, and where nothing was entered. */
export function checkAmount(
  text: string,
  tooSmall: "deposit_too_small" | "withdrawal_too_small",
): Result<Kobo, FailureText> {
  const amount = parseNaira(text);
  if (!amount.ok) {
    if (amount.refusal === "negative" || text.trim() === "") return refuse(toRefusalView(tooSmall));
    const refusal = toRefusalView("bad_amount");
    return refuse(amount.refusal === "not_naira" ? { ...refusal, text: NOT_NAIRA } : refusal);
  }
  return amount.value < PAYMENT_KOBO_MIN ? refuse(toRefusalView(tooSmall)) : amount;
}

/**
 * Applies the server's rules at `now` (ms since 1970). Refusals in order:
 * insufficient_for_withdrawal, not_settled.
 */
export function checkWithdrawal(kobo: Kobo, wallet: Wallet, now: number): Result<WithdrawalTerms, FailureText> {
  const coins = toCoinsOut(kobo, wallet.rateKobo);
  if (coins > wallet.balance) return refuse(toRefusalView("insufficient_for_withdrawal"));
  if (coins > wallet.withdrawable) {
    const freeAt = findAvailableAt(coins, wallet);
    const when = freeAt === null ? "within 24 hours" : `from ${formatFutureTime(freeAt, now)}`;
    const have = formatCoins(wallet.withdrawable);
    return refuse({
      title: toRefusalView("not_settled").title,
      text: `Deposits and winnings can be withdrawn 24 hours after they arrive. You can withdraw ${have} HC now, and this amount ${when}.`,
    });
  }
  return ok(toWithdrawalTerms(kobo, wallet.rateKobo, wallet));
}
