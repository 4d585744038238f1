import type { PlayerId } from "@holo/kernel/ids.ts";
import type { AvailabilityView, MatchView } from "@holo/protocol/game/games.ts";
import { toGameFeeBps } from "@holo/table/platform-fee.ts";
import { isNeverPaired, type NeverPaired } from "../accounts/accounts.ts";
import type { Bus } from "../platform/bus.ts";
import type { Log } from "../platform/log.ts";
import { type FeedWatcher, type SharedFrame, toSharedFrame } from "./feed-watcher.ts";
import { type LatestFeedDeps, openLatestFeed } from "./latest-feed.ts";
import { FEED_TICK_MS } from "./lobby-feed.ts";
import type { LoadNeverPaired } from "./never-paired-loader.ts";
import type { LobbyTopics } from "./topics.ts";

interface AvailabilityFeed {
  /** Visitors see no waiting games (ruling 22). */
  watch(watcher: FeedWatcher): Promise<void>;
  unwatch(watcher: FeedWatcher): void;
  presenceChanged(playerId: PlayerId): void;
  relationsChanged(playerIds: readonly PlayerId[]): void;
}

interface AvailabilityFeedDeps extends Pick<LatestFeedDeps, "time" | "wheel" | "delivery"> {
  readonly bus: Bus<LobbyTopics>;
  /** The listed games that wait, by their creators. */
  readonly waiting: ReadonlyMap<PlayerId, MatchView>;
  /** Matchmaking joins the games of players who are online (ruling 23). */
  readonly isOnline: (playerId: PlayerId) => boolean;
  /** The fee in force: games with another fee are not matched. */
  readonly feeBps: () => number;
  readonly loadNeverPaired: LoadNeverPaired;
  readonly log: Log;
}

const NO_PLAYERS: NeverPaired = new Map();
const NOTHING = toFrame([]);

export function openAvailabilityFeed(deps: AvailabilityFeedDeps): AvailabilityFeed {
  const { bus, waiting, isOnline, feeBps, loadNeverPaired, log } = deps;
  const neverPaired = new Map<FeedWatcher, NeverPaired>();
  let matches: ReadonlyMap<PlayerId, MatchView> = new Map();
  let shared: SharedFrame = NOTHING;

  function update(): void {
    const fee = feeBps();
    const isMatched = ({ stake, feeBps }: MatchView): boolean => feeBps === toGameFeeBps(stake, fee);
    matches = new Map([...waiting].filter(([creatorId, match]) => isOnline(creatorId) && isMatched(match)));
    shared = toFrame(matches.values());
  }

  function makeFrame(watcher: FeedWatcher): SharedFrame {
    if (watcher.player === null) return NOTHING;
    const others = neverPaired.get(watcher) ?? NO_PLAYERS;
    const isOwn = matches.has(watcher.player.id);
    if (!isOwn && [...others.keys()].every((id) => !matches.has(id))) return shared;
    return toFrame(
      [...matches.values()].filter(
        ({ white, stake }) => white.id !== watcher.player?.id && !isNeverPaired(others, white.id, stake),
      ),
    );
  }

  const feed = openLatestFeed({ ...deps, tickMs: FEED_TICK_MS, update, makeFrame });
  bus.subscribe("lobby", feed.changed);
  bus.subscribe("everyone", ({ frame }) => {
    if (frame.type === "settings") feed.changed();
  });

  return {
    async watch(watcher) {
      if (watcher.player === null) return feed.watch(watcher);
      neverPaired.set(watcher, NO_PLAYERS);
      const others = await loadNeverPaired(watcher.player.id);
      // The watcher may have left meanwhile.
      if (!neverPaired.has(watcher) || !watcher.isOpen) return void neverPaired.delete(watcher);
      neverPaired.set(watcher, others);
      update();
      feed.watch(watcher);
    },
    unwatch(watcher) {
      neverPaired.delete(watcher);
      feed.unwatch(watcher);
    },
    presenceChanged(playerId) {
      if (waiting.has(playerId)) feed.changed();
    },
    relationsChanged(playerIds) {
      for (const watcher of neverPaired.keys()) {
        if (watcher.player === null || !playerIds.includes(watcher.player.id)) continue;
        loadNeverPaired(watcher.player.id).then(
          (others) => {
            if (neverPaired.has(watcher)) neverPaired.set(watcher, others);
            feed.changed();
          },
          (err) => log.warn({ err }, "a player's list of excluded opponents could not be read"),
        );
      }
    },
  };
}

function toFrame(matches: Iterable<MatchView>): SharedFrame {
  const counts = new Map<string, AvailabilityView>();
  for (const { game, stake, limitMinutes } of matches) {
    const key = `${game} ${stake} ${limitMinutes}`;
    counts.set(key, { game, stake, limitMinutes, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return toSharedFrame({ type: "availability", waiting: [...counts.values()] });
}
