import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { lockLimits } from "../restrictions/limits-store.ts";
import type { TraceKind } from "../traces/trace-kinds.ts";
import { openTraces } from "../traces/traces.ts";

const traces = openTraces("a secret of at least thirty-two characters");

/** The player now uses what the others have used: as a withdrawal or a login, under its lock. */
export async function shareTrace(
  tx: Tx,
  kind: TraceKind,
  playerId: PlayerId,
  others: readonly PlayerId[],
  at: Instant,
): Promise<void> {
  await lockLimits(tx, playerId);
  const value = randomUUID();
  for (const id of [...others, playerId]) await traces.record(tx, id, kind, value, at);
}
