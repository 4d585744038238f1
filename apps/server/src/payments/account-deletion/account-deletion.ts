import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type Accounts, loadOwnLimits, lockLimits } from "../../accounts/accounts.ts";
import { loadDebt, lockWallet } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { AccountClosingDeps } from "./account-closing.ts";
import { erasePaymentDetails, lockAndCheckUnfinished } from "./account-deletion-store.ts";

type AccountDeletionRefusal =
  | "too_many_requests"
  | "wrong_password"
  | "account_open"
  | "game_to_finish"
  | "payment_under_way"
  | "debts_open"
  | "coins_left";

export interface AccountDeletion {
  /**
   * Deletes the player of a closing account after checking the password. Games and the ledger keep
   * a pseudonym. Nothing may be unfinished.
   */
  deleteAccount(playerId: PlayerId, password: string): Promise<Result<null, AccountDeletionRefusal>>;
}

export interface AccountDeletionDeps extends Pick<AccountClosingDeps, "hasOpenGame" | "confirmPassword"> {
  readonly database: Database;
  readonly time: Time;
  readonly removePlayer: Accounts["removePlayer"];
}

export function openAccountDeletion(deps: AccountDeletionDeps): AccountDeletion {
  const { database, time, hasOpenGame, confirmPassword, removePlayer } = deps;
  return {
    async deleteAccount(playerId, password) {
      const confirmed = await confirmPassword(playerId, password);
      if (!confirmed.ok) return confirmed;
      return await transact(database, async (tx, afterCommit): Promise<Result<null, AccountDeletionRefusal>> => {
        await lockLimits(tx, playerId);
        if (!(await confirmed.value(tx))) return refuse("wrong_password");
        const now = time.now();
        if ((await loadOwnLimits(tx, playerId, now)).closingAt === null) return refuse("account_open");
        if (await hasOpenGame(tx, playerId)) return refuse("game_to_finish");
        if (await lockAndCheckUnfinished(tx, playerId)) return refuse("payment_under_way");
        const balance = await lockWallet(tx, playerId);
        if ((await loadDebt(tx, playerId)) > 0n) return refuse("debts_open");
        if (balance !== null && balance > 0n) return refuse("coins_left");
        await erasePaymentDetails(tx, playerId);
        await removePlayer(tx, playerId, afterCommit);
        return ok(null);
      });
    },
  };
}
