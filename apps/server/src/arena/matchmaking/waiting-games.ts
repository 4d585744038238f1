import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/arena/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { isUnlisted, type TableState } from "@holo/table/state.ts";

interface TermsOfGame {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
}

/**
 * The listed games that wait, as far as this node knows, by terms and longest first. The database
 * judges who joins and who creates.
 */
export class WaitingGames {
  readonly #byTerms = new Map<string, Map<GameId, PlayerId>>();
  readonly #termsOf = new Map<GameId, string>();

  add(gameId: GameId, creatorId: PlayerId, terms: TermsOfGame): void {
    const key = toTermsKey(terms);
    const games = this.#byTerms.get(key) ?? new Map<GameId, PlayerId>();
    games.set(gameId, creatorId);
    this.#byTerms.set(key, games);
    this.#termsOf.set(gameId, key);
  }

  update(state: TableState<unknown>): void {
    if (state.status === "waiting" && !isUnlisted(state)) this.add(state.gameId, state.players[0], state);
    else this.#delete(state.gameId);
  }

  updateMatch({ id, status, white, game, stake, limitMinutes, feeBps }: MatchView): void {
    if (status !== "pending") this.#delete(id);
    else this.add(id, white.id, { game, stake, limitMs: limitMinutes * MINUTE_MS, feeBps });
  }

  has(gameId: GameId): boolean {
    return this.#termsOf.has(gameId);
  }

  list(terms: TermsOfGame): readonly { readonly gameId: GameId; readonly creatorId: PlayerId }[] {
    const games = this.#byTerms.get(toTermsKey(terms));
    return games === undefined ? [] : Array.from(games, ([gameId, creatorId]) => ({ gameId, creatorId }));
  }

  #delete(gameId: GameId): void {
    const key = this.#termsOf.get(gameId);
    if (key === undefined) return;
    this.#termsOf.delete(gameId);
    const games = this.#byTerms.get(key);
    games?.delete(gameId);
    if (games?.size === 0) this.#byTerms.delete(key);
  }
}

export function toTermsKey({ game, stake, limitMs, feeBps }: TermsOfGame): string {
  return `${game} ${stake} ${limitMs} ${feeBps}`;
}
