import { assert } from "@holo/kernel/assert.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { loadNetChanges, loadWallet } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { decideWithdrawable, HOLDING_MS, type Withdrawable } from "./decide-withdrawable.ts";

/**
 * The player's balance and what of it may be withdrawn at `now` (ruling 8). Who is about to take some of it asks in their transaction,
 * under `lockWallet`: only then does it stay true. A player without a wallet is a fault.
 */
export async function loadWithdrawable(
  queries: Queries,
  playerId: PlayerId,
  now: Instant,
): Promise<Withdrawable & { readonly balance: Coins }> {
  // First what there is: of a deposit that comes in between, the lot is seen and not the coins, never the other way round.
  const wallet = await loadWallet(queries, playerId);
  const changes = await loadNetChanges(queries, playerId, addMs(now, -HOLDING_MS));
  assert(wallet !== null, `player ${playerId} has no wallet`);
  return { balance: wallet.balance, ...decideWithdrawable(wallet.balance, changes, now) };
}
