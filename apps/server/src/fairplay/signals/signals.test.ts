import { describe, expect, test } from "vitest";
import { judgeAge } from "./age.ts";
import { judgeCaptivity } from "./captivity.ts";
import { judgeEngineUse, needsMoreMoves } from "./engine-use.ts";
import { judgeErrors } from "./errors.ts";
import type { Seek } from "./facts.ts";
import { judgeHaste } from "./haste.ts";
import { judgeMeans } from "./means.ts";
import { judgeMeeting } from "./meeting.ts";
import { judgePlayed } from "./played.ts";
import { judgeResults } from "./results.ts";
import { judgeSeries } from "./series.ts";
import { judgeStalling } from "./stalling.ts";
import { toStrength, UNKNOWN_STRENGTH } from "./strength.ts";
import { toBetaBinomialTail, toBinomialTail, toBits, toPoissonTail } from "./tails.ts";
import { lost, makeEncounter, makeGame, makeMoney, moved, sourceKey, thrown, toEdge, won } from "./testing/facts.ts";
import { isThrown, judgeThrown } from "./thrown.ts";

const bitsOfThrown = (...given: Parameters<typeof toEdge>) => judgeThrown(toEdge(...given)).bits;

describe("tails", () => {
  test("of coins and of rare events are those of the books", () => {
    expect(toBinomialTail(3, 4, 0.5)).toBeCloseTo(5 / 16, 12);
    expect(toBits(toBinomialTail(4, 4, 0.1))).toBeCloseTo(13.29, 2);
    expect(toPoissonTail(0, 2)).toBeCloseTo(1, 12);
    expect(toPoissonTail(2, 1)).toBeCloseTo(1 - 2 / Math.E, 12);
    expect(toBits(toPoissonTail(20, 0.1))).toBeGreaterThan(120);
  });
});

describe("thrown games", () => {
  test("are given up where the engine sees no loss, and never lost on the board", () => {
    const toThrown = (finalScore: number | null, end: "resignation" | "time" | "checkmate" = "resignation") =>
      isThrown(makeGame({ finalScore, end }));
    expect([toThrown(-150), toThrown(-151), toThrown(null), toThrown(0, "time"), toThrown(0, "checkmate")]).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(isThrown(makeGame({ game: "checkers", end: "resignation", finalScore: -101 }))).toBe(false);
    expect(isThrown(makeGame({ score: 1, end: "resignation", finalScore: 0 }))).toBe(false);
  });

  test("four of four are at the cap, three of a friend's twelve have three bits", () => {
    expect(bitsOfThrown(thrown(4))).toBe(8);
    expect(bitsOfThrown([...thrown(3), ...lost(9)])).toBeCloseTo(3.17, 2);
  });

  test("one of a few is next to nothing", () => {
    expect(bitsOfThrown([...thrown(1), ...lost(1)])).toBeLessThan(3);
    expect(bitsOfThrown([...thrown(1), ...lost(2)])).toBe(0);
  });

  test("count little for who gives up everywhere", () => {
    expect(bitsOfThrown([...thrown(3), ...lost(3)], [...thrown(10), ...lost(10)])).toBe(0);
  });

  test("by a clock that ran out count from the second, as power is cut", () => {
    const cutOff = (many: number) => thrown(many).map((game) => ({ ...game, end: "time" as const }));
    expect(bitsOfThrown(cutOff(1))).toBe(0);
    expect(bitsOfThrown(cutOff(3))).toBeCloseTo(toBits(0.1 ** 2), 6);
  });

  test("are not seen before the engine has judged them", () => {
    expect(bitsOfThrown(thrown(4).map((game) => ({ ...game, finalScore: null })))).toBe(0);
  });
});

describe("results", () => {
  test("of two unknown players say little: eight of eight have 2.6 bits, of which two are chance", () => {
    expect(judgeResults([makeEncounter(8, 0)])).toMatchObject({ figures: { won: 8, games: 8 } });
    expect(judgeResults([makeEncounter(8, 0)]).figures.surprise).toBeCloseTo(2.6, 1);
    expect(judgeResults([makeEncounter(8, 0)]).bits).toBeLessThan(1);
  });

  test("clear coach and pupil, and speak against equals", () => {
    expect(judgeResults([makeEncounter(12, 0, 500)]).bits).toBe(0);
    expect(judgeResults([makeEncounter(12, 0, 0)]).bits).toBe(5);
  });

  test("of several losers add up", () => {
    const surpriseOf = (...met: Parameters<typeof judgeResults>[0]) => judgeResults(met).figures.surprise ?? 0;
    const one = surpriseOf(makeEncounter(4, 0, 0));
    expect(surpriseOf(makeEncounter(4, 0, 0), makeEncounter(4, 0, 0))).toBeCloseTo(2 * one, 6);
    // Each of them was looked at because they lost all.
    expect(judgeResults([makeEncounter(2, 0, 0), makeEncounter(2, 0, 0), makeEncounter(2, 0, 0)]).bits).toBeLessThan(1);
  });

  test("elsewhere show how strong a player is", () => {
    expect(toStrength([])).toEqual(UNKNOWN_STRENGTH);
    const strong = toStrength(won(30));
    expect(strong.rating).toBeGreaterThan(1_850);
    expect(strong.deviation).toBeLessThan(UNKNOWN_STRENGTH.deviation);
    const even = toStrength([...won(40), ...lost(40)]);
    expect(even.rating).toBeCloseTo(1_450, 0);
    expect(even.deviation).toBeLessThan(50);
  });
});

describe("captivity", () => {
  const bitsOf = (...given: Parameters<typeof makeMoney>) => judgeCaptivity(makeMoney(...given)).bits;

  test("of a chain: A's coins are with C, who lives on them (example D)", () => {
    const coins = 521.6e6;
    const facts = makeMoney({
      won: coins + 71.04e6,
      wonFromSource: coins,
      holders: [{ sourceKey, isOwn: false, coins, won: coins + 71.04e6, wonFromSource: coins }],
      deposited: 1_000e6,
      kept: 312.64e6,
      recentCoins: coins,
    });
    expect(judgeCaptivity(facts)).toMatchObject({ figures: { captivity: 1, kept: 0.31264 } });
    expect(judgeCaptivity(facts).figures.share).toBeCloseTo(0.88, 3);
    expect(judgeCaptivity(facts).bits).toBe(8);
  });

  test("counts what was paid: B cashed coins that A then disputed, X won the rest of B (example E)", () => {
    const b = { sourceKey, isOwn: false, coins: 420.8e6, won: 420.8e6, wonFromSource: 420.8e6 };
    const x = (others: number) => ({
      sourceKey,
      isOwn: false,
      coins: 148.16e6,
      won: 148.16e6 + others,
      wonFromSource: 148.16e6,
    });
    const judge = (others: number) =>
      judgeCaptivity(makeMoney({ won: b.won, wonFromSource: b.won, holders: [b, x(others)] })).figures.captivity;
    expect(judge(0)).toBe(1);
    expect(judge(1_000e6)).toBeCloseTo(0.74, 2);
  });

  test("is none for a strong player, who wins from many", () => {
    expect(bitsOf({ won: 500e6 })).toBe(0);
  });

  test("is none for coins that are with many", () => {
    const holders = [50e6, 20e6, 20e6].map((coins) => ({
      sourceKey,
      isOwn: false,
      coins,
      won: 100e6,
      wonFromSource: coins,
    }));
    expect(bitsOf({ holders })).toBe(0);
  });

  test("holds for mules who do not know each other: each lives on the same source", () => {
    const mule = { sourceKey, isOwn: false, coins: 12e6, won: 12e6, wonFromSource: 12e6 };
    expect(bitsOf({ won: 12e6, wonFromSource: 12e6, holders: [mule, mule, mule, mule] })).toBe(8);
  });

  test("has steps: how whole it is, how quick, how empty, how large", () => {
    const slow = { quick: 0, kept: 40e6 };
    expect(bitsOf(slow)).toBe(6);
    expect(bitsOf({ ...slow, quick: 1 })).toBe(7);
    expect(bitsOf({ ...slow, recentCoins: 400e6 })).toBe(7);
    const partly = (share: number) => [
      { sourceKey, isOwn: false, coins: share, won: 50e6, wonFromSource: 50e6 },
      { sourceKey, isOwn: false, coins: 1 - share, won: 100, wonFromSource: 1 },
    ];
    expect(bitsOf({ ...slow, holders: partly(0.6) })).toBe(3);
    expect(bitsOf({ ...slow, holders: partly(0.75) })).toBeCloseTo(4, 6);
    expect(bitsOf({ ...slow, holders: partly(0.59) })).toBe(0);
    expect(bitsOf({ ...slow, sources: 3 })).toBe(4);
  });
});

describe("meeting", () => {
  const seek = (isWithSource: boolean, candidates: number, candidatesOfSource: number): Seek => ({
    isWithSource,
    candidates,
    candidatesOfSource,
  });
  const times = (many: number, one: Seek) => Array.from({ length: many }, () => one);

  test("on empty nights explains itself", () => {
    expect(judgeMeeting(times(6, seek(true, 1, 1))).bits).toBe(0);
  });

  test("of the same two among many who seek does not", () => {
    expect(judgeMeeting(times(4, seek(true, 8, 1))).bits).toBe(5);
    expect(judgeMeeting([...times(2, seek(true, 8, 1)), ...times(30, seek(false, 8, 1))]).bits).toBe(0);
  });
});

describe("means", () => {
  const bitsOf = (strength: number, isDetour: boolean, ...kinds: ("bank_account" | "card" | "device")[]) =>
    judgeMeans({ strength, isDetour, kinds: new Set(kinds) }).bits;

  test("count on a detour, or where money itself joins the two", () => {
    expect(bitsOf(0.8, true, "device")).toBe(6);
    expect(bitsOf(0.58, true, "device")).toBe(4);
    expect(bitsOf(1, false, "bank_account")).toBe(6);
    expect(bitsOf(0.8, false, "device")).toBe(0);
    expect(bitsOf(0.3, true)).toBe(0);
  });
});

test("age counts if both ends are new", () => {
  expect(judgeAge({ sourceDays: 1, playerDays: 13 }).bits).toBe(2);
  expect(judgeAge({ sourceDays: 1, playerDays: 14 }).bits).toBe(0);
});

describe("moves", () => {
  const slow = { choices: 30, errors: 2, freeMs: Array.from({ length: 30 }, () => 6_000) };
  const fast = { ...slow, freeMs: Array.from({ length: 30 }, () => 900) };

  test("far faster than elsewhere are hasty; who is always fast is not", () => {
    expect(judgeHaste(toEdge(moved(fast), moved(slow, 3))).bits).toBe(3);
    expect(judgeHaste(toEdge(moved(fast), moved(fast, 3))).bits).toBe(0);
    expect(judgeHaste(toEdge(moved(fast))).bits).toBe(0);
  });

  test("that throw the game away count above the own rate", () => {
    const bad = { ...slow, errors: 15 };
    expect(judgeErrors(toEdge(moved(bad, 2), moved(slow, 5))).bits).toBe(8);
    expect(judgeErrors(toEdge(moved(bad, 2), moved(bad, 60))).bits).toBe(0);
    // Games of another type say nothing.
    const some = { ...slow, errors: 5 };
    const others = moved(some, 20);
    expect(judgeErrors(toEdge(moved(some, 2))).bits).toBeGreaterThan(0);
    expect(judgeErrors(toEdge(moved(some, 2), others)).bits).toBe(0);
    const checkers = others.map((game) => ({ ...game, game: "checkers" as const }));
    expect(judgeErrors(toEdge(moved(some, 2), checkers))).toEqual(judgeErrors(toEdge(moved(some, 2))));
  });
});

describe("engine use", () => {
  const perfect = { realChoices: 40, realFirst: 34, expectedFirst: 18, varianceFirst: 9, spreadMs: 2_000 };

  test("is five games of moves that only a program finds, at an even pace", () => {
    expect(judgeEngineUse(moved(perfect, 5))).toMatchObject({ figures: { games: 5, choices: 200 } });
    expect(judgeEngineUse(moved(perfect, 5)).bits).toBeGreaterThan(12);
  });

  test("is not seen in four games, in a good player, or in moves that take their time", () => {
    expect(judgeEngineUse(moved(perfect, 4)).bits).toBe(0);
    expect(judgeEngineUse(moved({ ...perfect, realFirst: 22 }, 5)).bits).toBe(0);
    expect(judgeEngineUse(moved({ ...perfect, spreadMs: 8_000 }, 5)).bits).toBe(0);
  });

  test("asks for more games while it has too few", () => {
    expect(needsMoreMoves(judgeEngineUse(moved(perfect, 2)))).toBe(true);
    expect(needsMoreMoves(judgeEngineUse(moved({}, 2)))).toBe(false);
    expect(needsMoreMoves(judgeEngineUse(moved(perfect, 5)))).toBe(false);
  });
});

test("the beta-binomial tail is the binomial one of a chance that is known well", () => {
  expect(toBetaBinomialTail(5, 30, 0.1, 1e9)).toBeCloseTo(toBinomialTail(5, 30, 0.1), 6);
  // Two tries, all chances alike: none, one and two hits are equally likely.
  expect(toBetaBinomialTail(2, 2, 0.5, 2)).toBeCloseTo(1 / 3, 10);
});

test("losses with the usual errors speak for the loser, if no game was given up", () => {
  const lose = (errors: number, games = 6) => moved({ errors, choices: 20 }, games);
  expect(judgePlayed(toEdge(lose(0))).bits).toBe(-4);
  expect(judgePlayed(toEdge(lose(1))).bits).toBeLessThan(-1);
  expect(judgePlayed(toEdge(lose(4))).bits).toBe(0);
  expect(judgePlayed(toEdge([...lose(0), ...thrown(3)])).bits).toBe(0);
  expect(judgePlayed(toEdge(lost(6))).bits).toBe(0);
});
test("a long series that was played out speaks for two friends", () => {
  expect(judgeSeries(toEdge([...thrown(3), ...lost(12)])).bits).toBe(-4);
  expect(judgeSeries(toEdge(lost(60))).bits).toBe(-6);
  expect(judgeSeries(toEdge(lost(500))).bits).toBe(-7);
  expect(judgeSeries(toEdge([...thrown(10), ...lost(20)])).bits).toBe(0);
  expect(judgeSeries(toEdge(lost(14))).bits).toBe(0);
  expect(bitsOfThrown([...thrown(7), ...lost(25)])).toBe(2);
});

test("stalling is shown and weighs nothing", () => {
  const stalled = lost(3).map((game) => ({ ...game, end: "time" as const }));
  expect(judgeStalling(toEdge(stalled))).toMatchObject({ bits: 0, figures: { stalled: 3 } });
});
