import type { Jump } from "../judge/evidence.ts";

interface Advanced {
  readonly installation: { advanceTables(ms: number): Promise<void> };
  readonly jumps: Jump[];
}

/**
 * Moves the clock of tables forward. What clients receive before all servers have confirmed counts
 * as sent after the jump, because a server moves on before it confirms.
 */
export async function advanceTables({ installation, jumps }: Advanced, byMs: number): Promise<void> {
  const atMs = Date.now();
  await installation.advanceTables(byMs);
  jumps.push({ atMs, byMs });
}
