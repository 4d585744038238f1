import { type Coins, formatCoins, type Kobo, toCoinsOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import type { FailureWords } from "../../ui/failure.tsx";
import { parseNaira } from "../../ui/money/naira-amount.ts";
import { PAYMENT_KOBO_MIN } from "../../ui/payment-limits.ts";
import { formatMoment } from "../../ui/relative-time.ts";
import { findFreeAt, type Wallet } from "./settling.ts";

/** What stands in an amount field, or what is wrong with it. What is no number is told as one that is too small (specification 5). */
export function checkAmount(
  text: string,
  tooSmall: "deposit_too_small" | "withdrawal_too_small",
): Result<Kobo, FailureWords> {
  const amount = parseNaira(text);
  if (!amount.ok) return refuse(toRefusalView(amount.refusal === "not_naira" ? tooSmall : "bad_amount"));
  return amount.value < PAYMENT_KOBO_MIN ? refuse(toRefusalView(tooSmall)) : amount;
}

/**
 * Whether a wallet has so much to give, as the server will say it too. Refusals in order: insufficient_for_withdrawal, not_settled.
 * @param now ms since 1970
 */
export function checkWithdrawal(kobo: Kobo, wallet: Wallet, now: number): Result<Coins, FailureWords> {
  const coins = toCoinsOut(kobo, wallet.rateKobo);
  if (coins > wallet.balance) return refuse(toRefusalView("insufficient_for_withdrawal"));
  if (coins > wallet.withdrawable) {
    const freeAt = findFreeAt(coins, wallet);
    const when = freeAt === null ? "within 24 hours" : formatMoment(freeAt, now);
    const have = formatCoins(wallet.withdrawable);
    return refuse({
      title: toRefusalView("not_settled").title,
      text: `Deposits and winnings can be withdrawn 24 hours after they arrive. Now you can withdraw ${have} HC; this amount ${when}.`,
    });
  }
  return ok(coins);
}
