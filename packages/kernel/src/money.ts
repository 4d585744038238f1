import { assert } from "./assert.ts";
import type { Brand } from "./brand.ts";
import { ok, type Result, refuse } from "./result.ts";

/** Micro-holocoins: 1 HC = 1,000,000 (ruling 3). Negative only as a posting or a difference. */
export type Coins = Brand<bigint, "Coins">;
/** Kobo: ₦1 = 100 (ruling 3). */
export type Kobo = Brand<bigint, "Kobo">;

export const MICRO_PER_HC = 1_000_000n;
/**
 * Far above any amount, balance or sum of the product (9 billion HC): more is a broken invariant.
 */
export const COINS_MAX = 9_000_000_000_000_000n;

/** The largest amount that a person may enter, also for a withdrawal: ₦1,000,000,000. */
export const KOBO_MAX = 100_000_000_000n;
/** The minimum of a deposit and of a withdrawal: ₦5,000 (specification 5 and 9). */
export const PAYMENT_KOBO_MIN = 500_000n as Kobo;
/** The most that the provider takes in one deposit, its fee included: ₦10,000,000. */
export const CHARGE_KOBO_MAX = 1_000_000_000n as Kobo;

export const ZERO_COINS = 0n as Coins;

export function toCoins(micro: bigint): Coins {
  return micro as Coins;
}

export function wholeCoins(hc: number): Coins {
  return (BigInt(hc) * MICRO_PER_HC) as Coins;
}

export function addCoins(a: Coins, b: Coins): Coins {
  return (a + b) as Coins;
}

export function subtractCoins(a: Coins, b: Coins): Coins {
  return (a - b) as Coins;
}

export function toKobo(kobo: bigint): Kobo {
  return kobo as Kobo;
}

/**
 * What a deposit of `kobo` credits, rounded up to the micro-holocoin (ruling 3). `rateKobo` is kobo
 * for one holocoin. Asserts 0 to `KOBO_MAX` kobo at a positive integer rate.
 */
export function toCoinsIn(kobo: Kobo, rateKobo: number): Coins {
  const floor = toCoinsOut(kobo, rateKobo);
  return (floor * toRate(rateKobo) === kobo * MICRO_PER_HC ? floor : floor + 1n) as Coins;
}

/**
 * What a withdrawal of `kobo` debits, rounded down (ruling 3): at most what a deposit of the same
 * amount credits at that rate. Bounds as `toCoinsIn`.
 */
export function toCoinsOut(kobo: Kobo, rateKobo: number): Coins {
  assert(kobo >= 0n && kobo <= KOBO_MAX, `an amount of ${kobo} kobo`);
  const coins = toCoinsWorth(kobo, rateKobo);
  assert(coins < COINS_MAX, `${kobo} kobo at ${rateKobo} are ${coins} coins`);
  return coins;
}

/** The coins that a sum covers, rounded down. Sums may exceed `KOBO_MAX`. */
export function toCoinsWorth(kobo: Kobo, rateKobo: number): Coins {
  return ((kobo * MICRO_PER_HC) / toRate(rateKobo)) as Coins;
}

/** What these coins are worth if all are withdrawn, in one payment or several. Debts: 0. */
export function toKoboWorth(coins: Coins, rateKobo: number): Kobo {
  // Above ₦10,000 for a holocoin, a kobo is less than the smallest coin.
  if (coins <= 0n) return 0n as Kobo;
  return (((coins + 1n) * toRate(rateKobo) - 1n) / MICRO_PER_HC) as Kobo;
}

/** The largest single withdrawal that these coins cover, at most `KOBO_MAX`. */
export function toKoboOut(coins: Coins, rateKobo: number): Kobo {
  const kobo = toKoboWorth(coins, rateKobo);
  return kobo < KOBO_MAX ? kobo : (KOBO_MAX as Kobo);
}

/** What is owed for coins, rounded up to the kobo. Sums may exceed `KOBO_MAX`. */
export function toKoboOwed(coins: Coins, rateKobo: number): Kobo {
  assert(coins >= 0n, `${coins} coins are owed`);
  return ((coins * toRate(rateKobo) + MICRO_PER_HC - 1n) / MICRO_PER_HC) as Kobo;
}

function toRate(rateKobo: number): bigint {
  assert(Number.isSafeInteger(rateKobo) && rateKobo > 0, `a rate of ${rateKobo} kobo`);
  return BigInt(rateKobo);
}

/**
 * Parses coins from the wire: decimal digits of micro-holocoins, since JSON has no such integers.
 */
export function parseCoins(text: string): Result<Coins, "not_coins"> {
  if (!/^-?\d{1,16}$/.test(text)) return refuse("not_coins");
  return ok(BigInt(text) as Coins);
}

type CoinsRounding = "down" | "up";

/**
 * `64.44` for people: two decimals, thousands separated. Balances round down (ruling 3) and prices
 * up, so that the text never promises too much. Six decimals are exact.
 */
export function formatCoins(coins: Coins, rounding: CoinsRounding = "down", decimals: 2 | 6 = 2): string {
  const negative = coins < 0n;
  const magnitude = negative ? -coins : coins;
  const step = decimals === 2 ? 10_000n : 1n;
  const upward = (rounding === "up") !== negative;
  const units = (upward ? magnitude + step - 1n : magnitude) / step;
  const scale = decimals === 2 ? 100n : MICRO_PER_HC;
  const whole = (units / scale).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = (units % scale).toString().padStart(decimals, "0");
  return `${negative && units > 0n ? "−" : ""}${whole}.${fraction}`;
}

/** A change to a balance by a game rounds like the game's price, any other like a balance. */
export type ChangeRounding = "price" | "balance";

/**
 * `+12.89` or `−12.89`: a change of a balance. A change and its reversal show the same figure.
 */
export function formatChange(coins: Coins, rounding: ChangeRounding, decimals: 2 | 6 = 2): string {
  const upward = (rounding === "price") === coins > 0n;
  return `${coins > 0n ? "+" : ""}${formatCoins(coins, upward ? "up" : "down", decimals)}`;
}

/** `₦20,000`; with kobo only where there are any: `₦19,718.64`. */
export function formatNaira(kobo: Kobo): string {
  const whole = (kobo / 100n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = kobo % 100n;
  return rest === 0n ? `₦${whole}` : `₦${whole}.${rest.toString().padStart(2, "0")}`;
}
