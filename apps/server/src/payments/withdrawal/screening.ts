import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Tx } from "../../platform/database/database.ts";

/** Marks suspected coins and opens their case, under the wallet's lock. */
export type Screening = (tx: Tx, afterCommit: (effect: () => void) => void, at: Instant) => Promise<void>;

/** Judges what a player is about to withdraw; null: nothing is suspected. Changes nothing. */
export type Screen = (playerId: PlayerId, now: Instant) => Promise<Screening | null>;
