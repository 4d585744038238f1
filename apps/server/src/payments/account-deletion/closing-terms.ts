import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, type Kobo, subtractCoins, toCoinsIn, toCoinsOut, toKobo, toKoboOut } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { savePendingDeletion } from "../../accounts/accounts.ts";
import { postClosingRemainder, type Wallet } from "../../ledger/ledger.ts";
import type { Tx } from "../../platform/database/database.ts";
import { loadWithdrawable } from "../withdrawal/withdrawable.ts";

/** All of a balance at a rate: what can be sent of it, and what is left. */
export function toPayout(balance: Coins, rateKobo: number): { readonly kobo: Kobo; readonly remainder: Coins } {
  const kobo = toKoboOut(balance, rateKobo);
  return { kobo, remainder: subtractCoins(balance, toCoinsOut(kobo, rateKobo)) };
}

/** Whether a remainder is one that can be left behind; above the most that one payment can be there is more of it. */
export function isBelowOneKobo(remainder: Coins, rateKobo: number): boolean {
  return remainder < toCoinsIn(toKobo(1n), rateKobo);
}

/** Under the locks of limits and wallet: nothing changes any more until the transaction ends. */
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

/** The last of it: what no bank can be sent goes to the rounding account, and the account is closing. */
export async function saveClosingAndRemainder(
  tx: Tx,
  order: { source: string; playerId: PlayerId; remainder: Coins; rateKobo: number; at: Instant },
): Promise<readonly Wallet[]> {
  const { source, playerId, remainder: amount, rateKobo, at } = order;
  await savePendingDeletion(tx, playerId, at);
  if (amount === 0n) return [];
  return (await postClosingRemainder(tx, { source, playerId, amount, rateKobo, at })).wallets;
}
