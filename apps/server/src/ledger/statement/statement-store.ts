import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";
import type { JournalEntry, JournalEntryKind } from "../journal/journal-entry.ts";

/** One entry as it concerns a player. */
export interface StatementRow {
  /** Grows from entry to entry. */
  readonly id: bigint;
  readonly at: Instant;
  readonly kind: JournalEntryKind;
  /** The change of the wallet; 0 where all of it was owed. */
  readonly amount: Coins;
  readonly balanceAfter: Coins;
  /** The change of what the player owes; negative for a repayment. */
  readonly debtChange: Coins;
  readonly gameId: GameId | null;
  readonly paymentId: PaymentId | null;
  /** The provider's reference of the payment. */
  readonly reference: string | null;
}

export interface StatementPage {
  /** Only entries older than this one; null begins with the newest. */
  readonly before: bigint | null;
  /** Only entries of this kind; null for all kinds. */
  readonly kind: JournalEntryKind | null;
  readonly limit: number;
}

/** One page of the entries that touched the player's wallet or debts, newest first. */
export async function loadStatement(
  queries: Queries,
  playerId: PlayerId,
  { before, kind, limit }: StatementPage,
): Promise<readonly StatementRow[]> {
  // The newest postings of each account come from its index and are joined by entry.
  const { rows } = await sql<{
    readonly id: bigint;
    readonly at: Date;
    readonly kind: JournalEntryKind;
    readonly details: string;
    readonly amount: Coins | null;
    readonly balance_after: Coins | null;
    readonly owed: Coins | null;
  }>`
    select entry.id, entry.at, entry.kind, entry.details, line.amount, line.balance_after, line.owed
    from (
      select newest.entry_id, max(newest.amount) filter (where account.kind = 'wallet') as amount,
        max(newest.balance_after) as balance_after, -max(newest.amount) filter (where account.kind = 'debts') as owed
      from ledger_accounts account
      cross join lateral (
        select posting.entry_id, posting.amount, posting.balance_after
        from ledger_postings posting
        where posting.account_id = account.id
          and (${before}::bigint is null or posting.entry_id < ${before})
          and (${kind}::text is null or exists (
            select from ledger_entries wanted where wanted.id = posting.entry_id and wanted.kind = ${kind}))
        order by posting.entry_id desc limit ${limit}) as newest
      where account.owner = ${playerId} and account.kind in ('wallet', 'debts')
      group by newest.entry_id order by newest.entry_id desc limit ${limit}) as line
    join ledger_entries entry on entry.id = line.entry_id
    order by entry.id desc`.execute(queries);
  return rows.map(({ id, at, kind: posted, details, amount, balance_after, owed }) => ({
    id,
    at: fromTimestamp(at),
    kind: posted,
    amount: amount ?? (0n as Coins),
    // A player with debts has an empty wallet: an entry without a wallet posting left it at 0.
    balanceAfter: balance_after ?? (0n as Coins),
    debtChange: owed ?? (0n as Coins),
    ...toCause(JSON.parse(details) as JournalEntry["details"]),
  }));
}

function toCause({
  gameId,
  paymentId,
  reference,
}: JournalEntry["details"]): Pick<StatementRow, "gameId" | "paymentId" | "reference"> {
  const toText = (fact: string | number | undefined): string | null => (fact === undefined ? null : String(fact));
  return {
    gameId: toText(gameId) as GameId | null,
    paymentId: toText(paymentId) as PaymentId | null,
    reference: toText(reference),
  };
}
