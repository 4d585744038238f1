import type { GameId } from "@holo/kernel/ids.ts";
import { afterEach, describe, expect, it, vi } from "vitest";
import { stubClosedStorage, stubStorage } from "../../lib/testing/stub-storage.ts";
import { loadEvaluations, saveEvaluations } from "./kept-evaluations.ts";

const SOME = [{ whiteChance: 50.4, best: { path: [42, 35] } }];
const idOf = (number: number) => `game-${number}` as GameId;

afterEach(() => vi.unstubAllGlobals());

describe("the evaluations kept on a device", () => {
  it("are those of the same game and depth", () => {
    stubStorage("localStorage");
    expect(loadEvaluations(idOf(1), 100)).toEqual([]);
    saveEvaluations(idOf(1), 100, SOME);
    expect(loadEvaluations(idOf(1), 100)).toEqual(SOME);
    expect([loadEvaluations(idOf(2), 100), loadEvaluations(idOf(1), 200)]).toEqual([[], []]);
  });

  it("are of the last ten games", () => {
    stubStorage("localStorage");
    for (let number = 1; number <= 11; number += 1) saveEvaluations(idOf(number), 100, SOME);
    expect([loadEvaluations(idOf(1), 100), loadEvaluations(idOf(2), 100)]).toEqual([[], SOME]);
  });

  it("are none where storage is blocked or holds something else", () => {
    stubClosedStorage("localStorage");
    saveEvaluations(idOf(1), 100, SOME);
    expect(loadEvaluations(idOf(1), 100)).toEqual([]);
    const kept = stubStorage("localStorage");
    for (const text of [
      "{",
      "7",
      '[{"gameId":"game-1","nodes":100}, null]',
      '[{"gameId":"game-1","evaluations":[{}]}]',
    ]) {
      kept.set("holo.reviews", text);
      expect(loadEvaluations(idOf(1), 100), text).toEqual([]);
    }
  });
});
