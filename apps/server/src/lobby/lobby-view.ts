import type { LobbyFilter, MatchView } from "@holo/protocol/game/games.ts";
import type { MatchList } from "@holo/protocol/lobby/lobby.ts";
import { type FeedWatcher, type SharedFrame, toSharedFrame } from "./feed-watcher.ts";
import type { FilteredMatches } from "./filtered-matches.ts";
import { toLobbyChanges } from "./list-changes.ts";

export const EMPTY: MatchList = { matches: [], hasMore: false };

export interface LobbyWatch {
  readonly filter: LobbyFilter;
  /** The maximum length of the list. */
  readonly count: number;
  /** Chosen by the page and repeated in the list that answers. */
  readonly request: number;
}

export interface LobbySubscription extends LobbyWatch {
  readonly watcher: FeedWatcher;
  view: LobbyView | null;
  /** The watcher's list; older than its view's if changes were omitted. */
  has: MatchList;
  /** The newest search for its view. */
  placing: number;
  isAnswered: boolean;
}

/** The matches of one filter, and the views of them. */
export interface LobbySource {
  readonly key: string;
  readonly matches: FilteredMatches;
  readonly views: Map<string, LobbyView>;
  isChanged: boolean;
}

/** The list of all watchers who may see the same matches. Its frames are serialized once. */
export class LobbyView {
  readonly key: string;
  readonly source: LobbySource;
  readonly subscriptions = new Set<LobbySubscription>();
  /** Subscriptions, and searches that may become one. */
  holders = 0;
  /** Some subscriptions lack changes. */
  isUneven = false;
  readonly #count: number;
  readonly #isVisible: (match: MatchView) => boolean;
  #list: MatchList = EMPTY;
  /** By the list that a watcher has. */
  readonly #frames = new Map<MatchList, SharedFrame | null>();

  constructor(key: string, source: LobbySource, count: number, isVisible: (match: MatchView) => boolean) {
    this.key = key;
    this.source = source;
    this.#count = count;
    this.#isVisible = isVisible;
  }

  get list(): MatchList {
    return this.#list;
  }

  /** Loads enough rows for the list. Its first subscription gets the newest list. */
  async fill(): Promise<void> {
    for (;;) {
      const list = this.#take();
      if (list !== null) {
        if (this.subscriptions.size === 0) this.#replaceList(list);
        return;
      }
      await this.loadMore();
    }
  }

  /** Updates the list. False: too few rows are loaded. */
  update(): boolean {
    const list = this.#take();
    if (list === null) return false;
    if (toLobbyChanges(this.#list, list, this.#count) === null) return true;
    this.#replaceList(list);
    this.isUneven = true;
    return true;
  }

  loadMore(): Promise<void> {
    return this.source.matches.reload(this.#count + 1);
  }

  /** The changes from a watcher's list to this one; null without any. */
  toFrame(has: MatchList): SharedFrame | null {
    const known = this.#frames.get(has);
    if (known !== undefined) return known;
    const changes = toLobbyChanges(has, this.#list, this.#count);
    const frame = changes === null ? null : toSharedFrame(changes);
    this.#frames.set(has, frame);
    return frame;
  }

  #take(): MatchList | null {
    return this.source.matches.take(this.#count, this.#isVisible);
  }

  #replaceList(list: MatchList): void {
    this.#list = list;
    this.#frames.clear();
  }
}
