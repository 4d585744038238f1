import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { HeldBack } from "@holo/protocol/report-terms.ts";
import {
  type Accounts,
  isAccountDeleted,
  loadBans,
  lockAccount,
  lockLimits,
  removeBan,
  saveBan,
} from "../../accounts/accounts.ts";
import type { Arena } from "../../arena/arena.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { QueueMail } from "../../platform/mail/outbox.ts";
import type { Time } from "../../platform/time/time.ts";
import { recordAuditEvent } from "../audit-log/audit-log.ts";
import { checkAccount } from "../authority.ts";
import { toSingleLine } from "../single-line.ts";
import { writeBanMail } from "./ban-mail.ts";

export interface BanOrder {
  readonly actorId: PlayerId;
  readonly playerId: PlayerId;
  /** Shown to the player and kept in the audit log. */
  readonly reason: string;
}

export type BanRefusal = "reason_missing" | "access_denied" | HeldBack | "unknown_player" | "block_unchanged";

/** Banned players cannot play, chat or deposit. They can withdraw their coins at any time. */
export interface Bans {
  /**
   * Bans a player, mails them, and cancels their waiting game; an active game continues. No one
   * bans themselves or the CEO, and only the CEO bans an admin. Refusals in the order of
   * `BanRefusal`.
   */
  ban(order: BanOrder): Promise<Result<null, BanRefusal>>;
  /** Lifts a ban, with the same refusals. */
  unban(order: BanOrder): Promise<Result<null, BanRefusal>>;
}

export interface BansOptions {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly arena: Pick<Arena, "cancelWaiting">;
  readonly accounts: Pick<Accounts, "registrationBlocks">;
  /** Sends a player their current restrictions. */
  readonly pushLimits: (playerId: PlayerId) => Promise<void>;
}

export function openBans(options: BansOptions): Bans {
  const { database, time, publicUrl, queueMail, arena, accounts, pushLimits } = options;

  async function change(given: BanOrder, isBanning: boolean): Promise<Result<null, BanRefusal>> {
    const order = { ...given, reason: toSingleLine(given.reason) };
    if (order.reason === "") return refuse("reason_missing");
    const changed = await transact(database, (tx) => changeIn(tx, order, isBanning));
    if (changed.ok) await pushLimits(order.playerId);
    return changed;
  }

  async function changeIn(tx: Tx, order: BanOrder, isBlocking: boolean): Promise<Result<null, BanRefusal>> {
    const { actorId, playerId, reason } = order;
    // Serialises with taking a seat and depositing.
    await lockLimits(tx, playerId);
    const allowed = await checkAccount(tx, actorId, playerId);
    if (!allowed.ok) return allowed;
    const holder = await lockAccount(tx, playerId);
    const isGone = await isAccountDeleted(tx, playerId);
    // A deleted account has no address left to block; its existing ban can still be lifted.
    if (holder === null || (isGone && isBlocking)) return refuse("unknown_player");
    if ((await loadBans(tx, [playerId])).has(playerId) === isBlocking) return refuse("block_unchanged");
    const at = time.now();
    const act = isBlocking ? "player_blocked" : "player_unblocked";
    const actId = await recordAuditEvent(tx, { playerId: actorId, action: act, subject: playerId, detail: reason, at });
    if (isBlocking) {
      await saveBan(tx, { playerId, reason, actId, at });
      await accounts.registrationBlocks.record(tx, playerId, at);
    } else await removeBan(tx, playerId);
    if (!isGone) await queueMail(tx, writeBanMail({ ...holder, isBlocking, reason, publicUrl, at }));
    return ok(null);
  }

  return {
    async ban(order) {
      const blocked = await change(order, true);
      // After a crash the sweeper of the next start cancels it.
      if (blocked.ok) await arena.cancelWaiting(order.playerId);
      return blocked;
    },
    unban: (order) => change(order, false),
  };
}
