import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { loadLots, loadWallet } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { decideWithdrawable, HOLDING_MS, type Withdrawable } from "./decide-withdrawable.ts";

/**
 * The player's balance and its withdrawable part at `now` (ruling 8). For a withdrawal, call it
 * under `lockWallet`. A player without a wallet is a fault.
 */
export async function loadWithdrawable(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<Withdrawable & { readonly balance: Coins }> {
  // The balance first: of a concurrent deposit only the lot is seen, never the coins alone.
  const wallet = await loadWallet(queries, playerId);
  const lots = await loadLots(queries, playerId, addMs(now, -HOLDING_MS));
  assert(wallet !== null, `player ${playerId} has no wallet`);
  return { balance: wallet.balance, ...decideWithdrawable(wallet.balance, lots, now) };
}
