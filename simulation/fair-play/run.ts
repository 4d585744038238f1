import { DAY_MS, HOUR_MS } from "@holo/kernel/instant.ts";
import { openArena } from "./arena.ts";
import { openClock } from "./clock.ts";
import { makeDraw } from "./draw.ts";
import { liveAsPair, liveHonestly, toMidnight } from "./honest.ts";
import { type LibraryOptions, openLibrary } from "./library.ts";
import { drawAddresses, drawPopulation } from "./people.ts";
import { playScheme } from "./scheme-play.ts";
import { drawScheme, type SchemeKind } from "./schemes.ts";
import { loadScore, type Score } from "./score.ts";
import { openWorld } from "./world.ts";

export interface RunOptions {
  readonly seed: number;
  readonly scheme: SchemeKind | "mixed" | "honest";
  readonly players: number;
  readonly days: number;
  /** Default: in proportion to the players. */
  readonly schemes?: number;
  /** The engine judges the moves of some games: this takes most of the time. */
  readonly judgesMoves: boolean;
  /** Of the games that are played. */
  readonly library: LibraryOptions;
  /** An empty, migrated database of its own. */
  readonly connectionString: string;
  /** Hears of each day that has passed. */
  readonly noteDay?: (day: number) => void;
}

export interface Report extends Score {
  readonly games: number;
  readonly plies: number;
  readonly virtualDays: number;
  readonly broken: string | null;
  readonly faults: readonly string[];
}

const PLAYERS_PER_SCHEME = 15;
/** Less than anyone thinks. Where no one reads the times, they may be a little too long. */
const PROMPT_MS = { judged: 900, unread: 3_000 };
const WORK_EVERY_MS = 8 * HOUR_MS;

/** One population, from its first deposits to its last withdrawals, on the server's modules. */
export async function runPopulation(options: RunOptions): Promise<Report> {
  const { seed, players, days } = options;
  const draw = makeDraw(seed);
  const arena = await openArena({ ...options, memoryFolder: options.library.folder });
  try {
    const clock = openClock(arena.time, options.judgesMoves ? PROMPT_MS.judged : PROMPT_MS.unread);
    const startAt = toMidnight(arena.time.now());
    arena.time.advance(startAt - arena.time.now());
    const addresses = drawAddresses(draw.fork("addresses"));
    const library = openLibrary(options.library);
    const world = openWorld({ arena, library, draw: draw.fork("games"), addresses });
    const population = drawPopulation(draw.fork("people"), players, addresses);
    const names = population.traits.map((_, index) => `person-${index}`);
    const people = await world.addPeople(population.traits, names, draw.fork("persons"));
    for (const [index, person] of people.entries())
      world.setFriends(
        person,
        population.friends[index]!.map((friend) => people[friend]!),
      );
    for (const person of people) clock.spawn((actor) => liveHonestly(world, actor, person, days), startAt);
    for (const pair of population.pairs) {
      const both = [people[pair.people[0]]!, people[pair.people[1]]!] as const;
      clock.spawn((actor) => liveAsPair(world, actor, pair, both, days), startAt);
    }
    const own = draw.fork("schemes");
    const count =
      options.scheme === "honest" ? 0 : (options.schemes ?? Math.max(2, Math.round(players / PLAYERS_PER_SCHEME)));
    const schemes = [];
    for (let id = 0; id < count; id += 1) {
      const kind = options.scheme as SchemeKind | "mixed";
      const scheme = drawScheme(own, kind);
      const startDay = own.between(0, days / 2);
      const deps = { world, clock, draw: own.fork(`scheme ${id}`), startAt, addresses };
      schemes.push(await playScheme(deps, { id, kind, scheme, startDay }));
    }
    clock.repeat(WORK_EVERY_MS, arena.work);
    clock.repeat(DAY_MS, async () => options.noteDay?.(Math.round((arena.time.now() - startAt) / DAY_MS)));
    await clock.run();
    return {
      ...(await loadScore(world, schemes)),
      games: world.games.played,
      plies: world.games.plies,
      virtualDays: Math.round((arena.time.now() - startAt) / DAY_MS),
      broken: await arena.findBroken(),
      faults: arena.faults,
    };
  } finally {
    await arena.close();
  }
}
