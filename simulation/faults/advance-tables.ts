import type { FaultRecord } from "../judge/evidence.ts";

interface Advanced {
  readonly installation: { advanceTables(ms: number): Promise<void> };
  readonly record: Pick<FaultRecord, "jumps">;
}

/**
 * Moves the clock of tables forward. What clients receive before all servers have confirmed counts
 * as sent after the jump, because a server moves on before it confirms.
 */
export async function advanceTables({ installation, record }: Advanced, byMs: number): Promise<void> {
  const atMs = Date.now();
  await installation.advanceTables(byMs);
  record.jumps.push({ atMs, byMs });
}
