import { DAY_MS } from "@holo/kernel/instant.ts";

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
