import type { GameId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import type { StatsView } from "@holo/protocol/platform.ts";
import type { Bus } from "../../platform/bus.ts";
import type { ArenaTopics } from "../topics.ts";
import { type FeedWatcher, toSharedFrame } from "./feed-watcher.ts";
import { type LatestFeedDeps, openLatestFeed } from "./latest-feed.ts";
import type { OnlinePlayers } from "./online-players.ts";

const BROADCAST_EVERY_MS = SECOND_MS;

export interface LiveStats {
  current(): StatsView;
  changed(): void;
  replacePlaying(gameIds: readonly GameId[]): void;
  watch(watcher: FeedWatcher): void;
  unwatch(watcher: FeedWatcher): void;
}

interface LiveStatsDeps extends Pick<LatestFeedDeps, "time" | "wheel" | "delivery"> {
  readonly bus: Bus<ArenaTopics>;
  readonly presence: Pick<OnlinePlayers, "onlineCount">;
  readonly activeNow: readonly GameId[];
}

export function openLiveStats({ bus, presence, activeNow, ...deps }: LiveStatsDeps): LiveStats {
  const playing = new Set<string>(activeNow);
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

  const feed = openLatestFeed({ ...deps, tickMs: BROADCAST_EVERY_MS, update, toFrame: () => frame });

  bus.subscribe("lobby", (change) => {
    if (change.type === "match" && change.match.status === "active") playing.add(change.match.id);
    else playing.delete(change.type === "match" ? change.match.id : change.gameId);
    feed.changed();
  });

  function replacePlaying(gameIds: readonly GameId[]): void {
    playing.clear();
    for (const gameId of gameIds) playing.add(gameId);
    feed.changed();
  }

  return { current, changed: feed.changed, replacePlaying, watch: feed.watch, unwatch: feed.unwatch };
}
