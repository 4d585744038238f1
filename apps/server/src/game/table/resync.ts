import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/game/games.ts";
import { loadWallets } from "../../ledger/ledger.ts";
import type { Queries } from "../../platform/database/database.ts";
import { loadOpenGames } from "../log/seat-store.ts";
import type { Broadcast } from "./broadcast.ts";
import type { Tables } from "./tables.ts";

export interface Resync {
  /**
   * Messages of other servers were missed: sends these players what they may lack. True if it sent
   * anything: a push of another server may have a lower number, so it must run again.
   */
  resync(playerIds: readonly PlayerId[]): Promise<boolean>;
}

const PLAYERS_AT_ONCE = 1_000;

export function openResync(queries: Queries, tables: Tables, broadcast: Broadcast): Resync {
  /** What was sent at the last resync, so that the next one sends changes only. */
  let pushed = new Map<PlayerId, string>();

  async function resyncPlayers(playerIds: readonly PlayerId[]): Promise<boolean> {
    let hasPushed = false;
    const sent = new Map<PlayerId, string>();
    for (let from = 0; from < playerIds.length; from += PLAYERS_AT_ONCE) {
      const part = playerIds.slice(from, from + PLAYERS_AT_ONCE);
      const [wallets, openGames] = await Promise.all([loadWallets(queries, part), loadOpenGames(queries, part)]);
      const walletOf = new Map(wallets.map((wallet) => [wallet.playerId, wallet]));
      for (const playerId of part) {
        const wallet = walletOf.get(playerId);
        const openGame: OpenGameView | null = openGames.get(playerId) ?? null;
        const value = `${wallet?.sequence} ${openGame?.gameId} ${openGame?.status}`;
        sent.set(playerId, value);
        if (pushed.get(playerId) === value) continue;
        hasPushed = true;
        if (wallet !== undefined) broadcast.sendWallets([wallet], false);
        broadcast.sendOpenGame(playerId, openGame, false);
      }
    }
    pushed = sent;
    return hasPushed;
  }

  return {
    async resync(playerIds) {
      const [hasPushed] = await Promise.all([resyncPlayers(playerIds), tables.recheckWaiting()]);
      return hasPushed;
    },
  };
}
