/** Bits of surprise: how rarely chance alone does at least this. */
export function toBits(probability: number): number {
  return Math.max(0, -Math.log2(Math.max(probability, Number.MIN_VALUE)));
}

/** Below it a few weak signals would add up among the honest. */
const SPEAKS_FROM = 2;

/** The bits of a tail, silent where they are weak. */
export function toSpokenBits(probability: number, cap: number): number {
  const bits = toBits(probability);
  return bits < SPEAKS_FROM ? 0 : Math.min(cap, bits);
}

/** How likely each number of successes from 0 to `tries` is. */
export function toBinomial(tries: number, chance: number): readonly number[] {
  if (chance <= 0 || chance >= 1)
    return Array.from({ length: tries + 1 }, (_, count) => Number(count === chance * tries));
  // In logarithms: the rarest of many are below what a number holds.
  let ways = 0;
  return Array.from({ length: tries + 1 }, (_, count) => {
    if (count > 0) ways += Math.log((tries - count + 1) / count);
    return Math.exp(ways + count * Math.log(chance) + (tries - count) * Math.log1p(-chance));
  });
}

/** At least `count` successes. */
export function sumFrom(chances: readonly number[], count: number): number {
  return count <= 0 ? 1 : chances.slice(count).reduce((sum, chance) => sum + chance, 0);
}

export function toBinomialTail(count: number, tries: number, chance: number): number {
  return sumFrom(toBinomial(tries, chance), count);
}

/** As above, where the chance is known from so many tries only. */
export function toBetaBinomialTail(count: number, tries: number, chance: number, known: number): number {
  if (count <= 0 || tries === 0) return 1;
  const [hits, misses] = [chance * known, (1 - chance) * known];
  let way = 0;
  for (let index = 0; index < tries; index += 1) way += Math.log((misses + index) / (known + index));
  let below = 0;
  for (let index = 0; index < count; index += 1) {
    below += Math.exp(way);
    way += Math.log(((tries - index) * (hits + index)) / ((index + 1) * (misses + tries - index - 1)));
  }
  return Math.max(Number.EPSILON, 1 - below);
}

/** At least `count` events where `expected` are usual. As a rest of 1 it would be inexact. */
export function toPoissonTail(count: number, expected: number): number {
  let term = Math.exp(-expected);
  for (let events = 1; events <= count; events += 1) term *= expected / events;
  let tail = 0;
  for (let events = count; term > tail * Number.EPSILON; events += 1) {
    tail += term;
    term *= expected / (events + 1);
  }
  return Math.min(1, tail);
}
