import { DAY_MS, type Instant } from "@holo/kernel/instant.ts";
import { isFree } from "./stakes.ts";

/**
 * Glicko-2 after Mark Glickman, "Example of the Glicko-2 system" (2022). Each rated game is a
 * rating period of its own; the time between two games only makes a rating less certain.
 */
export interface Rating {
  /** On the scale of Glicko: 1500 is a new player's. */
  readonly rating: number;
  /** The standard error of `rating`, as of `ratedAt`. */
  readonly deviation: number;
  /** How much the player's strength is expected to change in a period. */
  readonly volatility: number;
}

/** A player's rating after their newest rated game. */
export interface PlayerRating extends Rating {
  /** Rated games so far. */
  readonly games: number;
  /** When the newest one ended; null before the first. */
  readonly ratedAt: Instant | null;
}

export interface RatedResult {
  readonly opponent: Pick<Rating, "rating" | "deviation">;
  /** Of the player: 1 won, 0.5 drawn, 0 lost. */
  readonly score: 0 | 0.5 | 1;
}

/** Ratings of free games are never mixed with those of staked games (ruling 57). */
export const RATING_POOLS = ["staked", "free"] as const;
export type RatingPool = (typeof RATING_POOLS)[number];

/** The paper's values for a player without games. */
export const NEW_PLAYER: PlayerRating = { rating: 1500, deviation: 350, volatility: 0.06, games: 0, ratedAt: null };

/** Above it a player is shown as "new": a rating says little (ruling 43). */
export const NEW_ABOVE_DEVIATION = 110;

/** A place among ratings takes as many rated games. */
export const RANKED_GAMES_MIN = 10;

/**
 * Idle time in periods. Lichess's value: at the usual volatility of 0.06 a deviation of 60 becomes
 * 110 within a year.
 */
export const PERIOD_MS = DAY_MS / 0.21436;

/** Glickman, "The Glicko system": 30 keeps a rating able to follow its player. */
const DEVIATION_MIN = 30;
/** A player is never less certain than a new one. */
const DEVIATION_MAX = NEW_PLAYER.deviation;

/** Constrains the volatility; the paper advises 0.3 to 1.2. */
const TAU = 0.5;
const SCALE = 400 / Math.LN10;
/** The paper asks for 1e-6: far below it, two implementations agree to 1e-6. */
const CONVERGED = 1e-12;

export function toPool(stake: number): RatingPool {
  return isFree(stake) ? "free" : "staked";
}

/** The deviation at an instant: it grows with the time since the newest rated game. */
export function toDeviationAt({ deviation, volatility, ratedAt }: PlayerRating, at: Instant): number {
  if (ratedAt === null) return deviation;
  return growDeviation({ deviation, volatility }, Math.max(0, at - ratedAt) / PERIOD_MS);
}

/** Both players' ratings after a game. `score` is that of the first. */
export function rateGame(
  [first, second]: readonly [PlayerRating, PlayerRating],
  score: RatedResult["score"],
  at: Instant,
): readonly [PlayerRating, PlayerRating] {
  const [one, other] = [first, second].map((player) => ({ ...player, deviation: toDeviationAt(player, at) })) as [
    PlayerRating,
    PlayerRating,
  ];
  const rate = (player: PlayerRating, result: RatedResult): PlayerRating => {
    // The period has no length of its own: the time before it counts already.
    const { rating, deviation, volatility } = ratePeriod(player, [result], 0);
    // A clock that is a moment behind must not bring back idle time.
    const ratedAt = Math.max(at, player.ratedAt ?? at) as Instant;
    return { rating, deviation: Math.max(DEVIATION_MIN, deviation), volatility, games: player.games + 1, ratedAt };
  };
  return [
    rate(one, { opponent: other, score }),
    rate(other, { opponent: one, score: (1 - score) as RatedResult["score"] }),
  ];
}

/** Steps 2 to 8 of the paper for one period with results, whose length is `periods`. */
export function ratePeriod(player: Rating, results: readonly RatedResult[], periods = 1): Rating {
  const mu = toMu(player.rating);
  const phi = player.deviation / SCALE;
  let information = 0;
  let surprise = 0;
  for (const { opponent, score } of results) {
    const weight = toWeight(opponent.deviation / SCALE);
    const expected = toExpected(mu - toMu(opponent.rating), weight);
    information += weight * weight * expected * (1 - expected);
    surprise += weight * (score - expected);
  }
  const variance = 1 / information;
  const volatility = toVolatility(player.volatility, { phi, variance, delta: variance * surprise });
  const grown = growDeviation({ deviation: player.deviation, volatility }, periods) / SCALE;
  const phiAfter = 1 / Math.sqrt(1 / grown ** 2 + information);
  return {
    rating: (mu + phiAfter ** 2 * surprise) * SCALE + NEW_PLAYER.rating,
    deviation: phiAfter * SCALE,
    volatility,
  };
}

/** The score that a player is expected to make, if both ratings are as uncertain as they say. */
export function toExpectedScore(
  player: Pick<Rating, "rating" | "deviation">,
  opponent: RatedResult["opponent"],
): number {
  const weight = toWeight(Math.hypot(player.deviation, opponent.deviation) / SCALE);
  return toExpected((player.rating - opponent.rating) / SCALE, weight);
}

function growDeviation({ deviation, volatility }: Pick<Rating, "deviation" | "volatility">, periods: number): number {
  return Math.min(DEVIATION_MAX, Math.sqrt(deviation ** 2 + periods * (volatility * SCALE) ** 2));
}

function toMu(rating: number): number {
  return (rating - NEW_PLAYER.rating) / SCALE;
}

/** `g`: the less an opponent's strength is known, the less the result says. */
function toWeight(phi: number): number {
  return 1 / Math.sqrt(1 + (3 * phi ** 2) / Math.PI ** 2);
}

function toExpected(difference: number, weight: number): number {
  return 1 / (1 + Math.exp(-weight * difference));
}

/** Step 5: the Illinois algorithm for the zero of `f`. */
function toVolatility(
  sigma: number,
  { phi, variance, delta }: { readonly phi: number; readonly variance: number; readonly delta: number },
): number {
  const a = Math.log(sigma ** 2);
  const f = (x: number): number => {
    const squared = phi ** 2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - squared)) / (2 * squared ** 2) - (x - a) / TAU ** 2;
  };
  let left = a;
  let right = Math.log(delta ** 2 - phi ** 2 - variance);
  if (!(delta ** 2 > phi ** 2 + variance)) {
    right = a - TAU;
    while (f(right) < 0) right -= TAU;
  }
  let [fLeft, fRight] = [f(left), f(right)];
  while (Math.abs(right - left) > CONVERGED) {
    const middle = left + ((left - right) * fLeft) / (fRight - fLeft);
    const fMiddle = f(middle);
    if (fMiddle * fRight <= 0) [left, fLeft] = [right, fRight];
    else fLeft /= 2;
    [right, fRight] = [middle, fMiddle];
  }
  return Math.exp(left / 2);
}
