import type { PlayerId } from "@holo/kernel/ids.ts";
import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import type { NeverPaired } from "../accounts/accounts.ts";
import type { Bus } from "../platform/bus.ts";
import type { PacedDelivery } from "../platform/paced-delivery.ts";
import type { Time } from "../platform/time/time.ts";
import type { TimerWheel } from "../platform/time/timer-wheel.ts";
import { FeedTick } from "./feed-tick.ts";
import { type FeedWatcher, toSharedFrame } from "./feed-watcher.ts";
import { EMPTY, type LobbySubscription, type LobbyView, type LobbyWatch } from "./lobby-view.ts";
import { LobbyViews, type LobbyViewsDeps } from "./lobby-views.ts";
import type { LoadNeverPaired } from "./never-paired-loader.ts";
import type { LobbyTopics } from "./topics.ts";

/** Changes are collected this long: a write to a socket costs more than its content. */
export const FEED_TICK_MS = 500;

interface LobbyFeedDeps extends LobbyViewsDeps {
  readonly bus: Bus<LobbyTopics>;
  readonly time: Pick<Time, "monotonicMs">;
  readonly wheel: Pick<TimerWheel, "schedule">;
  readonly delivery: PacedDelivery;
  readonly loadNeverPaired: LoadNeverPaired;
}

const NO_PLAYERS: NeverPaired = new Map();

/** Sends each watcher the list of its view, then the changes. */
export class LobbyFeed {
  readonly #deps: LobbyFeedDeps;
  readonly #tick: FeedTick;
  readonly #views: LobbyViews;
  readonly #subscriptions = new Map<FeedWatcher, LobbySubscription>();

  constructor(deps: LobbyFeedDeps) {
    this.#deps = deps;
    this.#tick = new FeedTick({ ...deps, tickMs: FEED_TICK_MS }, () => this.#sendChanges());
    this.#views = new LobbyViews(deps, () => this.#tick.schedule());
    deps.bus.subscribe("lobby", (change) => this.#views.apply(change.type === "match" ? change.match : change.gameId));
  }

  /**
   * Sends the list, then its changes. Replaces the watcher's previous list. Returns the number of
   * matches sent.
   */
  async watch(watcher: FeedWatcher, watch: LobbyWatch): Promise<number> {
    const previous = this.#subscriptions.get(watcher);
    const subscription: LobbySubscription = {
      ...watch,
      watcher,
      view: null,
      has: EMPTY,
      placing: 0,
      isAnswered: false,
    };
    this.#subscriptions.set(watcher, subscription);
    // Released after the new one is found: another page of the same list needs no query.
    const left = previous === undefined ? null : this.#takeView(previous);
    try {
      await this.#show(subscription);
    } finally {
      if (left !== null) this.#views.release(left);
    }
    return subscription.isAnswered ? subscription.has.matches.length : 0;
  }

  unwatch(watcher: FeedWatcher): void {
    const subscription = this.#subscriptions.get(watcher);
    if (subscription === undefined) return;
    this.#subscriptions.delete(watcher);
    this.#leaveView(subscription);
  }

  isServed(filter: LobbyFilter): boolean {
    return this.#views.isServed(filter);
  }

  /** Changes may have been missed: reads the lists again. Rejects if some cannot be read. */
  refresh(): Promise<void> {
    return this.#views.refresh();
  }

  /** The opponents that these players can be paired with have changed. */
  relationsChanged(playerIds: readonly PlayerId[]): void {
    for (const subscription of this.#subscriptions.values()) {
      const { player } = subscription.watcher;
      if (player === null || !playerIds.includes(player.id)) continue;
      this.#show(subscription).catch((err) => this.#deps.log.warn({ err }, "a list of matches could not be refreshed"));
    }
  }

  async #show(subscription: LobbySubscription): Promise<void> {
    if (!(await this.#place(subscription)) || subscription.view === null) return;
    if (subscription.isAnswered) {
      subscription.view.isUneven = true;
      return this.#tick.schedule();
    }
    const { watcher, request } = subscription;
    const { list } = subscription.view;
    subscription.isAnswered = true;
    subscription.has = list;
    watcher.sendShared(toSharedFrame({ type: "lobby", request, ...list }));
  }

  /** Finds the watcher's view. False: a newer watch or search replaced this one. */
  async #place(subscription: LobbySubscription): Promise<boolean> {
    const { watcher } = subscription;
    subscription.placing += 1;
    const { placing } = subscription;
    const isCurrent = (): boolean =>
      this.#subscriptions.get(watcher) === subscription && subscription.placing === placing && watcher.isOpen;
    const excluded = watcher.player === null ? NO_PLAYERS : await this.#deps.loadNeverPaired(watcher.player.id);
    if (!isCurrent()) return false;
    const view = this.#views.hold(subscription, watcher.player, excluded);
    let isPlaced = false;
    try {
      await view.fill();
      if (!isCurrent()) return false;
      this.#leaveView(subscription);
      subscription.view = view;
      view.subscriptions.add(subscription);
      isPlaced = true;
      return true;
    } finally {
      if (!isPlaced) this.#views.release(view);
    }
  }

  #leaveView(subscription: LobbySubscription): void {
    const view = this.#takeView(subscription);
    if (view !== null) this.#views.release(view);
  }

  /** The view that the subscription leaves, for the caller to release. */
  #takeView(subscription: LobbySubscription): LobbyView | null {
    const { view } = subscription;
    view?.subscriptions.delete(subscription);
    subscription.view = null;
    return view;
  }

  #sendChanges(): void {
    this.#views.update((view) => this.#deps.delivery.add([...view.subscriptions], this.#send));
  }

  /**
   * Sends the changes that the watcher lacks. A slow one gets nothing until it has read, then
   * everything.
   */
  readonly #send = (subscription: LobbySubscription): void => {
    const { watcher, view, has } = subscription;
    if (view === null || has === view.list) return;
    if (watcher.isBehind()) {
      view.isUneven = true;
      return this.#tick.schedule();
    }
    subscription.has = view.list;
    const frame = view.toFrame(has);
    if (frame !== null) watcher.sendShared(frame);
  };
}
