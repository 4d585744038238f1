import { sql } from "kysely";

/** SQL that names a row of `ledger_entries`, aliased `entry`, in a finding. */
export const ENTRY_NAME = sql`'entry ' || entry.id || ' (' || entry.kind || ' ' || entry.source || ')'`;
/** SQL that names a row of `ledger_accounts`, aliased `account`, in a finding. */
export const ACCOUNT_NAME = sql`'account ' || account.id || ' (' || account.kind || ' ' || account.owner || ')'`;
