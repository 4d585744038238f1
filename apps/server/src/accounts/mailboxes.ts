import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Queries, Tx } from "../platform/database.ts";
import { lockEmailHolder } from "./email-links-store.ts";
import { LOOSENING_MS, toLimitAt } from "./limits.ts";
import { loadLimits } from "./limits-store.ts";
import { makeMailboxHash } from "./mailbox.ts";
import { loadHold, loadHolders, saveHeld } from "./mailboxes-store.ts";

/** Why a mailbox gets no account at present. */
export type Hold =
  | { readonly type: "blocked" }
  | { readonly type: "break"; readonly until: Instant }
  | { readonly type: "limits"; readonly until: Instant };

/**
 * Mailboxes that are known again, so that neither a break, a block nor the day that loosening a limit takes is ended by an account made anew.
 * All by hashes: see `makeMailboxHash`.
 */
export interface Mailboxes {
  /** From now on the mailbox of a player who is blocked or on a break is held while they are. The account is locked by this. */
  hold(tx: Tx, playerId: PlayerId, now: Instant): Promise<void>;
  /** Holds the mailbox of an address that a player gives up: as long as that, and for a day where they have limits. */
  holdGivenUp(tx: Tx, playerId: PlayerId, email: string, now: Instant): Promise<void>;
  /** Why this address is to have no account, or no other; what is held on account of the player `exceptId` does not count for them. */
  find(queries: Queries, email: string, exceptId: PlayerId | null, now: Instant): Promise<Hold | null>;
  /** The players on whose account the mailbox of this address is held, who may have left. */
  findHolders(queries: Queries, email: string): Promise<readonly PlayerId[]>;
  /** By what the mailbox is counted where its mails are. */
  toKey(email: string): string;
}

export function openMailboxes(secret: string): Mailboxes {
  const toHash = makeMailboxHash(secret);

  return {
    toKey: toHash,

    async hold(tx, playerId, now) {
      const holder = await lockEmailHolder(tx, playerId);
      if (holder !== null) await saveHeld(tx, { hash: toHash(holder.email), playerId, heldUntil: null }, now);
    },

    async holdGivenUp(tx, playerId, email, now) {
      const limits = await loadLimits(tx, playerId);
      const kinds = ["depositDay", "depositWeek", "depositMonth", "stake"] as const;
      const isLimited = kinds.some((kind) => toLimitAt(limits[kind], now).value !== null);
      const heldUntil = isLimited ? addMs(now, LOOSENING_MS) : null;
      await saveHeld(tx, { hash: toHash(email), playerId, heldUntil }, now);
    },

    async find(queries, email, exceptId, now) {
      const { isBlocked, breakUntil, limitsUntil } = await loadHold(queries, toHash(email), exceptId, now);
      if (isBlocked) return { type: "blocked" };
      if (breakUntil !== null && breakUntil >= (limitsUntil ?? 0)) return { type: "break", until: breakUntil };
      return limitsUntil === null ? null : { type: "limits", until: limitsUntil };
    },

    findHolders: (queries, email) => loadHolders(queries, toHash(email)),
  };
}
