import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";
import { type LedgerEntry, type Rebuilt, rebuildPieces } from "../provenance/rebuild-pieces.ts";
import type { Mark } from "../provenance/stack.ts";

/** What the ledger's entries and the marks say that the pieces and exits are. */
export async function rebuildFrom(queries: Queries): Promise<Rebuilt> {
  const { pieces, exits } = rebuildPieces(await loadLedgerEntries(queries), await loadMarks(queries));
  const byEntry = exits.toSorted((a, b) => Number(a.entryId - b.entryId) || Number(a.pieceId - b.pieceId));
  return { pieces, exits: byEntry };
}

async function loadLedgerEntries(queries: Queries): Promise<readonly LedgerEntry[]> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly kind: JournalEntryKind;
    readonly source: string;
    readonly settled_game: string | null;
    readonly at: Date;
    readonly details: string;
    readonly postings: readonly { readonly wallet: string; readonly amount: string }[];
  }>`
    select entry.id, entry.kind, entry.source, entry.settled_game, entry.at, entry.details,
      (select coalesce(jsonb_agg(jsonb_build_object('wallet', account.id::text, 'amount', posting.amount::text)), '[]')
        from ledger_postings posting
        join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
        where posting.entry_id = entry.id) as postings
    from ledger_entries entry order by entry.id`.execute(queries);
  return rows.map(({ id: entryId, kind, source, settled_game: settledGame, at, details, postings }) => ({
    entryId,
    kind,
    source,
    settledGame,
    at: fromTimestamp(at),
    details,
    postings: postings.map(({ wallet, amount }) => ({ walletId: BigInt(wallet), amount: BigInt(amount) })),
  }));
}

async function loadMarks(queries: Queries): Promise<readonly Mark[]> {
  const { rows } = await sql<Omit<Mark, "untilAt"> & { readonly untilAt: Date }>`
    select origin.entry_id as "originEntryId", mark.wallet_id as "walletId", mark.case_id as "caseId", mark.gained_in as "gainedIn", mark.after_entry as "afterEntryId", mark.until_entry as "untilEntryId",
      mark.until_at as "untilAt"
    from coin_marks mark join coin_pieces origin on origin.id = mark.deposit_id`.execute(queries);
  return rows.map((mark) => ({ ...mark, untilAt: fromTimestamp(mark.untilAt) }));
}

type StoredPiece = Rebuilt["pieces"][number];

/** As they are stored, numbered in the order of their entries. */
export async function loadPieces(queries: Queries): Promise<Rebuilt> {
  const { rows } = await sql<Omit<StoredPiece, "gainedAt"> & { readonly gainedAt: Date }>`
    with numbered as (select piece.*, row_number() over (order by entry_id, id) as number from coin_pieces piece)
    select piece.number as id, piece.wallet_id as "walletId", piece.entry_id as "entryId", piece.gained_entry as "gainedEntryId", parent.number as "parentId",
      origin.number as "depositId", origin.entry_id as "originEntryId", origin.wallet_id as "originWalletId",
      (with recursive line as (
        select piece.entry_id, piece.parent_id
        union all select above.entry_id, above.parent_id from line join coin_pieces above on above.id = line.parent_id
        where line.entry_id <> piece.gained_entry)
        select above.wallet_id from line join coin_pieces above on above.id = line.parent_id
        where line.entry_id = piece.gained_entry) as "fromWalletId", piece.hops, piece.rank, piece.coins, entry.at as "gainedAt",
      piece.left_coins as left
    from numbered piece
      join numbered origin on origin.id = piece.deposit_id
      join ledger_entries entry on entry.id = piece.entry_id
      left join numbered parent on parent.id = piece.parent_id
    order by piece.number`.execute(queries);
  const exits = await sql<Rebuilt["exits"][number]>`
    with numbered as (select id, row_number() over (order by entry_id, id) as number from coin_pieces)
    select piece.number as "pieceId", exit.entry_id as "entryId", exit.coins
    from coin_exits exit join numbered piece on piece.id = exit.piece_id order by exit.entry_id, piece.number`.execute(
    queries,
  );
  return {
    pieces: rows.map((piece) => ({ ...piece, gainedAt: fromTimestamp(piece.gainedAt) as Instant })),
    exits: exits.rows,
  };
}
