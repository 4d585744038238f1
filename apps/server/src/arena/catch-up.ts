import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { OpenGameView } from "@holo/protocol/arena/games.ts";
import { loadWallets } from "../ledger/ledger.ts";
import type { Queries } from "../platform/database/database.ts";
import type { Servers } from "../platform/servers/servers.ts";
import type { Time } from "../platform/time/time.ts";
import type { Chat } from "./chat/chat.ts";
import type { LiveStats } from "./lobby/live-stats.ts";
import type { Lobby } from "./lobby/lobby.ts";
import type { LobbyFeed } from "./lobby/lobby-feed.ts";
import { toMatchView } from "./lobby/match-view.ts";
import type { OnlinePlayers } from "./lobby/online-players.ts";
import { loadActiveIds, loadGames, loadWaiting } from "./log/game-store.ts";
import { loadOpenGames } from "./matchmaking/seat-store.ts";
import type { Broadcast } from "./table/broadcast.ts";
import { loadCommonSilence, loadOutages, type StoredOutage } from "./table/outage-store.ts";
import type { TableRegistry } from "./table/registry.ts";
import type { LoadPlayers } from "./table/table-content.ts";

/** With several servers: finds in the database what their messages did not announce. */
export interface CatchUp {
  /** To be called every second: tables, chats and outages. */
  catchUp(): Promise<void>;
  /**
   * Messages were missed: refreshes the lobby and everything pushed to players. True if it pushed
   * anything: another server's push may have been numbered before these, so it must run again.
   */
  resync(): Promise<boolean>;
}

interface CatchUpDeps {
  readonly queries: Queries;
  readonly time: Pick<Time, "now">;
  readonly tables: TableRegistry;
  readonly chat: Chat;
  readonly lobby: Lobby;
  readonly feed: LobbyFeed;
  readonly stats: LiveStats;
  readonly online: OnlinePlayers;
  readonly broadcast: Broadcast;
  readonly loadPlayers: LoadPlayers;
  readonly known: readonly StoredOutage[];
  readonly servers: Pick<Servers, "markOutageKnown">;
  readonly serverId: string | null;
}

const PLAYERS_AT_ONCE = 1_000;
/** Outages are stored within moments of their end. */
const OUTAGES_SINCE_MS = MINUTE_MS;

export function openCatchUp(deps: CatchUpDeps): CatchUp {
  const { queries, time, tables, chat, lobby, feed, stats, online, broadcast, loadPlayers, servers, serverId } = deps;
  const knownOutages = new Set(deps.known.map(toKey));
  const openedAt = time.now();
  /** What was sent at the last resync, so that the next one sends changes only. */
  let pushed = new Map<PlayerId, string>();

  async function creditNewOutages(): Promise<void> {
    const recent = await loadOutages(queries, addMs(time.now(), -OUTAGES_SINCE_MS));
    const added = recent.filter((outage) => !knownOutages.has(toKey(outage)));
    const isSilence = added.some(({ cause }) => cause === "database");
    const common = isSilence ? await loadCommonSilence(queries, recent) : null;
    for (const outage of added) {
      knownOutages.add(toKey(outage));
      // Others may have taken this server for lost since: it has not measured that outage.
      const isLost = outage.cause === "restart" && outage.fromAt >= openedAt;
      if (outage.serverId !== serverId || isLost) tables.creditStored(outage);
      if (outage.serverId !== null) servers.markOutageKnown(outage.serverId);
    }
    if (common !== null) tables.creditStored(common);
  }

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
    async catchUp() {
      await Promise.all([tables.catchUp(), chat.catchUp(), creditNewOutages()]);
    },
    async resync() {
      const [hasPushed] = await Promise.all([resyncPlayers(), resyncLobby()]);
      return hasPushed;
    },
  };
}

function toKey({ fromAt, toAt, cause, serverId }: StoredOutage): string {
  return `${fromAt} ${toAt} ${cause} ${serverId}`;
}
