import { formatCoins, formatNaira, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import type { DepositState } from "../core/deposit-state.ts";
import { type Deposit, toDepositCoins } from "../deposit/deposit.ts";

const PAID_AT = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });

/** What ledger and log say about the deposit, for the payer's bank. */
export async function formatEvidence(queries: Queries, deposit: Deposit, state: DepositState): Promise<string> {
  const paid = state.paidAt === null ? "" : ` on ${PAID_AT.format(state.paidAt)} UTC`;
  const begun = `The account holder ordered deposit ${deposit.reference} of ${formatNaira(deposit.kobo)} and paid it${paid}.`;
  if (state.creditedKobo === 0n) return begun;
  const { rows } = await sql<{ readonly games: number; readonly coins: bigint }>`
    select count(*)::int as games, coalesce(-sum(posting.amount), 0)::bigint as coins
    from ledger_accounts account
    join ledger_postings posting on posting.account_id = account.id and posting.amount < 0
    join ledger_entries entry on entry.id = posting.entry_id and entry.kind = 'stake'
    where account.kind = 'wallet' and account.owner = ${deposit.playerId}
      and entry.id > (select id from ledger_entries credited where credited.source = ${deposit.id}
        and credited.kind = 'deposit')`.execute(queries);
  const { games, coins } = rows[0] ?? { games: 0, coins: 0n };
  const credited = ` ${formatCoins(toDepositCoins(deposit))} holocoins were credited to their account.`;
  const used =
    games === 0
      ? " They were not used since."
      : ` Since then they entered ${games} games with ${formatCoins(toCoins(coins))} holocoins.`;
  return begun + credited + used;
}
