import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { Bus } from "../platform/bus.ts";
import { type FeedWatcher, toSharedFrame } from "./feed-watcher.ts";
import { type LatestFeedDeps, openLatestFeed } from "./latest-feed.ts";
import type { OnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

const BROADCAST_EVERY_MS = SECOND_MS;

interface LiveStats {
  current(): StatsView;
  changed(): void;
  /** `load` reads the active games. What is announced meanwhile is newer than its result. */
  reloadPlaying(load: () => Promise<readonly GameId[]>): Promise<void>;
  watch(watcher: FeedWatcher): void;
  unwatch(watcher: FeedWatcher): void;
}

interface LiveStatsDeps extends Pick<LatestFeedDeps, "time" | "wheel" | "delivery"> {
  readonly bus: Bus<LobbyTopics>;
  readonly presence: Pick<OnlinePlayers, "onlineCount">;
  readonly activeNow: readonly GameId[];
}

export function openLiveStats({ bus, presence, activeNow, ...deps }: LiveStatsDeps): LiveStats {
  let playing = new Set<string>(activeNow);
  const reloads = new Set<Map<string, boolean>>();
  const current = (): StatsView => ({ playersOnline: presence.onlineCount(), gamesPlaying: playing.size });
  let sent: StatsView | null = null;
  let frame = toSharedFrame({ type: "stats", ...current() });

  function update(): void {
    const stats = current();
    if (sent?.playersOnline === stats.playersOnline && sent.gamesPlaying === stats.gamesPlaying) return;
    sent = stats;
    frame = toSharedFrame({ type: "stats", ...stats });
    bus.publish("stats", { frame: { type: "stats", ...stats } });
  }

  const feed = openLatestFeed({ ...deps, tickMs: BROADCAST_EVERY_MS, update, makeFrame: () => frame });

  bus.subscribe("lobby", (change) => {
    const gameId = change.type === "match" ? change.match.id : change.gameId;
    const isPlaying = change.type === "match" && change.match.status === "active";
    setPlaying(gameId, isPlaying);
    for (const changes of reloads) changes.set(gameId, isPlaying);
    feed.changed();
  });

  function setPlaying(gameId: string, isPlaying: boolean): void {
    if (isPlaying) playing.add(gameId);
    else playing.delete(gameId);
  }

  async function reloadPlaying(load: () => Promise<readonly GameId[]>): Promise<void> {
    const changes = new Map<string, boolean>();
    reloads.add(changes);
    try {
      playing = new Set<string>(await load());
      for (const [gameId, isPlaying] of changes) setPlaying(gameId, isPlaying);
    } finally {
      reloads.delete(changes);
    }
    feed.changed();
  }

  return { current, changed: feed.changed, reloadPlaying, watch: feed.watch, unwatch: feed.unwatch };
}
