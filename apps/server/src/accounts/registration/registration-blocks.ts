import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, type Instant } from "@holo/kernel/instant.ts";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { type AccountEmail, lockAccount } from "../email/email-links-store.ts";
import { LOOSENING_MS, toLimitAt } from "../restrictions/limits.ts";
import { loadLimits } from "../restrictions/limits-store.ts";
import { makeCanonicalEmailHash, removePlusSuffix } from "./canonical-email.ts";
import {
  loadRegistrationBlock,
  loadRegistrationBlockPlayers,
  saveRegistrationBlock,
} from "./registration-blocks-store.ts";

export type RegistrationBlock =
  | { readonly type: "ban" }
  | { readonly type: "self_exclusion"; readonly until: Instant }
  | { readonly type: "limits"; readonly until: Instant };

/**
 * Blocks new accounts with the address of a player who is banned, excluded or waiting for a looser
 * limit. Unverified addresses are exempt: they may be a stranger's.
 */
export interface RegistrationBlocks {
  /**
   * Blocks the address of a banned or excluded player for as long as they are. Locks the account.
   */
  record(tx: Tx, playerId: PlayerId, now: Instant): Promise<void>;
  /**
   * Blocks an address that a player gives up: while banned or excluded, and for a day if they have
   * limits.
   */
  recordGivenUpEmail(tx: Tx, account: AccountEmail, now: Instant): Promise<void>;
  /** Why this address cannot be used; null if it can. Blocks caused by `exceptId` are ignored. */
  find(queries: Queries, email: string, exceptId: PlayerId | null, now: Instant): Promise<RegistrationBlock | null>;
  /** Players who caused a block of this address; deleted ones included. */
  findPlayers(queries: Queries, email: string): Promise<readonly PlayerId[]>;
  /** For limits of mails: one key for an address with any plus suffix, at every host. */
  toKey(email: string): string;
}

export function openRegistrationBlocks(secret: string): RegistrationBlocks {
  const toHash = makeCanonicalEmailHash(secret);

  return {
    toKey: (email) => toHash(removePlusSuffix(email)),

    async record(tx, playerId, now) {
      const account = await lockAccount(tx, playerId);
      if (account?.isVerified === true)
        await saveRegistrationBlock(tx, { hash: toHash(account.email), playerId, heldUntil: null }, now);
    },

    async recordGivenUpEmail(tx, { playerId, email, isVerified }, now) {
      if (!isVerified) return;
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
      if (isBanned) return { type: "ban" };
      if (exclusionUntil !== null && exclusionUntil >= (limitsUntil ?? 0))
        return { type: "self_exclusion", until: exclusionUntil };
      return limitsUntil === null ? null : { type: "limits", until: limitsUntil };
    },

    findPlayers: (queries, email) => loadRegistrationBlockPlayers(queries, toHash(email)),
  };
}
