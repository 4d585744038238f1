import type { PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS, SECOND_MS, toInstant } from "@holo/kernel/instant.ts";
import { loadSessionsSeen } from "../accounts/accounts.ts";
import type { WaitingGames } from "../match/match.ts";
import type { Bus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import type { Log } from "../platform/log.ts";
import type { OwnServer } from "../platform/servers/own-server.ts";
import { loadLastSeenAt } from "../platform/servers/server-rows.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import type { ListedMatches } from "./listed-matches.ts";
import { openOnlineElsewhere } from "./online-elsewhere.ts";
import { HIDDEN_AFTER_MS, type OnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

/** Connections of players, here and to other servers. */
export interface Connections {
  /** Once per connection of a player, followed by one `disconnect`. */
  connect(playerId: PlayerId): void;
  disconnect(playerId: PlayerId): void;
  /** With several servers, to be called every second: who is connected to the others. */
  refreshOnline(): Promise<void>;
}

interface ConnectionsDeps {
  readonly database: Database;
  readonly own: OwnServer;
  readonly bus: Bus<LobbyTopics>;
  readonly time: Time;
  readonly wheel: TimerWheel;
  readonly log: Log;
  readonly online: OnlinePlayers;
  readonly listed: Pick<ListedMatches, "refresh">;
  /** A player has come or gone. */
  readonly onChange: (playerId: PlayerId) => void;
}

/** `lastSeen`: creators of waiting games, which are hidden if these do not return in time. */
export function openConnections(deps: ConnectionsDeps, lastSeen: ReadonlyMap<PlayerId, Instant>): Connections {
  const { online, listed, own, time, wheel, onChange } = deps;

  function hideLater(playerId: PlayerId, leftAt = time.now()): void {
    const hiddenInMs = leftAt - time.now() + HIDDEN_AFTER_MS + SECOND_MS;
    wheel.schedule(time.monotonicMs() + Math.max(0, hiddenInMs), () => {
      if (!online.isReachable(playerId)) listed.refresh(playerId);
    });
  }

  function changedElsewhere(playerId: PlayerId, isThere: boolean): void {
    online.noteElsewhere(playerId, isThere);
    onChange(playerId);
    if (isThere) listed.refresh(playerId);
    else hideLater(playerId);
  }

  for (const [playerId, at] of lastSeen) hideLater(playerId, at);
  const { listConnected } = online;
  const queries = deps.database.kysely;
  const elsewhere = own.isShared
    ? openOnlineElsewhere({ ...deps, queries, listConnected, onChange: changedElsewhere })
    : null;

  return {
    connect(playerId) {
      const wasReachable = online.isReachable(playerId);
      if (!online.connect(playerId)) return;
      elsewhere?.connected(playerId);
      onChange(playerId);
      if (!wasReachable) listed.refresh(playerId);
    },
    disconnect(playerId) {
      if (!online.disconnect(playerId)) return;
      elsewhere?.disconnected(playerId);
      onChange(playerId);
      hideLater(playerId);
    },
    refreshOnline: async () => await elsewhere?.refresh(),
  };
}

/**
 * When creators of waiting games were last known to be here (ruling 38). A session is recorded once
 * a minute, so a minute is added, but never beyond the last service.
 */
export async function loadLastSeen(
  { kysely, pool }: Database,
  { byCreator }: WaitingGames,
  now: Instant,
): Promise<ReadonlyMap<PlayerId, Instant>> {
  const servedUntil = (await loadLastSeenAt(pool)) ?? now;
  const seen = await loadSessionsSeen(kysely, [...byCreator.keys()]);
  return new Map(
    [...byCreator].map(([creatorId, { createdAt }]) => {
      const notedAt = Math.max(createdAt, seen.get(creatorId) ?? 0);
      return [creatorId, toInstant(Math.min(notedAt + MINUTE_MS, servedUntil, now))];
    }),
  );
}
