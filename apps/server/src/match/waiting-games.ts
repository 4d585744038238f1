import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { MINUTE_MS } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { GameType } from "@holo/rules/rules.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { isUnlisted, type TableState } from "@holo/table/state.ts";

interface TermsOfGame {
  readonly game: GameType;
  readonly stake: Stake;
  readonly limitMs: number;
  readonly feeBps: number;
}

interface WaitingGame {
  readonly gameId: GameId;
  readonly creatorId: PlayerId;
  /** Ms since 1970. */
  readonly createdAt: number;
}

/**
 * The listed games that wait, as far as this server knows, by terms and longest first. The database
 * judges who joins and who creates.
 */
export class WaitingGames {
  readonly #byTerms = new Map<string, readonly WaitingGame[]>();
  readonly #termsOf = new Map<GameId, string>();

  add(game: WaitingGame, terms: TermsOfGame): void {
    if (this.#termsOf.has(game.gameId)) return;
    const key = toTermsKey(terms);
    // Messages of several servers arrive in any order.
    const games = [...this.list(terms), game].sort((a, b) => a.createdAt - b.createdAt);
    this.#byTerms.set(key, games);
    this.#termsOf.set(game.gameId, key);
  }

  update(state: TableState<unknown>): void {
    const { gameId, players, createdAt } = state;
    if (state.status !== "waiting" || isUnlisted(state)) this.#delete(gameId);
    else this.add({ gameId, creatorId: players[0], createdAt }, state);
  }

  updateMatch({ id, status, white, game, stake, limitMinutes, feeBps, createdAt }: MatchView): void {
    if (status !== "pending") return this.#delete(id);
    const terms = { game, stake, limitMs: limitMinutes * MINUTE_MS, feeBps };
    this.add({ gameId: id, creatorId: white.id, createdAt }, terms);
  }

  has(gameId: GameId): boolean {
    return this.#termsOf.has(gameId);
  }

  list(terms: TermsOfGame): readonly WaitingGame[] {
    return this.#byTerms.get(toTermsKey(terms)) ?? [];
  }

  #delete(gameId: GameId): void {
    const key = this.#termsOf.get(gameId);
    if (key === undefined) return;
    this.#termsOf.delete(gameId);
    const games = this.#byTerms.get(key)!.filter((game) => game.gameId !== gameId);
    if (games.length === 0) this.#byTerms.delete(key);
    else this.#byTerms.set(key, games);
  }
}

export function toTermsKey({ game, stake, limitMs, feeBps }: TermsOfGame): string {
  return `${game} ${stake} ${limitMs} ${feeBps}`;
}
