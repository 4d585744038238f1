import type { GameId } from "@holo/kernel/ids.ts";
import type { LobbyFilter, MatchView } from "@holo/protocol/game/games.ts";
import { compareMatches, isListed, type MatchList } from "@holo/protocol/lobby/lobby.ts";

const KEPT_FACTOR = 4;

interface FilteredMatchesDeps {
  readonly filter: LobbyFilter;
  /** Rows read beyond the request, so that a match that leaves the list causes no query. */
  readonly reserve: number;
  /** The newest matches of the filter in the database, including hidden ones, in order. */
  readonly load: (limit: number) => Promise<readonly MatchView[]>;
}

/**
 * The newest matches of one filter: read from the database once, then updated by changes. As
 * matches leave, too few rows may remain for a list; then they are read again.
 */
export class FilteredMatches {
  readonly #deps: FilteredMatchesDeps;
  #rows: readonly MatchView[] = [];
  #isWhole = false;
  #depth = 0;
  #loading: Promise<void> | null = null;
  /** Changes during a load, which its answer may not contain. */
  #missed: (MatchView | GameId)[] = [];

  constructor(deps: FilteredMatchesDeps) {
    this.#deps = deps;
  }

  /** Returns whether the list may have changed. */
  apply(change: MatchView | GameId): boolean {
    if (this.#loading !== null) this.#missed.push(change);
    return this.#apply(change);
  }

  /** The newest `count` that are visible; null if too few rows are loaded. */
  take(count: number, isVisible: (match: MatchView) => boolean): MatchList | null {
    const matches: MatchView[] = [];
    for (const match of this.#rows) {
      if (!isVisible(match)) continue;
      if (matches.length === count) return { matches, hasMore: true };
      matches.push(match);
    }
    return this.#isWhole ? { matches, hasMore: false } : null;
  }

  /** Reads at least `count` rows, or more if most of the current rows are hidden. */
  reload(count: number): Promise<void> {
    this.#loading ??= this.#load(Math.max(count + this.#deps.reserve, 2 * this.#rows.length));
    return this.#loading;
  }

  /** Reads as many rows as before: changes may have been missed. */
  async refresh(): Promise<void> {
    // A read in progress may be older than what was missed. If it fails, its own caller is told.
    await this.#loading?.catch(() => undefined);
    if (this.#depth === 0) return;
    this.#loading ??= this.#load(this.#depth);
    await this.#loading;
  }

  async #load(limit: number): Promise<void> {
    this.#missed = [];
    try {
      const rows = await this.#deps.load(limit);
      this.#rows = rows;
      this.#isWhole = rows.length < limit;
      this.#depth = limit;
      for (const change of this.#missed) this.#apply(change);
    } finally {
      this.#loading = null;
    }
  }

  #apply(change: MatchView | GameId): boolean {
    const id = typeof change === "string" ? change : change.id;
    const index = this.#rows.findIndex((row) => row.id === id);
    const isShown = typeof change !== "string" && isListed(change, this.#deps.filter);
    if (index === -1 && !isShown) return false;
    const others = index === -1 ? this.#rows : this.#rows.toSpliced(index, 1);
    this.#rows = isShown ? this.#insert(others, change) : others;
    return true;
  }

  #insert(rows: readonly MatchView[], match: MatchView): readonly MatchView[] {
    const at = rows.findIndex((row) => compareMatches(match, row) < 0);
    // Older matches may belong between the last row and this one.
    if (at === -1 && !this.#isWhole) return rows;
    const longer = rows.toSpliced(at === -1 ? rows.length : at, 0, match);
    if (longer.length <= KEPT_FACTOR * this.#depth) return longer;
    this.#isWhole = false;
    return longer.slice(0, this.#depth);
  }
}
