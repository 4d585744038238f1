import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { StaffConflict } from "@holo/protocol/admin/staff-conflicts.ts";
import { isAccountDeleted, lockAccount, lockLimits } from "../../accounts/accounts.ts";
import { endWithdrawalHold, loadWithdrawalHolds, saveWithdrawalHold } from "../../payments/payments.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkAccount } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";

interface WithdrawalHoldOrder {
  readonly actorId: PlayerId;
  readonly playerId: PlayerId;
  /** Shown to the player while the hold lasts, and kept in the audit log. */
  readonly reason: string;
}

type WithdrawalHoldRefusal = "reason_missing" | "access_denied" | StaffConflict | "unknown_player" | "hold_unchanged";

/**
 * While staff hold a player's withdrawals, none is accepted or sent. The coins remain the player's.
 */
export interface WithdrawalHolds {
  /**
   * Holds the withdrawals. The same staff may do this as may ban the player. A withdrawal already
   * ordered from the provider continues.
   */
  hold(order: WithdrawalHoldOrder): Promise<Result<null, WithdrawalHoldRefusal>>;
  /** Releases the withdrawals and sends those that waited. */
  release(order: WithdrawalHoldOrder): Promise<Result<null, WithdrawalHoldRefusal>>;
}

interface WithdrawalHoldsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly pushLimits: (playerId: PlayerId) => Promise<void>;
}

export function openWithdrawalHolds({ database, time, pushLimits }: WithdrawalHoldsDeps): WithdrawalHolds {
  async function change(given: WithdrawalHoldOrder, isHolding: boolean): Promise<Result<null, WithdrawalHoldRefusal>> {
    const order = { ...given, reason: toSingleLine(given.reason) };
    if (order.reason === "") return refuse("reason_missing");
    const changed = await transact(database, (tx) => changeIn(tx, order, isHolding));
    if (changed.ok) await pushLimits(order.playerId);
    return changed;
  }

  async function changeIn(
    tx: Tx,
    { actorId, playerId, reason }: WithdrawalHoldOrder,
    isHolding: boolean,
  ): Promise<Result<null, WithdrawalHoldRefusal>> {
    // Serializes with accepting and sending withdrawals.
    await lockLimits(tx, playerId);
    const allowed = await checkAccount(tx, actorId, playerId);
    if (!allowed.ok) return allowed;
    const account = await lockAccount(tx, playerId);
    // Coins that return to a deleted account are paid out by staff; an existing hold can be ended.
    if (account === null || (isHolding && (await isAccountDeleted(tx, playerId)))) return refuse("unknown_player");
    if ((await loadWithdrawalHolds(tx, [playerId])).has(playerId) === isHolding) return refuse("hold_unchanged");
    const at = time.now();
    const action = isHolding ? "withdrawals_held" : "withdrawals_released";
    const event = { playerId: actorId, action, subject: playerId, detail: reason, at } as const;
    const auditEventId = await recordAuditEvent(tx, event);
    if (isHolding) await saveWithdrawalHold(tx, { playerId, reason, auditEventId, at });
    else await endWithdrawalHold(tx, { playerId, auditEventId, at });
    return ok(null);
  }

  return { hold: (order) => change(order, true), release: (order) => change(order, false) };
}
