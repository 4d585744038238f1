import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type ExclusionTerm, LIMIT_KINDS, type LimitKind } from "@holo/protocol/accounts/restriction-terms.ts";
import type { Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { AccountPartDeps } from "../account-part-deps.ts";
import { confirmPassword, lockConfirmed, type PasswordConfirmationRefusal } from "../password/confirmation.ts";
import { changeLimit, type PlayerLimit, toExclusionEnd } from "./limits.ts";
import { loadLimits, lockLimits, saveLimit, saveSelfExclusion } from "./limits-store.ts";
import { type LimitChanges, loadOwnLimits, type OwnLimits } from "./restrictions.ts";

interface ExclusionOrder {
  readonly playerId: PlayerId;
  readonly term: ExclusionTerm;
  /** Else deposits and staked games only. */
  readonly coversFreeGames: boolean;
  readonly password: string;
}

export interface OwnRestrictions {
  /** Changes limits, all or none: lower at once, higher a day later. Refusals: `bad_limit`. */
  updateLimits(playerId: PlayerId, changes: LimitChanges): Promise<Result<OwnLimits, "bad_limit">>;
  /**
   * Excludes a player from deposits and new games for a fixed term after a password check (ruling
   * 27). A waiting game that it covers is closed to others already, and is cancelled.
   */
  excludeSelf(order: ExclusionOrder): Promise<Result<OwnLimits, PasswordConfirmationRefusal>>;
}

export function openOwnRestrictions(deps: AccountPartDeps): OwnRestrictions {
  const { database, tableTime, registrationBlocks } = deps;

  return {
    async updateLimits(playerId, changes) {
      const updated = await transact(database, (tx) => saveLimitChanges(tx, playerId, changes, tableTime));
      return updated.ok ? ok(await loadOwnLimits(database.kysely, playerId, tableTime.now())) : updated;
    },

    async excludeSelf({ playerId, password, ...exclusion }) {
      const confirmed = await confirmPassword(playerId, password, deps);
      if (!confirmed.ok) return confirmed;
      const excluded = await transact(database, async (tx): Promise<Result<null, "wrong_password">> => {
        await lockLimits(tx, playerId);
        // A concurrent reset marks the exclusions before it, so none may be added unseen.
        if ((await lockConfirmed(tx, playerId, confirmed.value)) === null) return refuse("wrong_password");
        const now = await saveExclusion(tx, playerId, exclusion, tableTime);
        await registrationBlocks.record(tx, playerId, now);
        return ok(null);
      });
      if (!excluded.ok) return excluded;
      return ok(await loadOwnLimits(database.kysely, playerId, tableTime.now()));
    },
  };
}

/**
 * Changes limits, all or none. The instant is read under the lock, so that no count uses the old
 * values after it; see `changeLimit`.
 */
async function saveLimitChanges(
  tx: Tx,
  playerId: PlayerId,
  changes: LimitChanges,
  time: { now(): Instant },
): Promise<Result<null, "bad_limit">> {
  await lockLimits(tx, playerId);
  const now = time.now();
  const before = await loadLimits(tx, playerId);
  const changed: [LimitKind, PlayerLimit][] = [];
  for (const kind of LIMIT_KINDS) {
    const wanted = changes[kind];
    if (wanted === undefined) continue;
    const after = changeLimit(kind, before[kind], wanted, now);
    if (!after.ok) return after;
    changed.push([kind, after.value]);
  }
  for (const [kind, limit] of changed) await saveLimit(tx, playerId, kind, limit, now);
  return ok(null);
}

/**
 * Excludes a player from now on (ruling 27). The instant is read under the lock, so that a credit
 * that held it is older. A shorter term never shortens a running one.
 */
async function saveExclusion(
  tx: Tx,
  playerId: PlayerId,
  { term, coversFreeGames }: Pick<ExclusionOrder, "term" | "coversFreeGames">,
  time: { now(): Instant },
): Promise<Instant> {
  await lockLimits(tx, playerId);
  const now = time.now();
  await saveSelfExclusion(tx, playerId, { fromAt: now, untilAt: toExclusionEnd(term, now), coversFreeGames });
  return now;
}
