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

interface ReleaseOrder extends WithdrawalHoldOrder {
  /** The hold that staff saw: a newer one was made for another reason. */
  readonly holdId: string;
}

type WithdrawalHoldRefusal =
  | "reason_missing"
  | "access_denied"
  | StaffConflict
  | "unknown_player"
  | "hold_unchanged"
  | "hold_changed";

/**
 * While staff hold a player's withdrawals, none is accepted or sent. The coins remain the player's.
 */
export interface WithdrawalHolds {
  /**
   * Holds the withdrawals. The same staff may do this as may ban the player. A withdrawal already
   * ordered from the provider continues.
   */
  hold(order: WithdrawalHoldOrder): Promise<Result<null, WithdrawalHoldRefusal>>;
  /** Ends this hold and sends the withdrawals that waited. */
  release(order: ReleaseOrder): Promise<Result<null, WithdrawalHoldRefusal>>;
}

interface WithdrawalHoldsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly pushLimits: (playerId: PlayerId) => Promise<void>;
}

export function openWithdrawalHolds({ database, time, pushLimits }: WithdrawalHoldsDeps): WithdrawalHolds {
  /** `holdId`: the hold to release; null begins one. */
  async function change(
    given: WithdrawalHoldOrder,
    holdId: string | null,
  ): Promise<Result<null, WithdrawalHoldRefusal>> {
    const order = { ...given, reason: toSingleLine(given.reason) };
    if (order.reason === "") return refuse("reason_missing");
    const changed = await transact(database, (tx) => changeIn(tx, order, holdId));
    if (changed.ok) await pushLimits(order.playerId);
    return changed;
  }

  async function changeIn(
    tx: Tx,
    { actorId, playerId, reason }: WithdrawalHoldOrder,
    holdId: string | null,
  ): Promise<Result<null, WithdrawalHoldRefusal>> {
    const isHolding = holdId === null;
    // Serializes with accepting and sending withdrawals.
    await lockLimits(tx, playerId);
    const allowed = await checkAccount(tx, actorId, playerId);
    if (!allowed.ok) return allowed;
    const account = await lockAccount(tx, playerId);
    // Coins that return to a deleted account are paid out by staff; an existing hold can be ended.
    if (account === null || (isHolding && (await isAccountDeleted(tx, playerId)))) return refuse("unknown_player");
    const inForce = (await loadWithdrawalHolds(tx, [playerId])).get(playerId);
    if ((inForce !== undefined) === isHolding) return refuse("hold_unchanged");
    if (inForce !== undefined && inForce.id !== holdId) return refuse("hold_changed");
    const at = time.now();
    const action = isHolding ? "withdrawals_held" : "withdrawals_released";
    const event = { playerId: actorId, action, subject: playerId, detail: reason, at } as const;
    const auditEventId = await recordAuditEvent(tx, event);
    if (isHolding) await saveWithdrawalHold(tx, { playerId, reason, auditEventId, at });
    else await endWithdrawalHold(tx, { playerId, auditEventId, at });
    return ok(null);
  }

  return { hold: (order) => change(order, null), release: (order) => change(order, order.holdId) };
}
