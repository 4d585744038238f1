import { createHmac, hkdfSync } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import type { TraceKind } from "./trace-kinds.ts";
import { saveTrace } from "./traces-store.ts";

export interface Traces {
  /**
   * Keeps a keyed hash of the value. The caller holds the player's `lockLimits`, which taking a
   * seat waits for, unless the player is new.
   */
  record(tx: Tx, playerId: PlayerId, kind: TraceKind, value: string, at: Instant): Promise<void>;
}

export function openTraces(secret: string): Traces {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo traces", 32));

  return {
    async record(tx, playerId, kind, value, at) {
      // Another hash each hour: a network says something about those who meet in it only.
      const hour = kind === "network" ? ` ${Math.floor(at / HOUR_MS)}` : "";
      const keyedHash = createHmac("sha256", key).update(`${kind} ${value}${hour}`).digest("base64url");
      await saveTrace(tx, { playerId, kind, keyedHash }, at);
    },
  };
}
