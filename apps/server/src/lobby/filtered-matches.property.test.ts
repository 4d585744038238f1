import { toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { compareMatches, EVERY_MATCH, evolveLobby, isListed, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { FilteredMatches } from "./filtered-matches.ts";
import { toLobbyChanges } from "./list-changes.ts";

if (!process.env.DEEP) fc.configureGlobal({ seed: 20_261_123 });

const RUNS = process.env.DEEP ? 10_000 : 300;
const SLOTS = 10;
const COUNTS = [1, 2, 4];
const AWAY = toPlayerId("player-away");
const isVisible = ({ status, white }: MatchView): boolean => status !== "pending" || white.id !== AWAY;

const slot = fc.nat({ max: SLOTS - 1 });
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ type: fc.constant("create" as const), slot, isAway: fc.boolean() }) },
  {
    weight: 5,
    arbitrary: fc.record({ type: fc.constantFrom("start" as const, "end" as const, "cancel" as const), slot }),
  },
  { weight: 6, arbitrary: fc.record({ type: fc.constantFrom("announce" as const, "announce_all" as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom("load" as const, "read" as const, "answer" as const, "load_at_once" as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant("follow" as const), index: fc.nat({ max: COUNTS.length - 1 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Stored matches; the feed learns of them by announcements and by reading. */
class World {
  readonly filter;
  readonly #stored = new Map<number, MatchView>();
  /** Stored, but not announced yet. */
  readonly #announcements: MatchView[] = [];
  readonly #matches: FilteredMatches;
  readonly #pages: MatchList[] = COUNTS.map(() => ({ matches: [], hasMore: false }));
  #query: {
    readonly limit: number;
    rows: readonly MatchView[] | null;
    answer(rows: readonly MatchView[]): void;
  } | null = null;
  #created = 0;

  constructor(isPending: boolean, reserve: number) {
    this.filter = { ...EVERY_MATCH, status: isPending ? ("pending" as const) : null };
    this.#matches = new FilteredMatches({
      filter: this.filter,
      reserve,
      load: (limit) =>
        new Promise((answer) => {
          this.#query = { limit, rows: null, answer };
        }),
    });
  }

  async take(taken: Step): Promise<void> {
    switch (taken.type) {
      case "create":
        return this.#create(taken.slot, taken.isAway);
      case "start":
        return this.#change(taken.slot, ["pending"], "active");
      case "end":
        return this.#change(taken.slot, ["active"], "completed");
      case "cancel":
        return this.#change(taken.slot, ["pending", "active"], "cancelled");
      case "announce":
        return this.#announce();
      case "announce_all":
        return this.#announceAll();
      case "load_at_once":
        if (this.#query === null) void this.#matches.reload(1);
        return await this.#answer();
      case "load":
        if (this.#query === null) void this.#matches.reload(1);
        return;
      case "read":
        return this.#read();
      case "answer":
        return await this.#answer();
      case "follow":
        return this.#follow(taken.index);
    }
  }

  /**
   * With all changes announced a list equals the stored one, or is null if the rows are too few.
   */
  check(): void {
    if (this.#announcements.length > 0) return;
    for (const count of COUNTS) {
      const list = this.#matches.take(count, isVisible);
      if (list !== null) expect(list).toEqual(this.#fresh(count));
    }
  }

  async finish(): Promise<void> {
    this.#announceAll();
    await this.#answer();
    for (const [index, count] of COUNTS.entries()) {
      while (this.#matches.take(count, isVisible) === null) {
        void this.#matches.reload(count + 1);
        await this.#answer();
      }
      this.#follow(index);
      expect(this.#pages[index]).toEqual(this.#fresh(count));
    }
  }

  #fresh(count: number): MatchList {
    const shown = this.#listed().filter(isVisible);
    return { matches: shown.slice(0, count), hasMore: shown.length > count };
  }

  #listed(): readonly MatchView[] {
    return [...this.#stored.values()].filter((match) => isListed(match, this.filter)).sort(compareMatches);
  }

  #create(slot: number, isAway: boolean): void {
    if (this.#stored.has(slot)) return;
    this.#created += 1;
    const white = { id: isAway ? AWAY : toPlayerId("player-here"), username: "creator" };
    const id = toGameId(`00000000-0000-4000-8000-${String(slot).padStart(12, "0")}`);
    // Two of three are as old as the previous one.
    const createdAt = toInstant(Math.floor(this.#created / 3));
    this.#store(slot, { ...MATCH, id, white, createdAt });
  }

  #change(slot: number, from: readonly MatchView["status"][], status: MatchView["status"]): void {
    const match = this.#stored.get(slot);
    if (match !== undefined && from.includes(match.status)) this.#store(slot, { ...match, status });
  }

  #store(slot: number, match: MatchView): void {
    this.#stored.set(slot, match);
    this.#announcements.push(match);
  }

  #announce(): void {
    const match = this.#announcements.shift();
    if (match !== undefined) this.#matches.apply(match.status === "cancelled" ? match.id : match);
  }

  #announceAll(): void {
    while (this.#announcements.length > 0) this.#announce();
  }

  #read(): void {
    if (this.#query !== null) this.#query.rows ??= this.#listed().slice(0, this.#query.limit);
  }

  async #answer(): Promise<void> {
    const query = this.#query;
    if (query === null) return;
    this.#read();
    query.answer(query.rows!);
    this.#query = null;
    await new Promise((resolve) => setImmediate(resolve));
  }

  #follow(index: number): void {
    const count = COUNTS[index]!;
    const list = this.#matches.take(count, isVisible);
    if (list === null) return;
    const changes = toLobbyChanges(this.#pages[index]!, list, count);
    if (changes !== null) this.#pages[index] = evolveLobby(this.#pages[index]!, changes, count);
    expect(this.#pages[index]).toEqual(list);
  }
}

const MATCH: Omit<MatchView, "id" | "white" | "createdAt"> = {
  game: "checkers",
  status: "pending",
  black: null,
  stake: 1,
  feeBps: 740,
  limitMinutes: 5,
  winner: null,
  moveCount: 0,
  board: ".".repeat(64),
  updatedAt: toInstant(0),
};

test("a refresh during a read reads again, as that read may be older than what was missed", async () => {
  const filter = EVERY_MATCH;
  const answers: ((rows: readonly MatchView[]) => void)[] = [];
  const load = (): Promise<readonly MatchView[]> => new Promise((answer) => void answers.push(answer));
  const matches = new FilteredMatches({ filter, reserve: 0, load });
  const filled = matches.reload(2);
  const refreshed = matches.refresh();
  const id = toGameId(`00000000-0000-4000-8000-${"0".repeat(12)}`);
  const missed = { ...MATCH, id, white: { id: AWAY, username: "creator" }, createdAt: toInstant(1) };
  answers[0]?.([]);
  await new Promise((resolve) => setImmediate(resolve));
  answers[1]?.([missed]);
  await Promise.all([filled, refreshed]);
  expect(matches.take(2, () => true)).toEqual({ matches: [missed], hasMore: false });
});

test("rows and pages follow every change, also those that come while the database is read [MATCH-26]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 100, size: "max" }),
      fc.boolean(),
      fc.constantFrom(0, 1, 3),
      fc.nat({ max: SLOTS - 2 }),
      async (steps, isPending, reserve, older) => {
        const world = new World(isPending, reserve);
        // More than the first query reads.
        for (let at = 0; at < older; at += 1) await world.take({ type: "create", slot: at, isAway: false });
        await world.take({ type: "announce_all" });
        await world.take({ type: "load_at_once" });
        for (const one of steps) {
          await world.take(one);
          world.check();
        }
        await world.finish();
      },
    ),
    { numRuns: RUNS },
  );
});
