import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { HeldBack } from "@holo/protocol/house-views.ts";
import {
  type Accounts,
  hasLeft,
  loadBlocked,
  lockEmailHolder,
  lockLimits,
  removeBlock,
  saveBlock,
} from "../accounts/accounts.ts";
import type { Arena } from "../arena/arena.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { QueueMail } from "../platform/mail/outbox.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { recordAct } from "./acts.ts";
import { writeBlockMail } from "./block-mail.ts";
import { toPlainLine } from "./plain-line.ts";
import { checkAccount } from "./ranks.ts";

export interface BlockOrder {
  /** Who acts. */
  readonly actorId: PlayerId;
  readonly playerId: PlayerId;
  /** Why, for the player and the log of acts. */
  readonly reason: string;
}

export type BlockRefusal = "reason_missing" | "access_denied" | HeldBack | "unknown_player" | "block_unchanged";

/** Players whom the house keeps from playing, chatting and depositing. Their coins stay theirs, to be withdrawn at any time. */
export interface Blocks {
  /**
   * Blocks a player, tells and mails them, and cancels their waiting game; an active one goes on. Nobody blocks themself or the CEO, and
   * only the CEO an admin. Refusals in the order of `BlockRefusal`: of two admins at once the second finds it done.
   */
  block(order: BlockOrder): Promise<Result<null, BlockRefusal>>;
  /** Takes a block back, with the same refusals. */
  unblock(order: BlockOrder): Promise<Result<null, BlockRefusal>>;
}

export interface BlocksOptions {
  readonly database: Database;
  readonly time: Time;
  readonly publicUrl: string;
  readonly queueMail: QueueMail;
  readonly arena: Pick<Arena, "cancelWaiting">;
  readonly accounts: Pick<Accounts, "mailboxes">;
  /** Shows a player what they may do from now on. */
  readonly tellLimits: (playerId: PlayerId) => Promise<void>;
}

export function openBlocks(options: BlocksOptions): Blocks {
  const { database, time, publicUrl, queueMail, arena, accounts, tellLimits } = options;

  async function change(given: BlockOrder, isBlocking: boolean): Promise<Result<null, BlockRefusal>> {
    const order = { ...given, reason: toPlainLine(given.reason) };
    if (order.reason === "") return refuse("reason_missing");
    const changed = await transact(database, (tx) => changeIn(tx, order, isBlocking));
    if (changed.ok) await tellLimits(order.playerId);
    return changed;
  }

  async function changeIn(tx: Tx, order: BlockOrder, isBlocking: boolean): Promise<Result<null, BlockRefusal>> {
    const { actorId, playerId, reason } = order;
    // Whoever is about to sit down or to deposit is waited for, or waits for this.
    await lockLimits(tx, playerId);
    const allowed = await checkAccount(tx, actorId, playerId);
    if (!allowed.ok) return allowed;
    const holder = await lockEmailHolder(tx, playerId);
    const isGone = await hasLeft(tx, playerId);
    // Nothing is known any more by which somebody who has left could be kept away; a block that they left with can be taken back.
    if (holder === null || (isGone && isBlocking)) return refuse("unknown_player");
    if ((await loadBlocked(tx, [playerId])).has(playerId) === isBlocking) return refuse("block_unchanged");
    const at = time.now();
    const act = isBlocking ? "player_blocked" : "player_unblocked";
    const actId = await recordAct(tx, { playerId: actorId, act, subject: playerId, detail: reason, at });
    if (isBlocking) {
      await saveBlock(tx, { playerId, reason, actId, at });
      await accounts.mailboxes.hold(tx, playerId, at);
    } else await removeBlock(tx, playerId);
    if (!isGone) await queueMail(tx, writeBlockMail({ ...holder, isBlocking, reason, publicUrl, at }));
    return ok(null);
  }

  return {
    async block(order) {
      const blocked = await change(order, true);
      // Should this server end before it is done, the next one's sweeper does it.
      if (blocked.ok) await arena.cancelWaiting(order.playerId);
      return blocked;
    },
    unblock: (order) => change(order, false),
  };
}
