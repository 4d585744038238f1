import { createHash } from "node:crypto";
import type { Challenge } from "../password/proof-of-work.ts";

export function solveTestChallenge({ challenge, bits }: Challenge): string {
  for (let count = 0; ; count += 1) {
    const proof = `${challenge}:${count.toString(36)}`;
    const head = createHash("sha256").update(proof).digest("hex").slice(0, 8);
    if (Number.parseInt(head, 16) < 2 ** (32 - bits)) return proof;
  }
}
