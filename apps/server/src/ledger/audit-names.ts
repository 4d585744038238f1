import { sql } from "kysely";

/** How a finding names the row of `ledger_entries` that a query calls `entry`. */
export const ENTRY_NAME = sql`'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || ')'`;
/** The same of `ledger_accounts` called `account`. */
export const ACCOUNT_NAME = sql`'account ' || account.id || ' (' || account.kind || ' ' || account.owner || ')'`;
