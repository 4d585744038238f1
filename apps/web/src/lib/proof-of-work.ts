/** The page computes for this long, then it can draw and react. */
const SLICE_MS = 12;
const TRIES_PER_CLOCK_READ = 256;

/** Finds a text whose SHA-256 begins with the required number of zero bits. */
export async function solveChallenge({
  challenge,
  bits,
}: {
  readonly challenge: string;
  readonly bits: number;
}): Promise<string> {
  let tried = 0;
  for (;;) {
    const sliceEndMs = performance.now() + SLICE_MS;
    while (performance.now() < sliceEndMs) {
      for (let count = 0; count < TRIES_PER_CLOCK_READ; count += 1, tried += 1) {
        const proof = `${challenge}:${tried.toString(36)}`;
        if (Math.clz32(toDigestHead(proof)) >= bits) return proof;
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4, 4.2.2). */
const ROUND_CONSTANTS = toPrimes(64).map((prime) => toFraction(Math.cbrt(prime)));
/** Fractional parts of the square roots of the first 8 primes (FIPS 180-4, 5.3.3). */
const INITIAL = toPrimes(8).map((prime) => toFraction(Math.sqrt(prime)));
/** One block without padding and length. */
const BYTES_MAX = 55;

const words = new Int32Array(64);

/**
 * The first 32 bits of the SHA-256 of an ASCII text of at most 55 characters. The browser's own
 * digest is asynchronous, which is slower for many short texts.
 */
export function toDigestHead(text: string): number {
  const length = text.length;
  if (length > BYTES_MAX) throw new RangeError("the text is longer than one block");
  words.fill(0, 0, 16);
  for (let index = 0; index < length; index += 1)
    words[index >> 2]! |= text.charCodeAt(index) << (24 - (index & 3) * 8);
  words[length >> 2]! |= 0x80 << (24 - (length & 3) * 8);
  words[15] = length * 8;
  for (let index = 16; index < 64; index += 1) {
    const [early, late] = [words[index - 15]!, words[index - 2]!];
    const spread = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mix = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[index] = words[index - 16]! + spread + words[index - 7]! + mix;
  }
  let [a, b, c, d, e, f, g, h] = INITIAL as [number, number, number, number, number, number, number, number];
  for (let index = 0; index < 64; index += 1) {
    const first = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const added = (h + first + ((e & f) ^ (~e & g)) + ROUND_CONSTANTS[index]! + words[index]!) | 0;
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + added) | 0;
    d = c;
    c = b;
    b = a;
    a = (added + second) | 0;
  }
  return (a + INITIAL[0]!) >>> 0;
}

function rotate(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function toFraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) | 0;
}

function toPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return primes;
}
