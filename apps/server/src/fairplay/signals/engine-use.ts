import { ENGINE_USE_LIMITS, isEngineUse, toEngineUse } from "../engine/engine-use.ts";
import type { Signal } from "../finding.ts";
import type { PlayedGame } from "./facts.ts";

/** Of a normal tail: z² / 2, in bits. */
const TO_BITS = Math.LOG2E / 2;
const CAP = 20;

/** Moves that only a program finds so often, at an even pace. */
export function judgeEngineUse(games: readonly PlayedGame[], equalsRate: number | null = null): Signal {
  const use = toEngineUse(
    games.flatMap(({ own }) => own ?? []),
    equalsRate,
  );
  const { z: surprise, games: judged, real: choices } = use;
  return {
    name: "engine_use",
    version: 1,
    class: "engine",
    bits: isEngineUse(use) ? Math.min(CAP, surprise ** 2 * TO_BITS) : 0,
    figures: { surprise, games: judged, choices },
    threshold: ENGINE_USE_LIMITS.z,
  };
}

/** Too few moves are judged to tell, and those point to a program. */
export function needsMoreMoves({ bits, figures: { surprise = 0, choices = 0, games = 0 } }: Signal): boolean {
  const { z, real, games: gamesMin } = ENGINE_USE_LIMITS;
  return bits === 0 && surprise >= z / 2 && (choices < real || games < gamesMin);
}
