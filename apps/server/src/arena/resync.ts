import type { PlayerId } from "@holo/kernel/ids.ts";
import type { OpenGameView } from "@holo/protocol/game/games.ts";
import { loadActiveIds, loadGames, loadWaiting } from "../game/log/game-store.ts";
import type { Broadcast } from "../game/table/broadcast.ts";
import type { LoadPlayers } from "../game/table/table-content.ts";
import type { Tables } from "../game/table/tables.ts";
import { loadWallets } from "../ledger/ledger.ts";
import type { LiveStats } from "../lobby/live-stats.ts";
import type { Lobby } from "../lobby/lobby.ts";
import type { LobbyFeed } from "../lobby/lobby-feed.ts";
import { toMatchView } from "../lobby/match-view.ts";
import type { OnlinePlayers } from "../lobby/online-players.ts";
import { loadOpenGames } from "../match/seat-store.ts";
import type { Queries } from "../platform/database/database.ts";

export interface Resync {
  /**
   * Messages of other servers were missed: refreshes what was pushed to players. True if it pushed
   * anything: a push of another server may have a lower number, so it must run again.
   */
  resync(): Promise<boolean>;
}

interface ResyncDeps {
  readonly queries: Queries;
  readonly tables: Tables;
  readonly lobby: Lobby;
  readonly feed: LobbyFeed;
  readonly stats: LiveStats;
  readonly online: OnlinePlayers;
  readonly broadcast: Broadcast;
  readonly loadPlayers: LoadPlayers;
}

const PLAYERS_AT_ONCE = 1_000;

export function openResync(deps: ResyncDeps): Resync {
  const { queries, tables, lobby, feed, stats, online, broadcast, loadPlayers } = deps;
  /** What was sent at the last resync, so that the next one sends changes only. */
  let pushed = new Map<PlayerId, string>();

  async function resyncLobby(): Promise<void> {
    const [waiting] = await Promise.all([loadWaiting(queries), stats.reloadPlaying(() => loadActiveIds(queries))]);
    const ids = new Set(waiting.map(({ id }) => id));
    const known = [...lobby.waiting.values()];
    const gone = await loadGames(
      queries,
      known.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    );
    const knownIds = new Set(known.map(({ id }) => id));
    const changed = [...gone, ...waiting.filter(({ id }) => !knownIds.has(id))];
    const players = await loadPlayers([
      ...new Set(changed.flatMap((row) => [row.player1_id, ...(row.player2_id === null ? [] : [row.player2_id])])),
    ]);
    for (const row of changed) lobby.update(toMatchView(row, players), false);
    await feed.refresh();
  }

  async function resyncPlayers(): Promise<boolean> {
    let hasPushed = false;
    const here = online.listConnected();
    const sent = new Map<PlayerId, string>();
    for (let from = 0; from < here.length; from += PLAYERS_AT_ONCE) {
      const part = here.slice(from, from + PLAYERS_AT_ONCE);
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
    async resync() {
      const [hasPushed] = await Promise.all([resyncPlayers(), resyncLobby(), tables.recheckWaiting()]);
      return hasPushed;
    },
  };
}
