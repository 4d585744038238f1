import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type Accounts, loadOwnLimits, lockLimits } from "../accounts/accounts.ts";
import { debtOf, lockWallet } from "../ledger/ledger.ts";
import type { Database } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import type { ClosingsOptions } from "./closings.ts";
import { lockUnfinished, removePayer } from "./leaving-store.ts";

export type LeavingRefusal =
  | "too_many_requests"
  | "wrong_password"
  | "account_open"
  | "game_to_finish"
  | "payment_under_way"
  | "debts_open"
  | "coins_left";

/** How players go for good. */
export interface Leaving {
  /**
   * Removes who the player of a closed account is, after their password: nobody can log in any more, and games and the ledger keep a
   * pseudonym. Nothing of theirs may be open. Refusals in the order of `LeavingRefusal`.
   */
  leave(playerId: PlayerId, password: string): Promise<Result<null, LeavingRefusal>>;
}

export interface LeavingOptions extends Pick<ClosingsOptions, "hasOpenGame" | "checkPassword"> {
  readonly database: Database;
  readonly time: Time;
  /** See `Accounts`. */
  readonly removePlayer: Accounts["removePlayer"];
}

export function openLeaving(options: LeavingOptions): Leaving {
  const { database, time, hasOpenGame, checkPassword, removePlayer } = options;
  return {
    async leave(playerId, password) {
      const checked = await checkPassword(playerId, password);
      if (!checked.ok) return checked;
      if (!checked.value) return refuse("wrong_password");
      return await transact(database, async (tx): Promise<Result<null, LeavingRefusal>> => {
        await lockLimits(tx, playerId);
        const now = time.now();
        if ((await loadOwnLimits(tx, playerId, now)).closingAt === null) return refuse("account_open");
        if (await hasOpenGame(tx, playerId)) return refuse("game_to_finish");
        if (await lockUnfinished(tx, playerId)) return refuse("payment_under_way");
        const balance = await lockWallet(tx, playerId);
        if ((await debtOf(tx, playerId)) > 0n) return refuse("debts_open");
        if (balance !== null && balance > 0n) return refuse("coins_left");
        await removePayer(tx, playerId);
        await removePlayer(tx, playerId);
        return ok(null);
      });
    },
  };
}
