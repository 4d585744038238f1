import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, subtractCoins, toCoinsIn, toCoinsOut, toKobo, toKoboOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { saveClosing } from "../../accounts/accounts.ts";
import { postClosingRemainder, type Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { loadWithdrawable } from "../withdrawal/withdrawable.ts";

export function toPayout(balance: Coins, rateKobo: number): { readonly kobo: Kobo; readonly remainder: Coins } {
  const kobo = toKoboOut(balance, rateKobo);
  return { kobo, remainder: subtractCoins(balance, toCoinsOut(kobo, rateKobo)) };
}

/**
 * Whether a remainder is only due to rounding. It can be larger above the maximum of one payment.
 */
export function isBelowOneKobo(remainder: Coins, rateKobo: number): boolean {
  return remainder < toCoinsIn(toKobo(1n), rateKobo);
}

/** Checks the payout. The caller holds the locks of limits and wallet. */
export async function checkClosing(
  tx: Tx,
  { playerId, kobo, rateKobo, now }: { playerId: PlayerId; kobo: bigint; rateKobo: number; now: Instant },
): Promise<Result<Coins, { readonly code: "not_settled_to_close" | "balance_changed" }>> {
  const { balance, withdrawable } = await loadWithdrawable(tx, playerId, now);
  if (withdrawable < balance) return refuse({ code: "not_settled_to_close" });
  const everything = toPayout(balance, rateKobo);
  if (everything.kobo !== kobo || !isBelowOneKobo(everything.remainder, rateKobo))
    return refuse({ code: "balance_changed" });
  return ok(everything.remainder);
}

export async function saveClosingAndRemainder(
  tx: Tx,
  order: { source: string; playerId: PlayerId; remainder: Coins; rateKobo: number; at: Instant },
): Promise<readonly Wallet[]> {
  const { source, playerId, remainder: amount, rateKobo, at } = order;
  await saveClosing(tx, playerId, at);
  if (amount === 0n) return [];
  return (await postClosingRemainder(tx, { source, playerId, amount, rateKobo, at })).wallets;
}
