import { toDigestHead } from "./sha256.ts";

/** So long the page computes before it draws and reacts again. */
const SLICE_MS = 12;
const TRIES_PER_LOOK = 256;

/** Solves a challenge of the server: a text whose SHA-256 begins with so many zero bits. */
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
      for (let count = 0; count < TRIES_PER_LOOK; count += 1, tried += 1) {
        const proof = `${challenge}:${tried.toString(36)}`;
        if (Math.clz32(toDigestHead(proof)) >= bits) return proof;
      }
    }
    await new Promise((resolve) => setTimeout(resolve));
  }
}
