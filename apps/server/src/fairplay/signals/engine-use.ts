import { ENGINE_USE_LIMITS, type Equals, isEngineUse, toEngineUse } from "../engine/engine-use.ts";
import type { Signal } from "../finding.ts";
import type { PlayedGame } from "./facts.ts";

/** Of a normal tail: z² / 2, in bits. */
const TO_BITS = Math.LOG2E / 2;
const CAP = 20;

/** Moves that only a program finds so often, at an even pace. */
export function judgeEngineUse(games: readonly PlayedGame[], equals: Equals | null = null): Signal {
  const use = toEngineUse(
    games.flatMap(({ own }) => own ?? []),
    equals,
  );
  const { z: surprise, games: judged, choices } = use;
  return {
    name: "engine_use",
    version: 1,
    class: "engine",
    bits: isEngineUse(use) ? Math.min(CAP, surprise ** 2 * TO_BITS) : 0,
    figures: { surprise, games: judged, choices },
    threshold: ENGINE_USE_LIMITS.z,
  };
}

/** Reading what equals find costs something, and few games tell nothing beside it. */
export function isComparable({ figures: { games = 0 } }: Signal): boolean {
  return games >= ENGINE_USE_LIMITS.games;
}

/** Games at an even pace that may point to a program, while more could tell. */
export function needsMoreMoves(signal: Signal): boolean {
  const { surprise = 0 } = signal.figures;
  return signal.bits === 0 && (isComparable(signal) ? surprise >= ENGINE_USE_LIMITS.z / 2 : surprise > 0);
}
