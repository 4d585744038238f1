import { describe, expect, test } from "vitest";
import type { FlowFacts, Seek } from "./facts.ts";
import { lost, makeEncounter, makeFacts, makeMoney, moved, sourceKey, thrown, toEdge, won } from "./testing/facts.ts";
import { weighFlow } from "./weigh.ts";

/** Whatever the threshold's shift, so that no test passes by chance. */
function decideAll(facts: FlowFacts): readonly (string | null)[] {
  return [...new Set([-0.5, 0, 0.5].map((shift) => weighFlow(facts, shift).decision))];
}

const along = (...games: Parameters<typeof toEdge>) => ({ last: toEdge(...games), way: toEdge(...games) });
const young = { age: { sourceDays: 2, playerDays: 5 } };
const busy = (many: number): readonly Seek[] =>
  Array.from({ length: many }, () => ({ isWithSource: true, candidates: 8, candidatesOfSource: 1 }));

describe("is not held", () => {
  test.each<[string, FlowFacts]>([
    [
      "a friend who loses nightly and sometimes gives up early",
      makeFacts({
        money: makeMoney({ quick: 0 }),
        ...along([...thrown(4), ...lost(40), ...won(25)], [...lost(20), ...won(20)]),
        encounters: [makeEncounter(44, 25, 80)],
      }),
    ],
    [
      "new friends who play all night for much, and to the end",
      makeFacts({
        ...young,
        money: makeMoney({ recentCoins: 650e6, ownCoins: 650e6 }),
        ...along([...thrown(1), ...lost(55), ...won(30)]),
        encounters: [makeEncounter(56, 30)],
      }),
    ],
    [
      "new friends who only play each other",
      makeFacts({ ...young, ...along([...thrown(1), ...lost(8), ...won(5)]), encounters: [makeEncounter(9, 5)] }),
    ],
    [
      "a new friend who lost a large sum within a few nights",
      makeFacts({
        ...young,
        money: makeMoney({ recentCoins: 800e6, ownCoins: 800e6 }),
        ...along([...thrown(3), ...lost(22), ...won(2)]),
        encounters: [makeEncounter(27, 2)],
      }),
    ],
    [
      "a pupil who never wins against the coach",
      makeFacts({ ...along(lost(20), [...lost(20), ...won(10)]), encounters: [makeEncounter(20, 0, 600)] }),
    ],
    [
      "a family's coins that came back over a stranger",
      makeFacts({
        money: makeMoney({ won: 150e6 }),
        ...along(lost(3)),
        encounters: [makeEncounter(3, 1)],
        means: { strength: 0.8, kinds: new Set(["device"]), isDetour: true },
      }),
    ],
    [
      "a friend on whose phone one logged in after they played",
      makeFacts({
        ...along([...thrown(1), ...lost(6)]),
        means: { strength: 0.8, kinds: new Set(["device"]), isDetour: false },
      }),
    ],
    [
      "a beginner who loses all within an hour to one new player",
      makeFacts({ ...young, ...along(lost(4)), encounters: [makeEncounter(4, 0)] }),
    ],
    [
      "the same beginner, who gave up one game too early",
      makeFacts({ ...young, ...along([...thrown(1), ...lost(3)]), encounters: [makeEncounter(4, 0)] }),
    ],
    [
      "a lucky winner of one large game",
      makeFacts({ money: makeMoney({ recentCoins: 100e6 }), ...along(thrown(1)), encounters: [makeEncounter(1, 0)] }),
    ],
    [
      "who meets one opponent again and again on an empty night",
      makeFacts({
        ...along(lost(6)),
        encounters: [makeEncounter(6, 1)],
        seeks: busy(6).map((seek) => ({ ...seek, candidates: 1 })),
      }),
    ],
    [
      "who got a little of a large sum that others live on",
      makeFacts({ money: makeMoney({ recentCoins: 900e6, ownCoins: 12e6 }), ...along(lost(2)) }),
    ],
    [
      "who won a little of what an honest player lost to many",
      makeFacts({
        ...young,
        money: makeMoney({ recentCoins: 900e6, ownCoins: 60e6 }),
        ...along([...thrown(1), ...lost(2)]),
        encounters: [makeEncounter(3, 0)],
      }),
    ],
    [
      "who won in good faith from a mule",
      makeFacts({ last: toEdge(lost(3)), way: toEdge([...thrown(8), ...lost(3)]), encounters: [makeEncounter(3, 0)] }),
    ],
    [
      "who won less than anyone cheats for",
      makeFacts({ ...young, money: makeMoney({ recentCoins: 30e6, ownCoins: 30e6 }), ...along(thrown(6)) }),
    ],
    [
      "a farmer, to whom many give up",
      makeFacts({ money: makeMoney({ won: 900e6 }), ...along(thrown(4)), encounters: [makeEncounter(4, 0)] }),
    ],
  ])("%s", (_, facts) => {
    expect(decideAll(facts)).not.toContain("hold");
  });
});

describe("is held", () => {
  const mule = { sourceKey, isOwn: false, coins: 30e6, won: 30e6, wonFromSource: 30e6 };

  test.each<[string, FlowFacts]>([
    [
      "one of four mules, four games each (B)",
      makeFacts({
        money: makeMoney({
          won: 30e6,
          wonFromSource: 30e6,
          ownCoins: 30e6,
          recentCoins: 120e6,
          holders: [mule, mule, mule, mule],
        }),
        ...along(thrown(4)),
        encounters: [makeEncounter(4, 0)],
      }),
    ],
    [
      "sixteen games lost and two won back (C)",
      makeFacts({ ...along([...thrown(16), ...won(2)]), encounters: [makeEncounter(16, 2)] }),
    ],
    [
      "a chain by matchmaking that half gives up (D)",
      makeFacts({
        money: makeMoney({ recentCoins: 150e6, ownCoins: 150e6 }),
        ...along([...thrown(2), ...lost(2)]),
        encounters: [makeEncounter(4, 0)],
        seeks: busy(4),
      }),
    ],
    [
      "the same chain, which throws nothing and times its seeks",
      makeFacts({
        money: makeMoney({ recentCoins: 150e6, ownCoins: 150e6 }),
        ...along(lost(4)),
        encounters: [makeEncounter(4, 0)],
        seeks: busy(4),
      }),
    ],
    [
      "a farmer, to whom one opponent threw every game",
      makeFacts({ money: makeMoney({ won: 900e6 }), ...along(thrown(6)), encounters: [makeEncounter(6, 0)] }),
    ],
    [
      "a long series whose moves show that it was lost on purpose",
      makeFacts({
        ...young,
        money: makeMoney({ recentCoins: 150e6, ownCoins: 150e6 }),
        ...along([...lost(10), ...moved({ errors: 9 }, 10)], moved({}, 10)),
        encounters: [makeEncounter(20, 0)],
      }),
    ],
    [
      "coins whose deposit is disputed later (E)",
      makeFacts({
        money: makeMoney({
          holders: [{ sourceKey, isOwn: false, coins: 420e6, won: 420e6, wonFromSource: 420e6 }],
          recentCoins: 420e6,
          ownCoins: 148e6,
        }),
        ...along(thrown(4)),
      }),
    ],
    [
      "a detour over a mule to oneself",
      makeFacts({
        money: makeMoney({ recentCoins: 150e6, ownCoins: 150e6 }),
        ...along(lost(4)),
        encounters: [makeEncounter(4, 0)],
        means: { strength: 1, kinds: new Set(["bank_account"]), isDetour: true },
      }),
    ],
    [
      "a mule that won as much elsewhere, to which all was thrown",
      makeFacts({ money: makeMoney({ won: 150e6 }), ...along(thrown(5)), encounters: [makeEncounter(5, 0)] }),
    ],
    [
      "a large sum of which only the coins speak",
      makeFacts({
        money: makeMoney({ recentCoins: 1_000e6, ownCoins: 1_000e6 }),
        ...along(lost(6)),
        encounters: [makeEncounter(6, 0, 400)],
      }),
    ],
  ])("%s", (_, facts) => {
    expect(decideAll(facts)).toEqual(["hold"]);
  });
});

test("a chain weighs more than its last step, and never more than twice of it", () => {
  const toPlay = (last: Parameters<typeof toEdge>[0], all: Parameters<typeof toEdge>[0]) =>
    weighFlow(makeFacts({ last: toEdge(last), way: toEdge(all) }), 0).signals.find(({ name }) => name === "thrown")
      ?.bits;
  const step = [...thrown(2), ...lost(2)];
  const alone = toPlay(step, step)!;
  expect(toPlay(step, [...step, ...step])).toBeGreaterThan(alone);
  expect(toPlay(step, [...step, ...thrown(20)])).toBeCloseTo(2 * alone, 6);
  expect(toPlay(lost(4), thrown(20))).toBe(0);
});

test("the more coins, the less has to be known about them", () => {
  const decide = (coins: number, facts: Partial<FlowFacts> = {}) =>
    decideAll(makeFacts({ money: makeMoney({ recentCoins: coins, ownCoins: coins }), ...facts }));
  expect([decide(20e6), decide(250e6), decide(1_000e6)]).toEqual([[null], ["list"], ["hold"]]);
  const given = { ...young, ...along([...thrown(1), ...lost(1)]) };
  expect([decide(60e6, given), decide(200e6, given)]).toEqual([["list"], ["hold"]]);
});

test("being new counts beside captive coins of a large sum only", () => {
  const money = makeMoney({ recentCoins: 500e6, ownCoins: 500e6, quick: 0, kept: 30e6 });
  expect(decideAll(makeFacts({ money }))).toEqual([null]);
  expect(decideAll(makeFacts({ money, ...young }))).toEqual(["hold"]);
  const small = makeMoney({ recentCoins: 200e6, ownCoins: 200e6, quick: 0, kept: 30e6 });
  expect(decideAll(makeFacts({ money: small, ...young }))).toEqual([null]);
});

test("a sum so large is held for signs that would not even list a smaller one", () => {
  const decide = (coins: number) =>
    decideAll(makeFacts({ money: makeMoney({ recentCoins: coins, ownCoins: coins, quick: 0, kept: 30e6 }) }));
  expect([decide(500e6), decide(1_300e6)]).toEqual([[null], ["hold"]]);
});

test("where coins and games say the same, a small sum is held, and what others got counts", () => {
  const decide = (ownCoins: number, recentCoins: number, games: number) =>
    decideAll(makeFacts({ ...young, money: makeMoney({ ownCoins, recentCoins }), ...along(thrown(games)) }));
  expect(decide(40e6, 40e6, 2)).toEqual(["hold"]);
  expect(decide(40e6, 40e6, 0)).not.toContain("hold");
  expect(decide(10e6, 90e6, 2)).toEqual(["hold"]);
  expect(decide(10e6, 20e6, 2)).toEqual([null]);
});
