import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Database, Queries, Tx } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import { transact } from "../../platform/database/transaction.ts";
import {
  type AccountKey,
  type AccountKind,
  formatDetails,
  type JournalEntry,
  type Posting,
  toContentHash,
} from "./journal-entry.ts";

/**
 * A player's balance. `sequence` grows with each posting, so the higher of two reports is the
 * later.
 */
export interface Wallet {
  readonly playerId: PlayerId;
  readonly balance: Coins;
  readonly sequence: number;
}

export interface GameJournalEntry {
  readonly id: bigint;
  readonly kind: "stake" | "refund" | "win" | "draw";
  readonly at: Instant;
  /** Debits first. */
  readonly postings: readonly Posting[];
}

interface AccountRow {
  readonly kind: AccountKind;
  readonly owner: string;
  readonly balance: Coins;
  readonly sequence: bigint;
}

/** Debts store no balance: they are summed. */
export async function openAccount(tx: Tx, { kind, owner }: AccountKey, at: Instant): Promise<void> {
  await sql`/* prepared ledger_open_account */
    insert into ledger_accounts (kind, owner, balance, opened_at)
    values (${kind}, ${owner}, ${kind === "debts" ? null : 0}, ${toTimestamp(at)})
    on conflict (kind, owner) do nothing`.execute(tx);
}

/** Locks the player's wallet and returns its balance; null where there is none. */
export async function lockWallet(tx: Tx, playerId: PlayerId): Promise<Coins | null> {
  const { rows } = await sql<Pick<AccountRow, "balance">>`/* prepared ledger_lock_wallet */
    select balance from ledger_accounts where kind = 'wallet' and owner = ${playerId} for no key update`.execute(tx);
  return rows[0]?.balance ?? null;
}

/** Entries that are posted completely or not at all, in their order. */
export interface JournalJob {
  readonly entries: readonly JournalEntry[];
  readonly at: Instant;
}

/** The argument of `ledger_post`. Jobs are numbered in their order. */
export function toJournalRows(jobs: readonly JournalJob[]) {
  const each = jobs.flatMap(({ entries, at }, job) =>
    entries.map((entry, index) => {
      const { kind, source, settledGame: settled_game } = entry;
      return { entry, common: { job, wave: index + 1, source, settled_game, at: toTimestamp(at) }, kind };
    }),
  );
  return {
    entries: each.map(({ entry, common, kind }) => ({
      ...common,
      kind,
      details: formatDetails(entry.details),
      content_hash: toContentHash(entry),
    })),
    postings: each.flatMap(({ entry, common, kind: entry_kind }) =>
      entry.postings.map(({ account: { kind, owner }, amount }) => ({
        ...common,
        entry_kind,
        kind,
        owner,
        amount: String(amount),
      })),
    ),
  };
}

/** A wallet as `ledger_post` reports it, after one of the job's entries. */
export interface PostedWalletRow {
  readonly job: number;
  readonly playerId: PlayerId;
  readonly balance: string;
  readonly sequence: number;
}

/** Each wallet once, as it is after all entries. */
export function toPostedWallets(rows: readonly PostedWalletRow[]): readonly Wallet[] {
  const wallets = rows.map(({ playerId, balance, sequence }) => ({
    playerId,
    balance: toCoins(BigInt(balance)),
    sequence,
  }));
  return [...new Map(wallets.map((wallet) => [wallet.playerId, wallet])).values()];
}

export type SaveOutcome =
  | { readonly wallets: readonly Wallet[] }
  /** The debited wallet, now locked, holds too little. Nothing was written. */
  | { readonly have: Coins };

/**
 * Opens a missing escrow, locks the wallet that the first posting debits; the caller locked the
 * others. Null: its cause or game was posted before.
 */
export async function saveJournalEntry(tx: Tx, entry: JournalEntry, at: Instant): Promise<SaveOutcome | null> {
  const [given] = entry.postings;
  const isDebit = given?.account.kind === "wallet" && given.amount < 0n;
  const debit = isDebit ? { debit: { owner: given.account.owner, amount: String(-given.amount) } } : {};
  const batch = JSON.stringify({ ...debit, ...toJournalRows([{ entries: [entry], at }]) });
  const { rows } = await sql<{
    readonly outcome: { readonly wallets: readonly PostedWalletRow[] } | { readonly have: string } | null;
  }>`/* prepared ledger_post */ select ledger_post(${batch}::jsonb, '{0}') as outcome`.execute(tx);
  const { outcome } = rows[0]!;
  if (outcome === null) return null;
  if ("have" in outcome) return { have: toCoins(BigInt(outcome.have)) };
  return { wallets: toPostedWallets(outcome.wallets) };
}

export async function loadPosted(
  queries: Queries,
  { kind, source, settledGame }: Pick<JournalEntry, "kind" | "source" | "settledGame">,
): Promise<{ readonly contentHash: string; readonly wallets: readonly Wallet[] } | null> {
  const { rows } = await sql<AccountRow & { readonly content_hash: string }>`
    select entry.content_hash, account.kind, account.owner, account.balance, account.sequence
    from ledger_entries entry
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where (entry.kind = ${kind} and entry.source = ${source}) or entry.settled_game = ${settledGame}`.execute(queries);
  const first = rows[0];
  return first === undefined ? null : { contentHash: first.content_hash, wallets: rows.flatMap(toWallet) };
}

export async function loadWallets(queries: Queries, playerIds: readonly PlayerId[]): Promise<readonly Wallet[]> {
  const { rows } = await sql<AccountRow>`
    select kind, owner, balance, sequence from ledger_accounts
    where kind = 'wallet' and owner = any(${playerIds}::text[])`.execute(queries);
  return rows.flatMap(toWallet);
}

/** The balance of the game's escrow; 0 before any stake. */
export async function loadEscrowBalance(queries: Queries, gameId: GameId): Promise<Coins> {
  const { rows } = await sql<{ readonly balance: Coins }>`
    select balance from ledger_accounts where kind = 'escrow' and owner = ${gameId}`.execute(queries);
  return rows[0]?.balance ?? (0n as Coins);
}

/**
 * The sum of all postings by kind of account. The escrow is what the others lack, since every entry
 * sums to zero; its accounts, one per game, are not read.
 */
export async function loadTotals(queries: Queries): Promise<ReadonlyMap<AccountKind, Coins>> {
  const { rows } = await sql<{ readonly kind: AccountKind; readonly total: Coins }>`
    with total as (
      select 'wallet' as kind, coalesce(sum(balance), 0) as total from ledger_accounts where kind = 'wallet'
      union all
      select (select account.kind from ledger_accounts account where account.id = kept.account_id), kept.total + coalesce((
        select sum(posting.amount) from ledger_postings posting
        where posting.account_id = kept.account_id and posting.entry_id > kept.entry_id), 0)
      from ledger_totals kept
      union all
      select 'debts', coalesce(sum((select sum(posting.amount) from ledger_postings posting
        where posting.account_id = account.id)), 0)
      from ledger_accounts account where account.kind = 'debts')
    select kind, total::bigint as total from total
    union all select 'escrow', (-sum(total))::bigint from total`.execute(queries);
  return new Map(rows.map(({ kind, total }) => [kind, total]));
}

const LOCK_MS_MAX = 200;

/**
 * Adds the postings since the last time to the stored totals. Under the lock no entry is being
 * written, so every entry up to the newest id is committed, and no later one gets a lower id.
 */
export async function updateTotals(database: Database): Promise<void> {
  const newest = await transact(database, async (tx) => {
    await sql`select set_config('lock_timeout', ${`${LOCK_MS_MAX}ms`}, true)`.execute(tx);
    await sql`lock table ledger_entries in share mode`.execute(tx);
    const { rows } = await sql<{ readonly id: bigint }>`
      select coalesce(max(id), 0)::bigint as id from ledger_entries`.execute(tx);
    return rows[0]!.id;
  });
  await transact(database, async (tx) => {
    await sql`select from ledger_totals order by account_id for update`.execute(tx);
    await sql`
      update ledger_totals kept set entry_id = ${newest}, total = kept.total + coalesce((
        select sum(posting.amount) from ledger_postings posting
        where posting.account_id = kept.account_id and posting.entry_id > kept.entry_id and posting.entry_id <= ${newest}), 0)
      where kept.entry_id < ${newest}`.execute(tx);
  });
}

function toWallet({ kind, owner, balance, sequence }: AccountRow): readonly Wallet[] {
  if (kind !== "wallet") return [];
  return [{ playerId: owner as PlayerId, balance, sequence: Number(sequence) }];
}

/** The stakes of a game in the order of the seats, then its settlement. */
export async function loadGameEntries(queries: Queries, gameId: GameId): Promise<readonly GameJournalEntry[]> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly kind: GameJournalEntry["kind"];
    readonly at: Date;
    readonly account_kind: AccountKind;
    readonly owner: string;
    readonly amount: Coins;
  }>`
    select entry.id, entry.kind, entry.at, account.kind as account_kind, account.owner, posting.amount
    from ledger_entries entry
    join ledger_postings posting on posting.entry_id = entry.id
    join ledger_accounts account on account.id = posting.account_id
    where (entry.kind = 'stake' and entry.source in (${`${gameId}:1`}, ${`${gameId}:2`})) or entry.settled_game = ${gameId}
    order by entry.kind <> 'stake', entry.source, posting.amount, account.id`.execute(queries);
  const byId = Map.groupBy(rows, ({ id }) => id);
  return [...byId].map(([id, lines]) => ({
    id,
    kind: lines[0]!.kind,
    at: fromTimestamp(lines[0]!.at),
    postings: lines.map(({ account_kind, owner, amount }) => ({ account: { kind: account_kind, owner }, amount })),
  }));
}

/** Whether coins without a deposit were ever given out. */
export async function hasOpenings(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ readonly found: boolean }>`
    select exists (select from ledger_accounts account join ledger_postings posting on posting.account_id = account.id
      where account.kind = 'opening') as found`.execute(queries);
  return rows[0]?.found === true;
}
