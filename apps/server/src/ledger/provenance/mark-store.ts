import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS, type Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import { type DepositName, originsOf } from "./origins-of.ts";

/** How long a machine may hold coins (ruling 44). */
const MARKED_MS = 72 * HOUR_MS;

/**
 * Marks the coins that stem from a deposit, wherever others have them and take them, for 72 hours
 * (ruling 52). The caller locks no wallet afterwards: withdrawals wait for the commit.
 */
export async function markDeposit(tx: Tx, deposit: DepositName, at: Instant): Promise<void> {
  const newest = await lockMarks(tx);
  const until = toTimestamp(addMs(at, MARKED_MS));
  await saveMarks(
    tx,
    sql`select origin.id, null::bigint, null, null::bigint[], ${newest}::bigint, ${until}::timestamptz
      from (${originsOf(deposit)}) origin`,
  );
}

/** Ends the marks of a deposit before their time. */
export async function unmarkDeposit(tx: Tx, deposit: DepositName): Promise<void> {
  const newest = await lockMarks(tx);
  await sql`
    update coin_marks set until_entry = ${newest}
    where until_entry is null and wallet_id is null
      and deposit_id in (select origin.id from (${originsOf(deposit)}) origin)`.execute(tx);
}

/**
 * No withdrawal is being posted from now on: the newest entry separates those that know the marks
 * from those that do not (`ledger_post`).
 */
async function lockMarks(tx: Tx): Promise<bigint> {
  await sql`select pg_advisory_xact_lock(490, 0)`.execute(tx);
  const { rows } = await sql<{ readonly id: bigint }>`select ${NEWEST} as id`.execute(tx);
  return rows[0]!.id;
}

const NEWEST = sql<bigint>`(select coalesce(max(entry.id), 0)::bigint from ledger_entries entry)`;

async function saveMarks(tx: Tx, marks: RawBuilder<unknown>): Promise<void> {
  await sql`
    insert into coin_marks (deposit_id, wallet_id, case_id, gained_in, after_entry, until_at) ${marks}
    on conflict (deposit_id, wallet_id, case_id, after_entry)
      do update set until_at = excluded.until_at, until_entry = null`.execute(tx);
}

interface DoubtedCoins {
  readonly caseId: string;
  readonly playerId: PlayerId;
  /** The pieces that the coins began as (`CoinOrigin.origin.pieceId`). */
  readonly depositIds: readonly bigint[];
  /** In which the player won them. */
  readonly gameIds: readonly GameId[];
  readonly until: Instant;
}

/**
 * Marks the coins of these origins that were won in these games, in one wallet and on their way out
 * of it (ruling 44). The caller holds the wallet's lock: no withdrawal of it is being posted.
 */
export async function markCoins(tx: Tx, { caseId, playerId, depositIds, gameIds, until }: DoubtedCoins): Promise<void> {
  const wins = sql`array(select won.id from ledger_entries won where won.settled_game = any (${[...gameIds]}::text[]))`;
  await saveMarks(
    tx,
    sql`select origin.id, account.id, ${caseId}::text, ${wins}, ${NEWEST}, ${toTimestamp(until)}::timestamptz
      from ledger_accounts account join coin_pieces origin on origin.id = any (${depositIds.map(String)}::bigint[])
      where account.kind = 'wallet' and account.owner = ${playerId}`,
  );
}

/** Ends the marks of a case before their time. The caller holds the wallet's lock. */
export async function unmarkCoins(tx: Tx, caseId: string): Promise<void> {
  await sql`update coin_marks set until_entry = ${NEWEST} where until_entry is null and case_id = ${caseId}`.execute(
    tx,
  );
}

interface MarkedCoins {
  readonly coins: Coins;
  /** When the last of their marks ends by itself; null: there are none. */
  readonly until: Instant | null;
}

async function sumMarked(queries: Queries, pieces: RawBuilder<unknown>, now: Instant): Promise<MarkedCoins> {
  const { rows } = await sql<{ readonly coins: bigint; readonly until: Date | null }>`
    select coalesce(sum(marked.coins), 0)::bigint as coins, max(marked.until) as until from (
      select piece.coins, ledger_find_mark(piece.deposit_id, piece.wallet_id, piece.gained_entry, ${toTimestamp(now)}::timestamptz) as until
      from (${pieces}) piece) marked
    where marked.until is not null`.execute(queries);
  const { coins, until } = rows[0]!;
  return { coins: toCoins(coins), until: until === null ? null : fromTimestamp(until) };
}

/** What a withdrawal would take of marked coins. The caller holds the wallet's lock. */
export function loadMarkedPart(
  tx: Tx,
  { playerId, coins, at }: { readonly playerId: PlayerId; readonly coins: Coins; readonly at: Instant },
): Promise<MarkedCoins> {
  return sumMarked(
    tx,
    sql`
      select held.deposit_id, held.wallet_id, held.gained_entry, taken.coins
      from ledger_accounts account
        cross join lateral ledger_find_pieces(
          account.id, ${String(coins)}::bigint, 'withdrawal', '', ${toTimestamp(at)}::timestamptz, '{}') taken
        join coin_pieces held on held.id = taken.piece_id
      where account.kind = 'wallet' and account.owner = ${playerId}`,
    at,
  );
}

/** The marked coins among those that a withdrawal took. */
export function loadMarkedWithdrawal(queries: Queries, withdrawalId: PaymentId, now: Instant): Promise<MarkedCoins> {
  return sumMarked(
    queries,
    sql`
      select held.deposit_id, held.wallet_id, held.gained_entry, taken.coins
      from ledger_entries entry
        join coin_exits taken on taken.entry_id = entry.id
        join coin_pieces held on held.id = taken.piece_id
      where entry.kind = 'withdrawal' and entry.source = ${withdrawalId}`,
    now,
  );
}
