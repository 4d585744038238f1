import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/games.ts";
import type { LobbyFilter, MatchList } from "@holo/protocol/lobby.ts";
import type { Bus } from "../../platform/bus.ts";
import type { Log } from "../../platform/log.ts";
import type { Time } from "../../platform/time/time.ts";
import type { TimerWheel } from "../../platform/time/timer-wheel.ts";
import type { ArenaTopics } from "../topics.ts";
import { type FeedWatcher, type SharedFrame, toSharedFrame } from "./feed-watcher.ts";
import { FilteredMatches } from "./filtered-matches.ts";
import { toLobbyChanges } from "./list-changes.ts";
import type { LoadNeverPaired } from "./never-paired.ts";
import type { PacedDelivery } from "./paced-delivery.ts";

/** Changes are collected this long: a write to a socket costs more than its content. */
export const FEED_TICK_MS = 500;

export interface LobbyWatch {
  readonly filter: LobbyFilter;
  /** The maximum length of the list. */
  readonly count: number;
  /** Chosen by the page and repeated in the list that answers. */
  readonly request: number;
}

export interface LobbyFeed {
  /** Sends the list, then its changes. Replaces the watcher's list of before. */
  watch(watcher: FeedWatcher, watch: LobbyWatch): Promise<void>;
  unwatch(watcher: FeedWatcher): void;
  isServed(filter: LobbyFilter): boolean;
  /** Changes may have been missed: reads the lists again. */
  refresh(): void;
  /** These players can be paired with others than before. */
  relationsChanged(playerIds: readonly PlayerId[]): void;
}

interface LobbyFeedDeps {
  readonly bus: Bus<ArenaTopics>;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly log: Log;
  readonly delivery: PacedDelivery;
  /** Whether the creator of a waiting game can be joined (ruling 15). */
  readonly isReachable: (creatorId: PlayerId) => boolean;
  readonly loadNeverPaired: LoadNeverPaired;
  /** The newest matches of a filter, including those of players who are away. */
  readonly loadMatches: (filter: LobbyFilter, limit: number) => Promise<readonly MatchView[]>;
  readonly reserve?: number;
}

interface Subscription extends LobbyWatch {
  readonly watcher: FeedWatcher;
  view: View | null;
  /** The watcher's list; older than its view's if changes were omitted. */
  has: MatchList;
  /** The newest search for its view. */
  placing: number;
  isAnswered: boolean;
}

interface View {
  readonly key: string;
  readonly source: Source;
  readonly count: number;
  readonly isVisible: (match: MatchView) => boolean;
  readonly subscriptions: Set<Subscription>;
  holders: number;
  list: MatchList;
  readonly frames: Map<MatchList, SharedFrame | null>;
  isUneven: boolean;
}

interface Source {
  readonly key: string;
  readonly matches: FilteredMatches;
  readonly views: Map<string, View>;
  isChanged: boolean;
}

const RESERVE = 60;
const EMPTY: MatchList = { matches: [], hasMore: false };
const NO_PLAYERS: ReadonlySet<PlayerId> = new Set();

export function openLobbyFeed(deps: LobbyFeedDeps): LobbyFeed {
  const { bus, time, wheel, log, delivery, isReachable, loadNeverPaired, reserve = RESERVE } = deps;
  const sources = new Map<string, Source>();
  const subscriptions = new Map<FeedWatcher, Subscription>();
  let privateViews = 0;
  let isDue = false;

  bus.subscribe("lobby", (change) => apply(change.type === "match" ? change.match : change.gameId));

  function apply(change: MatchView | GameId): void {
    for (const source of sources.values()) if (source.matches.apply(change)) markChanged(source);
  }

  function markChanged(source: Source): void {
    source.isChanged = true;
    scheduleTick();
  }

  function scheduleTick(): void {
    if (isDue) return;
    isDue = true;
    wheel.schedule(time.monotonicMs() + FEED_TICK_MS, tick);
  }

  function tick(): void {
    isDue = false;
    // The last changes are still being sent: the next ones are sent together.
    if (delivery.isBusy) return scheduleTick();
    for (const source of sources.values()) {
      if (source.isChanged) update(source);
      for (const view of source.views.values()) {
        if (!view.isUneven) continue;
        view.isUneven = false;
        delivery.add([...view.subscriptions], send);
      }
    }
  }

  function update(source: Source): void {
    source.isChanged = false;
    for (const view of source.views.values()) {
      const list = source.matches.take(view.count, view.isVisible);
      if (list === null) deepen(source, view.count);
      else replaceList(view, list);
    }
  }

  function replaceList(view: View, list: MatchList): void {
    if (toLobbyChanges(view.list, list, view.count) === null) return;
    view.list = list;
    view.frames.clear();
    view.isUneven = true;
  }

  function deepen(source: Source, count: number): void {
    source.matches.reload(count + 1).then(
      () => markChanged(source),
      (err) => {
        log.warn({ err }, "a list of matches could not be read");
        markChanged(source);
      },
    );
  }

  /**
   * Sends the changes that the watcher lacks. A slow one gets nothing until it has read, then
   * everything.
   */
  function send(subscription: Subscription): void {
    const { watcher, view, has } = subscription;
    if (view === null || has === view.list) return;
    if (watcher.isBehind()) {
      view.isUneven = true;
      return scheduleTick();
    }
    subscription.has = view.list;
    const frame = toFrame(view, has);
    if (frame !== null) watcher.sendShared(frame);
  }

  function toFrame(view: View, has: MatchList): SharedFrame | null {
    const known = view.frames.get(has);
    if (known !== undefined) return known;
    const changes = toLobbyChanges(has, view.list, view.count);
    const frame = changes === null ? null : toSharedFrame(changes);
    view.frames.set(has, frame);
    return frame;
  }

  /** Finds the watcher's list. False: another watch or search of it came first. */
  async function place(subscription: Subscription): Promise<boolean> {
    const { watcher } = subscription;
    subscription.placing += 1;
    const { placing } = subscription;
    const isCurrent = (): boolean =>
      subscriptions.get(watcher) === subscription && subscription.placing === placing && watcher.isOpen;
    const excluded = watcher.player === null ? NO_PLAYERS : await loadNeverPaired(watcher.player.id);
    if (!isCurrent()) return false;
    const view = holdView(subscription, excluded);
    let isPlaced = false;
    try {
      await fill(view);
      if (!isCurrent()) return false;
      leaveView(subscription);
      subscription.view = view;
      view.subscriptions.add(subscription);
      isPlaced = true;
      return true;
    } finally {
      if (!isPlaced) releaseView(view);
    }
  }

  async function fill(view: View): Promise<void> {
    for (;;) {
      const list = view.source.matches.take(view.count, view.isVisible);
      if (list !== null) {
        if (view.subscriptions.size === 0) view.list = list;
        return;
      }
      await view.source.matches.reload(view.count + 1);
    }
  }

  function holdView({ filter, count, watcher }: Subscription, excluded: ReadonlySet<PlayerId>): View {
    const source = openSource(filter);
    const viewers = watcher.player === null ? "visitors" : "players";
    // A player with blocked opponents has a private list, indistinguishable from others.
    if (excluded.size > 0) privateViews += 1;
    const key = `${count} ${excluded.size > 0 ? privateViews : viewers}`;
    const isVisible = (match: MatchView): boolean =>
      match.status !== "pending" ||
      (watcher.player !== null && isReachable(match.white.id) && !excluded.has(match.white.id));
    const view = source.views.get(key) ?? {
      key,
      source,
      count,
      isVisible,
      subscriptions: new Set(),
      holders: 0,
      list: EMPTY,
      frames: new Map(),
      isUneven: false,
    };
    source.views.set(key, view);
    view.holders += 1;
    return view;
  }

  function openSource(filter: LobbyFilter): Source {
    const key = toKey(filter);
    const source = sources.get(key) ?? {
      key,
      matches: new FilteredMatches({ filter, reserve, load: (limit) => deps.loadMatches(filter, limit) }),
      views: new Map(),
      isChanged: false,
    };
    sources.set(key, source);
    return source;
  }

  function releaseView(view: View): void {
    view.holders -= 1;
    if (view.holders > 0) return;
    view.source.views.delete(view.key);
    if (view.source.views.size === 0) sources.delete(view.source.key);
  }

  function leaveView(subscription: Subscription): void {
    const { view } = subscription;
    if (view === null) return;
    view.subscriptions.delete(subscription);
    subscription.view = null;
    releaseView(view);
  }

  function unwatch(watcher: FeedWatcher): void {
    const subscription = subscriptions.get(watcher);
    if (subscription === undefined) return;
    subscriptions.delete(watcher);
    leaveView(subscription);
  }

  async function show(subscription: Subscription): Promise<void> {
    if (!(await place(subscription)) || subscription.view === null) return;
    if (subscription.isAnswered) {
      subscription.view.isUneven = true;
      return scheduleTick();
    }
    const { watcher, request } = subscription;
    const { list } = subscription.view;
    subscription.isAnswered = true;
    subscription.has = list;
    watcher.sendShared(toSharedFrame({ type: "lobby", request, ...list }));
  }

  return {
    async watch(watcher, watch) {
      unwatch(watcher);
      const subscription = { ...watch, watcher, view: null, has: EMPTY, placing: 0, isAnswered: false };
      subscriptions.set(watcher, subscription);
      await show(subscription);
    },
    unwatch,
    refresh() {
      for (const source of sources.values()) {
        source.matches.refresh().then(
          () => markChanged(source),
          (err) => log.warn({ err }, "a list of matches could not be refreshed"),
        );
      }
    },
    isServed: (filter) => sources.has(toKey(filter)),
    relationsChanged(playerIds) {
      for (const subscription of subscriptions.values()) {
        const { player } = subscription.watcher;
        if (player === null || !playerIds.includes(player.id)) continue;
        show(subscription).catch((err) => log.warn({ err }, "a list of matches could not be refreshed"));
      }
    },
  };
}

function toKey({ status, game, stakeMin, stakeMax, limitMinutes, search }: LobbyFilter): string {
  return JSON.stringify([status, game, stakeMin, stakeMax, limitMinutes, search]);
}
