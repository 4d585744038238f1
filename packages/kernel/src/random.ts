/** A whole number from 0 to `below` - 1. */
export type Random = (below: number) => number;

/** A small generator with a seed: the same one gives the same numbers on every machine. Not for secrets. */
export function makeRandom(seed: number): Random {
  // Zero is the one state that xorshift never leaves; neighbouring seeds are spread first, or their first numbers were alike.
  let state = Math.imul(seed | 0, 0x9e3779b1) | 1;
  return (below) => {
    // Marsaglia's xorshift with 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}
