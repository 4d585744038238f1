import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { type GameTopics, type LoadPlayers, loadMatchViews, loadWaiting } from "../game/game.ts";
import type { Bus } from "../platform/bus.ts";
import type { Queries } from "../platform/database/database.ts";

type Terms = Pick<MatchView, "game" | "stake" | "limitMinutes" | "feeBps">;

const STAGES: Readonly<Record<MatchView["status"], number>> = { pending: 0, active: 1, completed: 2, cancelled: 2 };
const STAGES_KEPT = 5_000;

/**
 * The listed games that wait, as far as this server knows. The database judges who joins and who
 * creates.
 */
export class WaitingGames {
  readonly #byCreator = new Map<PlayerId, MatchView>();
  /** Longest first. */
  readonly #byTerms = new Map<string, readonly MatchView[]>();
  readonly #keys = new Map<GameId, string>();
  /** The newest stages, because messages of two servers may overtake each other. */
  readonly #stages = new Map<GameId, number>();
  readonly #listeners: ((match: MatchView) => void)[] = [];

  /** Each player has one at most. */
  get byCreator(): ReadonlyMap<PlayerId, MatchView> {
    return this.#byCreator;
  }

  has(gameId: GameId): boolean {
    return this.#keys.has(gameId);
  }

  list(terms: Terms): readonly MatchView[] {
    return this.#byTerms.get(toTermsKey(terms)) ?? [];
  }

  /** Games on the same terms, where there are several. */
  listGroups(): readonly (readonly MatchView[])[] {
    return [...this.#byTerms.values()].filter(({ length }) => length > 1);
  }

  /** The newest change of a game that is known here, also by another server. */
  onChange(receive: (match: MatchView) => void): void {
    this.#listeners.push(receive);
  }

  /** A game has changed, as this or another server says. */
  note(match: MatchView): void {
    if (this.#isOutdated(match)) return;
    const { id, status, white } = match;
    if (status === "pending") {
      this.#byCreator.set(white.id, match);
      this.#add(match);
    } else {
      if (this.#byCreator.get(white.id)?.id === id) this.#byCreator.delete(white.id);
      this.#delete(id);
    }
    for (const receive of this.#listeners) receive(match);
  }

  #isOutdated({ id, status }: MatchView): boolean {
    if (STAGES[status] < (this.#stages.get(id) ?? 0)) return true;
    this.#stages.delete(id);
    this.#stages.set(id, STAGES[status]);
    const [oldest] = this.#stages.keys();
    if (this.#stages.size > STAGES_KEPT && oldest !== undefined) this.#stages.delete(oldest);
    return false;
  }

  #add(match: MatchView): void {
    if (this.#keys.has(match.id)) return;
    const key = toTermsKey(match);
    // Messages of several servers arrive in any order.
    this.#byTerms.set(
      key,
      [...this.list(match), match].sort((a, b) => a.createdAt - b.createdAt),
    );
    this.#keys.set(match.id, key);
  }

  #delete(gameId: GameId): void {
    const key = this.#keys.get(gameId);
    if (key === undefined) return;
    this.#keys.delete(gameId);
    const games = this.#byTerms.get(key)!.filter(({ id }) => id !== gameId);
    if (games.length === 0) this.#byTerms.delete(key);
    else this.#byTerms.set(key, games);
  }
}

export function toTermsKey({ game, stake, limitMinutes, feeBps }: Terms): string {
  return `${game} ${stake} ${limitMinutes} ${feeBps}`;
}

interface WaitingGamesDeps {
  readonly queries: Queries;
  readonly bus: Bus<GameTopics>;
  readonly loadPlayers: LoadPlayers;
}

export async function openWaitingGames({ queries, bus, loadPlayers }: WaitingGamesDeps): Promise<WaitingGames> {
  const waitingGames = new WaitingGames();
  for (const match of await loadMatchViews(await loadWaiting(queries), loadPlayers)) waitingGames.note(match);
  bus.subscribe("match", ({ match }) => waitingGames.note(match));
  return waitingGames;
}
