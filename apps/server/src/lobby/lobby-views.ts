import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { LobbyFilter, MatchView, PlayerView } from "@holo/protocol/game/games.ts";
import { isNeverPaired, type NeverPaired } from "../accounts/accounts.ts";
import type { Log } from "../platform/log.ts";
import { FilteredMatches } from "./filtered-matches.ts";
import { type LobbySource, LobbyView, type LobbyWatch } from "./lobby-view.ts";

export interface LobbyViewsDeps {
  readonly log: Log;
  /** Whether the creator of a waiting game can be joined (ruling 15). */
  readonly isReachable: (creatorId: PlayerId) => boolean;
  /** The newest matches of a filter, including those of players who are away. */
  readonly loadMatches: (filter: LobbyFilter, limit: number) => Promise<readonly MatchView[]>;
  /** Rows read beyond the request; see `FilteredMatches`. */
  readonly reserve?: number;
}

const RESERVE = 60;

/** The views in use. Those of one filter share its matches, read from the database once. */
export class LobbyViews {
  readonly #deps: LobbyViewsDeps;
  readonly #changed: () => void;
  readonly #sources = new Map<string, LobbySource>();
  #privateViews = 0;

  /** `changed`: `update` has something to do. */
  constructor(deps: LobbyViewsDeps, changed: () => void) {
    this.#deps = deps;
    this.#changed = changed;
  }

  isServed(filter: LobbyFilter): boolean {
    return this.#sources.has(toKey(filter));
  }

  /** The view of a player, or of a visitor (null). Each hold ends with a `release`. */
  hold({ filter, count }: LobbyWatch, player: PlayerView | null, excluded: NeverPaired): LobbyView {
    const { isReachable } = this.#deps;
    const source = this.#openSource(filter);
    const viewers = player === null ? "visitors" : "players";
    // A player with blocked opponents has a private list, indistinguishable from others.
    if (excluded.size > 0) this.#privateViews += 1;
    const key = `${count} ${excluded.size > 0 ? this.#privateViews : viewers}`;
    const isVisible = ({ status, white, stake }: MatchView): boolean =>
      status !== "pending" || (player !== null && isReachable(white.id) && !isNeverPaired(excluded, white.id, stake));
    const view = source.views.get(key) ?? new LobbyView(key, source, count, isVisible);
    source.views.set(key, view);
    view.holders += 1;
    return view;
  }

  release(view: LobbyView): void {
    const { source } = view;
    view.holders -= 1;
    if (view.holders > 0) return;
    source.views.delete(view.key);
    if (source.views.size === 0) this.#sources.delete(source.key);
  }

  /** A match has changed, or a game is gone. */
  apply(change: MatchView | GameId): void {
    for (const source of this.#sources.values()) if (source.matches.apply(change)) this.#markChanged(source);
  }

  /** Reads all matches again: changes may have been missed. Rejects if some cannot be read. */
  async refresh(): Promise<void> {
    const refreshed = Array.from(this.#sources.values(), async (source) => {
      await source.matches.refresh();
      this.#markChanged(source);
    });
    await Promise.all(refreshed);
  }

  /** Applies the collected changes. Calls back for each view with subscriptions that lack some. */
  update(send: (view: LobbyView) => void): void {
    for (const source of this.#sources.values()) {
      if (source.isChanged) this.#updateSource(source);
      for (const view of source.views.values()) {
        if (!view.isUneven) continue;
        view.isUneven = false;
        send(view);
      }
    }
  }

  #updateSource(source: LobbySource): void {
    source.isChanged = false;
    for (const view of source.views.values()) if (!view.update()) this.#loadMore(view);
  }

  #loadMore(view: LobbyView): void {
    const { source } = view;
    view.loadMore().then(
      () => this.#markChanged(source),
      (err) => {
        this.#deps.log.warn({ err }, "a list of matches could not be read");
        this.#markChanged(source);
      },
    );
  }

  #markChanged(source: LobbySource): void {
    source.isChanged = true;
    this.#changed();
  }

  #openSource(filter: LobbyFilter): LobbySource {
    const { reserve = RESERVE, loadMatches } = this.#deps;
    const key = toKey(filter);
    const source = this.#sources.get(key) ?? {
      key,
      matches: new FilteredMatches({ filter, reserve, load: (limit) => loadMatches(filter, limit) }),
      views: new Map(),
      isChanged: false,
    };
    this.#sources.set(key, source);
    return source;
  }
}

function toKey({ status, game, stakeMin, stakeMax, limitMinutes, search }: LobbyFilter): string {
  return JSON.stringify([status, game, stakeMin, stakeMax, limitMinutes, search]);
}
