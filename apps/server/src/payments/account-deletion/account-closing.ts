import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins, Kobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { toWithdrawalTerms } from "@holo/protocol/payments/withdrawal-terms.ts";
import { type Accounts, loadOwnLimits, lockLimits } from "../../accounts/accounts.ts";
import { loadUnplayed, lockWallet } from "../../ledger/ledger.ts";
import type { Database, Queries } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { Time } from "../../platform/time/time.ts";
import type { PaymentNotices } from "../facts/notices.ts";
import { isFirstFromCard } from "../withdrawal/first-withdrawal.ts";
import { findWithdrawalHold, HOLD_REFUSALS } from "../withdrawal/money-hold.ts";
import { loadWithdrawable } from "../withdrawal/withdrawable.ts";
import type { ClosingRefusalCode, WithdrawalForm, WithdrawalRefusal, Withdrawals } from "../withdrawal/withdrawals.ts";
import { checkClosing, saveClosingAndRemainder, toPayout } from "./closing-terms.ts";

type ClosingObstacle = "game_to_finish" | "debts_open" | "withdrawals_held" | "not_settled";

export interface ClosingTerms {
  /** Null: the account is open. Credits after this instant can still be withdrawn. */
  readonly closingAt: Instant | null;
  readonly balance: Coins;
  /** The whole kobo of the balance less `feeKobo`: the payout. */
  readonly kobo: Kobo;
  /** The provider's fees for coins that were never staked (ruling 37). */
  readonly feeKobo: Kobo;
  /** The payout waits three days: unplayed coins from a card, for the first time (ruling 51). */
  readonly isFirstFromCard: boolean;
  /** The rest, worth less than a kobo, which goes to the rounding account. */
  readonly remainder: Coins;
  readonly obstacle: ClosingObstacle | null;
}

export type ClosingForm = Omit<WithdrawalForm, "accountNumber" | "bankCode" | "password"> & {
  readonly kobo: number;
  /** Null if there is nothing to send. */
  readonly account: Pick<WithdrawalForm, "accountNumber" | "bankCode"> | null;
  readonly password: string;
};

type ClosingRefusal = WithdrawalRefusal<ClosingRefusalCode>;

/** Pays out the whole balance, without a minimum (ruling 12). */
export interface AccountClosing {
  load(playerId: PlayerId): Promise<ClosingTerms>;
  /**
   * Sends the whole balance, which must be withdrawable, and sets the account to closing: it can
   * neither play nor deposit. Refuses `balance_changed` if `kobo` is not the current payout.
   */
  close(form: ClosingForm): Promise<Result<ClosingTerms, ClosingRefusal>>;
}

export interface AccountClosingDeps {
  readonly database: Database;
  readonly time: Time;
  readonly notices: PaymentNotices;
  readonly rateKobo: () => number;
  readonly hasOpenGame: (queries: Queries, playerId: PlayerId) => Promise<boolean>;
  readonly withdrawToClose: Withdrawals["withdrawToClose"];
  readonly confirmPassword: Accounts["confirmPassword"];
}

export function openAccountClosing(deps: AccountClosingDeps): AccountClosing {
  const { database, time, notices, rateKobo, hasOpenGame } = deps;

  async function load(playerId: PlayerId): Promise<ClosingTerms> {
    const queries = database.kysely;
    const now = time.now();
    const [{ balance, withdrawable }, { closingAt }, isPlaying, hold] = await Promise.all([
      loadWithdrawable(queries, playerId, now),
      loadOwnLimits(queries, playerId, now),
      hasOpenGame(queries, playerId),
      findWithdrawalHold(queries, playerId),
    ]);
    const findObstacle = (): ClosingObstacle | null => {
      if (isPlaying) return "game_to_finish";
      if (hold !== null) return HOLD_REFUSALS[hold];
      return withdrawable < balance ? "not_settled" : null;
    };
    const rate = rateKobo();
    const { kobo: asked, remainder } = toPayout(balance, rate);
    const unplayed = await loadUnplayed(queries, playerId, balance);
    const { kobo, feeKobo, cardCoins } = toWithdrawalTerms(asked, rate, { balance, unplayed });
    const isFirst = cardCoins > 0n && (await isFirstFromCard(queries, playerId));
    return { closingAt, balance, kobo, feeKobo, isFirstFromCard: isFirst, remainder, obstacle: findObstacle() };
  }

  async function closeEmpty({ playerId, commandId, password }: ClosingForm): Promise<Result<null, ClosingRefusal>> {
    if (password === "") return refuse({ code: "password_required_to_close" });
    const confirmed = await deps.confirmPassword(playerId, password);
    if (!confirmed.ok) return refuse({ code: confirmed.refusal });
    return await transact(database, async (tx, afterCommit) => {
      await lockLimits(tx, playerId);
      if (!(await confirmed.value(tx))) return refuse({ code: "wrong_password" });
      if (await hasOpenGame(tx, playerId)) return refuse({ code: "game_to_finish" });
      await lockWallet(tx, playerId);
      const hold = await findWithdrawalHold(tx, playerId);
      if (hold !== null) return refuse({ code: HOLD_REFUSALS[hold] });
      const [rate, now] = [rateKobo(), time.now()];
      const remainder = await checkClosing(tx, { playerId, kobo: 0n, rateKobo: rate, now });
      if (!remainder.ok) return remainder;
      const source = `closing:${playerId}:${commandId}`;
      const wallets = await saveClosingAndRemainder(tx, {
        source,
        playerId,
        remainder: remainder.value,
        rateKobo: rate,
        at: now,
      });
      afterCommit(() => notices.sendWallets(wallets));
      return ok(null);
    });
  }

  return {
    load,
    async close(form) {
      const { account, ...rest } = form;
      if (form.kobo !== 0) {
        if (account === null) return refuse({ code: "account_not_verified" });
        const kobo = form.kobo + form.feeKobo;
        const sent = await deps.withdrawToClose({ ...rest, ...account, kobo });
        if (!sent.ok) return sent;
      } else {
        const closed = await closeEmpty(form);
        if (!closed.ok) return closed;
      }
      return ok(await load(form.playerId));
    },
  };
}
