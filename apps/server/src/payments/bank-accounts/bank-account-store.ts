import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import type { BankAccount } from "../payment-base.ts";

export interface VerifiedAccount extends BankAccount {
  readonly confirmedAt: Instant | null;
}

interface AccountRow {
  readonly bank_code: string;
  readonly bank_name: string;
  readonly account_number: string;
  readonly account_name: string;
  readonly confirmed_at: bigint | null;
}

function toVerifiedAccount(row: AccountRow): VerifiedAccount {
  return {
    bankCode: row.bank_code,
    bankName: row.bank_name,
    accountNumber: row.account_number,
    accountName: row.account_name,
    confirmedAt: row.confirmed_at === null ? null : (Number(row.confirmed_at) as Instant),
  };
}

const COLUMNS = sql`bank_code, bank_name, account_number, account_name, confirmed_at`;

/** Saves the provider's answer. Another holder makes it a new account, to be confirmed again. */
export async function saveAccount(
  queries: Queries,
  playerId: PlayerId,
  account: BankAccount,
  at: Instant,
): Promise<VerifiedAccount> {
  const { rows } = await sql<AccountRow>`
    insert into bank_accounts as kept (player_id, bank_code, account_number, bank_name, account_name, verified_at)
    values (${playerId}, ${account.bankCode}, ${account.accountNumber}, ${account.bankName}, ${account.accountName}, ${at})
    on conflict (player_id, bank_code, account_number) do update set bank_name = excluded.bank_name,
      account_name = excluded.account_name, verified_at = excluded.verified_at,
      confirmed_at = case when kept.account_name = excluded.account_name then kept.confirmed_at end
    returning ${COLUMNS}`.execute(queries);
  return toVerifiedAccount(rows[0]!);
}

export async function loadAccount(
  queries: Queries,
  playerId: PlayerId,
  { bankCode, accountNumber }: Pick<BankAccount, "bankCode" | "accountNumber">,
): Promise<VerifiedAccount | null> {
  const { rows } = await sql<AccountRow>`
    select ${COLUMNS} from bank_accounts
    where player_id = ${playerId} and bank_code = ${bankCode} and account_number = ${accountNumber}`.execute(queries);
  return rows[0] === undefined ? null : toVerifiedAccount(rows[0]);
}

export async function deleteUnconfirmedAccount(
  tx: Tx,
  playerId: PlayerId,
  { bankCode, accountNumber }: Pick<BankAccount, "bankCode" | "accountNumber">,
): Promise<void> {
  await sql`
    delete from bank_accounts
    where player_id = ${playerId} and bank_code = ${bankCode} and account_number = ${accountNumber} and confirmed_at is null`.execute(
    tx,
  );
}

/** Marks the account as confirmed; false if it was before. */
export async function confirmAccount(
  tx: Tx,
  playerId: PlayerId,
  { bankCode, accountNumber }: BankAccount,
  at: Instant,
): Promise<boolean> {
  const { rows } = await sql`
    update bank_accounts set confirmed_at = ${at}
    where player_id = ${playerId} and bank_code = ${bankCode} and account_number = ${accountNumber} and confirmed_at is null
    returning player_id`.execute(tx);
  return rows.length === 1;
}

/** Newest first. */
export async function loadConfirmed(queries: Queries, playerId: PlayerId): Promise<readonly VerifiedAccount[]> {
  const { rows } = await sql<AccountRow>`
    select ${COLUMNS} from bank_accounts where player_id = ${playerId} and confirmed_at is not null
    order by confirmed_at desc limit 20`.execute(queries);
  return rows.map(toVerifiedAccount);
}
