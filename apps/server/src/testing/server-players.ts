import { randomUUID } from "node:crypto";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { addTestPlayers, type TestPlayer } from "../accounts/testing/test-players.ts";
import { openWallet, postOpening } from "../ledger/ledger.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { AUTH_SECRET } from "./server-process.ts";

/** Players with a session and wallet. `secureCookies` as a server in production reads them. */
export async function addServerPlayers(
  database: Database,
  count: number,
  coins: number,
  secureCookies = false,
): Promise<readonly TestPlayer[]> {
  const names = Array.from({ length: count }, () => `player-${randomUUID().slice(0, 8)}`);
  const players = await addTestPlayers(database, names, AUTH_SECRET, undefined, secureCookies);
  const at = toInstant(Date.now());
  await transact(database, async (tx) => {
    for (const { id } of players) {
      await openWallet(tx, id, at);
      if (coins > 0) await postOpening(tx, { playerId: id, amount: wholeCoins(coins), at });
    }
  });
  return players;
}
