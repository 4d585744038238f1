import type { PlayerId } from "@holo/kernel/ids.ts";
import type { PaymentReasonCode } from "@holo/protocol/payment-reasons.ts";
import { hasDispute } from "../../accounts/accounts.ts";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadWithdrawalHolds } from "./withdrawal-hold-store.ts";

/** Why nothing is paid out to a player, although their coins are withdrawable (ruling 33). */
type MoneyHold = "dispute" | "debt";

/** Why nothing is paid out to a player; `staff` does not keep them from playing. */
type WithdrawalHold = MoneyHold | "staff";

/** What the player reads about a withdrawal that was accepted before its hold. */
export const HOLD_REASONS: Readonly<Record<WithdrawalHold, PaymentReasonCode>> = {
  dispute: "awaiting_dispute",
  debt: "awaiting_debt",
  staff: "awaiting_staff",
};

/** What refuses a new withdrawal meanwhile. */
export const HOLD_REFUSALS = {
  dispute: "debts_open",
  debt: "debts_open",
  staff: "withdrawals_held",
} as const satisfies Readonly<Record<WithdrawalHold, string>>;

/** The player's hold; null for none. Under `lockLimits` or `lockWallet` none begins meanwhile. */
export async function findMoneyHold(queries: Queries, playerId: PlayerId): Promise<MoneyHold | null> {
  if (await hasDispute(queries, playerId)) return "dispute";
  return (await loadDebt(queries, playerId)) > 0n ? "debt" : null;
}

/** As `findMoneyHold`, and a hold by staff, which begins and ends under `lockLimits`. */
export async function findWithdrawalHold(queries: Queries, playerId: PlayerId): Promise<WithdrawalHold | null> {
  const hold = await findMoneyHold(queries, playerId);
  if (hold !== null) return hold;
  return (await loadWithdrawalHolds(queries, [playerId])).has(playerId) ? "staff" : null;
}
