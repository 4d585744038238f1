import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Coins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";
import type { JournalEntry, JournalEntryKind } from "../journal/journal-entry.ts";

export interface StatementRow {
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
  readonly reference: string | null;
}

export interface StatementPage {
  /** Only entries older than this one; null begins with the newest. */
  readonly before: bigint | null;
  readonly kind: JournalEntryKind | null;
  readonly limit: number;
}

const ID_MAX = 2n ** 63n - 1n;
/** A player has thousands of these; other kinds have a separate table. */
const KINDS_OF_GAMES: readonly JournalEntryKind[] = ["stake", "win", "draw"];

/** One page of the entries that touched the player's wallet or debts, newest first. */
export async function loadStatement(
  queries: Queries,
  playerId: PlayerId,
  { before, kind, limit }: StatementPage,
): Promise<readonly StatementRow[]> {
  const lines = kind === null || KINDS_OF_GAMES.includes(kind) ? sql`ledger_postings` : sql`ledger_player_lines`;
  const isOfKind =
    kind === null
      ? sql`true`
      : sql`(select wanted.kind from ledger_entries wanted where wanted.id = line.entry_id) = ${kind}`;
  // Walks the accounts' indexes, newest first, and reads the rows of one page.
  const { rows } = await sql<{
    readonly id: bigint;
    readonly at: Date;
    readonly kind: JournalEntryKind;
    readonly details: string;
    readonly amount: Coins | null;
    readonly balance_after: Coins | null;
    readonly owed: Coins | null;
  }>`
    select entry.id, entry.at, entry.kind, entry.details, page.amount, page.balance_after, page.owed
    from (
      select posting.entry_id, max(posting.amount) filter (where newest.kind = 'wallet') as amount,
        max(posting.balance_after) as balance_after, -max(posting.amount) filter (where newest.kind = 'debts') as owed
      from (
        select account.kind, line.account_id, line.entry_id
        from ledger_accounts account
        cross join lateral (
          select line.account_id, line.entry_id from ${lines} line
          where line.account_id = account.id and line.entry_id < ${before ?? ID_MAX} and ${isOfKind}
          order by line.entry_id desc limit ${limit}) as line
        where account.owner = ${playerId} and account.kind in ('wallet', 'debts')) as newest
      join ledger_postings posting on posting.entry_id = newest.entry_id and posting.account_id = newest.account_id
      group by posting.entry_id order by posting.entry_id desc limit ${limit}) as page
    join ledger_entries entry on entry.id = page.entry_id
    order by entry.id desc`.execute(queries);
  return rows.map(({ id, at, kind: posted, details, amount, balance_after, owed }) => ({
    id,
    at: fromTimestamp(at),
    kind: posted,
    amount: amount ?? (0n as Coins),
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
