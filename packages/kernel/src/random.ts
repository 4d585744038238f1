/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** A small seeded generator, equal on every machine. Not for secrets. */
export function makeRandom(seed: number): Random {
  // Xorshift never leaves zero, and neighbouring seeds would begin with similar numbers.
  let state = Math.imul(seed | 0, 0x9e3779b1) | 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
