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
  let whole = [1];
  for (let done = 0; done < tries; done += 1) {
    whole = Array.from(
      { length: done + 2 },
      (_, count) => (whole[count] ?? 0) * (1 - chance) + (whole[count - 1] ?? 0) * chance,
    );
  }
  return whole;
}

/** At least `count` successes. */
export function sumFrom(chances: readonly number[], count: number): number {
  return count <= 0 ? 1 : chances.slice(count).reduce((sum, chance) => sum + chance, 0);
}

export function toBinomialTail(count: number, tries: number, chance: number): number {
  return sumFrom(toBinomial(tries, chance), count);
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
