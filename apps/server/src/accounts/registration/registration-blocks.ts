import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { lockAccount } from "../email/email-links-store.ts";
import { LOOSENING_MS, toLimitAt } from "../restrictions/limits.ts";
import { loadLimits } from "../restrictions/limits-store.ts";
import { makeCanonicalEmailHash } from "./canonical-email.ts";
import {
  loadRegistrationBlock,
  loadRegistrationBlockPlayers,
  saveRegistrationBlock,
} from "./registration-blocks-store.ts";

/** Why a mailbox gets no account at present. */
export type RegistrationBlock =
  | { readonly type: "blocked" }
  | { readonly type: "break"; readonly until: Instant }
  | { readonly type: "limits"; readonly until: Instant };

/**
 * Mailboxes that are known again, so that neither a break, a block nor the day that loosening a limit takes is ended by an account made anew.
 * All by hashes: see `makeMailboxHash`.
 */
export interface RegistrationBlocks {
  /** From now on the mailbox of a player who is blocked or on a break is held while they are. The account is locked by this. */
  record(tx: Tx, playerId: PlayerId, now: Instant): Promise<void>;
  /** Holds the mailbox of an address that a player gives up: as long as that, and for a day where they have limits. */
  recordGivenUpEmail(tx: Tx, playerId: PlayerId, email: string, now: Instant): Promise<void>;
  /** Why this address is to have no account, or no other; what is held on account of the player `exceptId` does not count for them. */
  find(queries: Queries, email: string, exceptId: PlayerId | null, now: Instant): Promise<RegistrationBlock | null>;
  /** The players on whose account the mailbox of this address is held, who may have left. */
  findPlayers(queries: Queries, email: string): Promise<readonly PlayerId[]>;
  /** By what the mailbox is counted where its mails are. */
  toKey(email: string): string;
}

export function openRegistrationBlocks(secret: string): RegistrationBlocks {
  const toHash = makeCanonicalEmailHash(secret);

  return {
    toKey: toHash,

    async record(tx, playerId, now) {
      const holder = await lockAccount(tx, playerId);
      if (holder !== null)
        await saveRegistrationBlock(tx, { hash: toHash(holder.email), playerId, heldUntil: null }, now);
    },

    async recordGivenUpEmail(tx, playerId, email, now) {
      const limits = await loadLimits(tx, playerId);
      const kinds = ["depositDay", "depositWeek", "depositMonth", "stake"] as const;
      const isLimited = kinds.some((kind) => toLimitAt(limits[kind], now).value !== null);
      const heldUntil = isLimited ? addMs(now, LOOSENING_MS) : null;
      await saveRegistrationBlock(tx, { hash: toHash(email), playerId, heldUntil }, now);
    },

    async find(queries, email, exceptId, now) {
      const { isBanned, exclusionUntil, limitsUntil } = await loadRegistrationBlock(
        queries,
        toHash(email),
        exceptId,
        now,
      );
      if (isBanned) return { type: "blocked" };
      if (exclusionUntil !== null && exclusionUntil >= (limitsUntil ?? 0))
        return { type: "break", until: exclusionUntil };
      return limitsUntil === null ? null : { type: "limits", until: limitsUntil };
    },

    findPlayers: (queries, email) => loadRegistrationBlockPlayers(queries, toHash(email)),
  };
}
