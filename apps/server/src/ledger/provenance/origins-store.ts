import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp, toTimestamp } from "../../platform/database/timestamp.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";

/** Coins of one piece, and what they stem from. */
export interface CoinOrigin {
  readonly pieceId: bigint;
  readonly coins: Coins;
  /** When their owner gained them. */
  readonly gainedAt: Instant;
  /**
   * The game that they were won in, and from whom, also before they came back from a withdrawal
   * or by a forfeit; null for coins of the owner's own deposits.
   */
  readonly wonFrom: { readonly gameId: GameId; readonly opponentId: PlayerId } | null;
  /** Games that they were lost in since their origin. */
  readonly hops: number;
  readonly origin: {
    readonly pieceId: bigint;
    readonly kind: JournalEntryKind;
    /** Null: coins of a development database, or given back after an appeal. */
    readonly paymentId: PaymentId | null;
    readonly playerId: PlayerId;
    readonly at: Instant;
  };
  /** Their deposit is disputed or was reversed (ruling 52), or fair play doubts them. */
  readonly isMarked: boolean;
  /** The cases of fair play that doubt them in this wallet (ruling 44). */
  readonly doubtedBy: readonly string[];
}

/** What a player's wallet holds, open stakes included, newest first. */
export function loadWalletOrigins(queries: Queries, playerId: PlayerId, now: Instant): Promise<readonly CoinOrigin[]> {
  return loadOrigins(
    queries,
    "ledger_wallet_origins",
    sql`
      select piece.id, piece.left_coins as coins, row_number() over (order by piece.rank desc, piece.id desc) as place
      from ledger_accounts account join coin_pieces piece on piece.wallet_id = account.id and not piece.is_spent
      where account.kind = 'wallet' and account.owner = ${playerId}`,
    now,
  );
}

/** What a withdrawal took, also one that was returned, oldest first. */
export function loadWithdrawalOrigins(
  queries: Queries,
  withdrawalId: PaymentId,
  now: Instant,
): Promise<readonly CoinOrigin[]> {
  return loadOrigins(
    queries,
    "ledger_withdrawal_origins",
    sql`
      select piece.id, exit.coins, row_number() over (order by piece.rank, piece.id) as place
      from ledger_entries entry
        join coin_exits exit on exit.entry_id = entry.id
        join coin_pieces piece on piece.id = exit.piece_id
      where entry.kind = 'withdrawal' and entry.source = ${withdrawalId}`,
    now,
  );
}

async function loadOrigins(
  queries: Queries,
  name: string,
  chosen: RawBuilder<unknown>,
  now: Instant,
): Promise<readonly CoinOrigin[]> {
  const { rows } = await sql<{
    readonly id: bigint;
    readonly coins: bigint;
    readonly gained_at: Date;
    readonly game: GameId | null;
    readonly opponent: PlayerId | null;
    readonly hops: number;
    readonly deposit_id: bigint;
    readonly kind: JournalEntryKind;
    readonly payment: PaymentId | null;
    readonly depositor: PlayerId;
    readonly origin_at: Date;
    readonly is_marked: boolean;
    readonly doubted_by: readonly string[];
  }>`${sql.raw(`/* prepared ${name} */`)}
    with chosen as materialized (${chosen})
    select chosen.id, chosen.coins, gained.at as gained_at, won.settled_game as game,
      case when won.kind = 'win' then (
        with recursive line as (
          select piece.entry_id, piece.parent_id
          union all
          select above.entry_id, above.parent_id from line join coin_pieces above on above.id = line.parent_id
          where line.entry_id <> piece.gained_entry)
        select account.owner from line join coin_pieces parent on parent.id = line.parent_id
          join ledger_accounts account on account.id = parent.wallet_id
        where line.entry_id = piece.gained_entry) end as opponent,
      piece.hops, piece.deposit_id, began.kind,
      case when began.kind in ('deposit', 'correction') then split_part(began.source, ':', 1) end as payment,
      depositor.owner as depositor, began.at as origin_at,
      exists (select from coin_marks mark where mark.deposit_id = piece.deposit_id)
        and ledger_find_mark(piece.deposit_id, piece.wallet_id, piece.gained_entry, ${toTimestamp(now)}::timestamptz) is not null as is_marked,
      array(select mark.case_id from coin_marks mark where mark.deposit_id = piece.deposit_id
        and mark.wallet_id = piece.wallet_id and mark.until_entry is null and mark.until_at > ${toTimestamp(now)}::timestamptz
        and piece.gained_entry = any (mark.gained_in)) as doubted_by
    from chosen
      join coin_pieces piece on piece.id = chosen.id
      join ledger_entries gained on gained.id = piece.entry_id
      join ledger_entries won on won.id = piece.gained_entry
      join coin_pieces first on first.id = piece.deposit_id
      join ledger_entries began on began.id = first.entry_id
      join ledger_accounts depositor on depositor.id = first.wallet_id
    order by chosen.place`.execute(queries);
  return rows.map((row) => ({
    pieceId: row.id,
    coins: toCoins(row.coins),
    gainedAt: fromTimestamp(row.gained_at),
    wonFrom: row.game === null || row.opponent === null ? null : { gameId: row.game, opponentId: row.opponent },
    hops: row.hops,
    origin: {
      pieceId: row.deposit_id,
      kind: row.kind,
      paymentId: row.payment,
      playerId: row.depositor,
      at: fromTimestamp(row.origin_at),
    },
    isMarked: row.is_marked,
    doubtedBy: row.doubted_by,
  }));
}
