import { createHmac, hkdfSync } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { DAY_MS, type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";
import { saveTrace } from "./traces-store.ts";

/** By what accounts are joined: what someone withdrew to, paid with, or logged in from. */
export type TraceKind = "bank_account" | "card" | "device" | "network";

/** How long a trace is kept after its last use. */
export const TRACE_KEPT_MS: Readonly<Record<TraceKind, number>> = {
  bank_account: 365 * DAY_MS,
  card: 365 * DAY_MS,
  device: 90 * DAY_MS,
  network: 30 * DAY_MS,
};

/** Two accounts that used one device this recently are not paired for stakes (ruling 54). */
export const SHARED_DEVICE_MS = 30 * DAY_MS;

export interface Traces {
  /**
   * Keeps a keyed hash of the value. The caller holds the player's `lockLimits`, which taking a
   * seat waits for, unless the player is new.
   */
  record(tx: Tx, playerId: PlayerId, kind: TraceKind, value: string, at: Instant): Promise<void>;
}

const NETWORK_PART_MS = 60 * MINUTE_MS;

export function openTraces(secret: string): Traces {
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "holo traces", 32));

  return {
    async record(tx, playerId, kind, value, at) {
      // Another hash each hour: a network says something about those who meet in it only.
      const hour = kind === "network" ? ` ${Math.floor(at / NETWORK_PART_MS)}` : "";
      const keyedHash = createHmac("sha256", key).update(`${kind} ${value}${hour}`).digest("base64url");
      await saveTrace(tx, { playerId, kind, keyedHash }, at);
    },
  };
}
