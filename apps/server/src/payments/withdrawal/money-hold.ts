import type { PlayerId } from "@holo/kernel/ids.ts";
import { hasDispute } from "../../accounts/accounts.ts";
import { loadDebt } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadWithdrawalHolds } from "./withdrawal-hold-store.ts";

/** Why nothing is paid out to a player, although their coins are withdrawable (ruling 33). */
type MoneyHold = "dispute" | "debt";

/** `staff` does not prevent playing. */
type WithdrawalHold = MoneyHold | "staff";

export const HOLD_REFUSALS = {
  dispute: "debts_open",
  debt: "debts_open",
  staff: "withdrawals_held",
} as const satisfies Readonly<Record<WithdrawalHold, string>>;

/** Null for none. Under `lockLimits` or `lockWallet` no hold begins meanwhile. */
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
