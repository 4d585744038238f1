import type { GameId, PlayerId } from "@holo/kernel/ids.ts";

export interface Seeker {
  readonly playerId: PlayerId;
  readonly gone: Set<GameId>;
  readonly avoided: Set<PlayerId>;
}

export type Place<Paired> =
  | { readonly type: "join"; readonly gameId: GameId }
  | { readonly type: "create" }
  /** Two seekers begin a new game; both await the same outcome. */
  | { readonly type: "pair"; readonly seat: 1 | 2; readonly paired: Promise<Paired> };

interface Waiting<One extends Seeker, Paired> {
  readonly seeker: One;
  assign(place: Place<Paired>): void;
}

interface SeekerQueueDeps<One extends Seeker, Paired> {
  findGames(seeker: One): readonly GameId[];
  /** Whether two seekers suit each other, besides what the queue knows of them. */
  suits(one: One, other: One): boolean;
  startPair(first: One, second: One): Promise<Paired>;
  /** Calls back when the game must be created. Until then another seeker can still be paired. */
  beforeCreating(call: () => void): void;
}

/**
 * Seekers on the same terms: each gets the longest waiting game, or the next seeker, or creates a
 * game. Only one creates at a time, so that two never both wait.
 */
export class SeekerQueue<One extends Seeker, Paired> {
  readonly #deps: SeekerQueueDeps<One, Paired>;
  #waiting: Waiting<One, Paired>[] = [];
  #isCreating = false;
  #isCallAwaited = false;
  readonly #tried = new Set<GameId>();

  constructor(deps: SeekerQueueDeps<One, Paired>) {
    this.#deps = deps;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && !this.#isCreating && this.#tried.size === 0;
  }

  find(seeker: One): Promise<Place<Paired>> {
    return new Promise((assign) => {
      this.#waiting.push({ seeker, assign });
      this.#assign();
    });
  }

  leave(place: Place<Paired>): void {
    if (place.type === "create") this.#isCreating = false;
    if (place.type === "join") this.#tried.delete(place.gameId);
    this.#assign();
  }

  #assign(mayCreate = false): void {
    let wantsToCreate = false;
    const rest: Waiting<One, Paired>[] = [];
    for (const one of this.#waiting) {
      const games = this.#deps.findGames(one.seeker);
      const gameId = games.find((id) => !this.#tried.has(id));
      const other = rest.findIndex(({ seeker }) => canPair(seeker, one.seeker) && this.#deps.suits(seeker, one.seeker));
      if (gameId !== undefined) {
        this.#tried.add(gameId);
        one.assign({ type: "join", gameId });
      } else if (other !== -1) {
        const [first] = rest.splice(other, 1);
        const paired = this.#deps.startPair(first!.seeker, one.seeker);
        first!.assign({ type: "pair", seat: 1, paired });
        one.assign({ type: "pair", seat: 2, paired });
      } else if (!this.#isCreating && games.length === 0 && !mayCreate) {
        wantsToCreate = true;
        rest.push(one);
      } else if (!this.#isCreating && games.length === 0) {
        this.#isCreating = true;
        one.assign({ type: "create" });
      } else rest.push(one);
    }
    this.#waiting = rest;
    if (!wantsToCreate || this.#isCallAwaited) return;
    this.#isCallAwaited = true;
    this.#deps.beforeCreating(() => {
      this.#isCallAwaited = false;
      this.#assign(true);
    });
  }
}

function canPair(one: Seeker, other: Seeker): boolean {
  return one.playerId !== other.playerId && !one.avoided.has(other.playerId) && !other.avoided.has(one.playerId);
}
