import type { PlayerId } from "@holo/kernel/ids.ts";
import type { PaymentReasonCode } from "@holo/protocol/payment-reasons.ts";
import { hasDispute } from "../../accounts/accounts.ts";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";

/** Why nothing is paid out to a player, although their coins are withdrawable (ruling 33). */
export type MoneyHold = "dispute" | "debt";

/** What the player reads about a withdrawal that was accepted before its hold. */
export const HOLD_REASONS: Readonly<Record<MoneyHold, PaymentReasonCode>> = {
  dispute: "awaiting_dispute",
  debt: "awaiting_debt",
};

/** The player's hold; null for none. Under `lockLimits` or `lockWallet` none begins meanwhile. */
export async function findMoneyHold(queries: Queries, playerId: PlayerId): Promise<MoneyHold | null> {
  if (await hasDispute(queries, playerId)) return "dispute";
  return (await loadDebt(queries, playerId)) > 0n ? "debt" : null;
}
