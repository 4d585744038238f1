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

/** Changes are collected for so long: a write to a socket costs more than what it carries. */
export const FEED_TICK_MS = 500;

/** What one page shows. */
export interface LobbyWatch {
  readonly filter: LobbyFilter;
  /** The greatest length of the list. */
  readonly count: number;
  /** Chosen by the page; the list that answers carries it. */
  readonly request: number;
}

/** Lists of matches that are kept current. */
export interface LobbyFeed {
  /** Sends the list, then its changes. Replaces the watcher's list of before. */
  watch(watcher: FeedWatcher, watch: LobbyWatch): Promise<void>;
  unwatch(watcher: FeedWatcher): void;
  /** Whether a watch of this filter needs no query. */
  isServed(filter: LobbyFilter): boolean;
  /** With whom these players can be paired has changed. */
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
  /** The newest matches of a filter, also those of players who are away. */
  readonly loadMatches: (filter: LobbyFilter, limit: number) => Promise<readonly MatchView[]>;
  /** See `FilteredMatches`. */
  readonly reserve?: number;
}

interface Subscription extends LobbyWatch {
  readonly watcher: FeedWatcher;
  /** Null until the list is read. */
  view: View | null;
  /** The list that the watcher has; older than its view's if changes were left out. */
  has: MatchList;
  /** The newest search for its view. */
  placing: number;
  isAnswered: boolean;
}

/** One list, shared by all who see the same. */
interface View {
  readonly key: string;
  readonly source: Source;
  readonly count: number;
  readonly isVisible: (match: MatchView) => boolean;
  readonly subscriptions: Set<Subscription>;
  /** Watches that hold it, also those that wait for its list. */
  holders: number;
  list: MatchList;
  /** What turns an earlier list into this one. */
  readonly frames: Map<MatchList, SharedFrame | null>;
  /** Some watchers have another list. */
  isUneven: boolean;
}

/** The matches of one filter and the views of them. */
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
    // The sockets are not through with the last changes: the next ones are sent together.
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

  /** Sends what the watcher lacks. A slow one gets nothing until it has read, then all at once. */
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
    // A player who is never paired with someone has a list of their own, like any other to see.
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

  /** Answers a watch. A later list goes out with the next tick and looks like any other change. */
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
    isServed: (filter) => sources.has(toKey(filter)),
    relationsChanged(playerIds) {
      for (const subscription of subscriptions.values()) {
        const { player } = subscription.watcher;
        if (player === null || !playerIds.includes(player.id)) continue;
        show(subscription).catch((err) => log.warn({ err }, "a list of matches could not be read again"));
      }
    },
  };
}

function toKey({ status, game, stakeMin, stakeMax, limitMinutes, search }: LobbyFilter): string {
  return JSON.stringify([status, game, stakeMin, stakeMax, limitMinutes, search]);
}
