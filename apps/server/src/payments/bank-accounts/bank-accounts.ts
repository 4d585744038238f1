import type { PlayerId } from "@holo/kernel/ids.ts";
import { SECOND_MS } from "@holo/kernel/instant.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { isAccountDeleted, lockLimits } from "../../accounts/accounts.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import type { OpenRateLimiter } from "../../platform/shared-rate-limiter.ts";
import type { Time } from "../../platform/time/time.ts";
import type { Paystack } from "../provider/paystack.ts";
import { loadConfirmed, saveAccount, type VerifiedAccount } from "./bank-account-store.ts";
import type { Banks } from "./banks.ts";

interface AccountForm {
  readonly playerId: PlayerId;
  readonly accountNumber: string;
  readonly bankCode: string;
}

type AccountRefusal =
  | "missing_account_fields"
  | "too_many_requests"
  | "banks_unavailable"
  | "unknown_bank_account"
  | "account_check_failed";

export interface BankAccounts {
  /**
   * Saves the provider's answer; only saved accounts are ever paid. Refusals in the order of
   * `AccountRefusal`; `account_check_failed` without an answer or after the player's deletion.
   */
  verify(form: AccountForm): Promise<Result<VerifiedAccount, AccountRefusal>>;
  list(playerId: PlayerId): Promise<readonly VerifiedAccount[]>;
}

interface BankAccountsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly paystack: Paystack;
  readonly banks: Banks;
  readonly openRateLimiter: OpenRateLimiter;
}

/** The provider limits lookups, and collecting names by account number is abuse. */
const RESOLVES = { burst: 10, refillMs: 30 * SECOND_MS };
const ACCOUNT_NUMBER = /^\d{10}$/;

export function openBankAccounts(deps: BankAccountsDeps): BankAccounts {
  const { database, time, paystack, banks } = deps;
  const resolves = deps.openRateLimiter("resolves", RESOLVES);
  return {
    async verify({ playerId, accountNumber, bankCode }) {
      if (!ACCOUNT_NUMBER.test(accountNumber) || bankCode === "") return refuse("missing_account_fields");
      if (!(await resolves.tryAcquire(playerId))) return refuse("too_many_requests");
      const known = await banks.list();
      if (known.length === 0) return refuse("banks_unavailable");
      const bank = known.find(({ code }) => code === bankCode);
      if (bank === undefined) return refuse("unknown_bank_account");
      const answer = await paystack.resolveAccount(accountNumber, bankCode);
      if (!answer.ok)
        return refuse(answer.refusal.type === "refused" ? "unknown_bank_account" : "account_check_failed");
      const account = { bankCode, bankName: bank.name, accountNumber, accountName: answer.value.accountName };
      return await transact(database, async (tx) => {
        // A deletion erases the player's bank accounts under this lock: none may follow it.
        await lockLimits(tx, playerId);
        if (await isAccountDeleted(tx, playerId)) return refuse("account_check_failed");
        return ok(await saveAccount(tx, playerId, account, time.now()));
      });
    },
    list: (playerId) => loadConfirmed(database.kysely, playerId),
  };
}
