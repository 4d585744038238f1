import type { PlayedGame, Strength } from "./facts.ts";

/** Of someone about whom nothing is known. */
export const UNKNOWN_STRENGTH: Strength = { rating: 1450, deviation: 280 };
const SCALE = 400 / Math.LN10;
const ROUNDS = 8;

/** The strength that results speak for, weighed against what is usual (Newton's method). */
export function toStrength(games: readonly Pick<PlayedGame, "score" | "opponent">[]): Strength {
  const usual = UNKNOWN_STRENGTH;
  let { rating } = usual;
  let information = 1 / usual.deviation ** 2;
  for (let round = 0; round < ROUNDS; round += 1) {
    let slope = (usual.rating - rating) / usual.deviation ** 2;
    information = 1 / usual.deviation ** 2;
    for (const { score, opponent } of games) {
      const weight = 1 / Math.sqrt(1 + (3 * (opponent.deviation / SCALE) ** 2) / Math.PI ** 2) / SCALE;
      const expected = 1 / (1 + Math.exp(-weight * (rating - opponent.rating)));
      slope += weight * (score - expected);
      information += weight ** 2 * expected * (1 - expected);
    }
    rating += slope / information;
  }
  return { rating, deviation: 1 / Math.sqrt(information) };
}
