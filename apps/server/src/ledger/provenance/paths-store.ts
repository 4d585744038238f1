import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, toCoins } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { fromTimestamp } from "../../platform/database/timestamp.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";

/** One owner on the way of a piece's coins. */
interface PathStep {
  readonly pieceId: bigint;
  readonly playerId: PlayerId;
  /** How the owner gained the piece, all of it. */
  readonly kind: JournalEntryKind;
  /** The game or payment. */
  readonly source: string;
  readonly at: Instant;
  readonly coins: Coins;
}

export interface CoinPath {
  /** From the piece that was asked for towards its origin. */
  readonly steps: readonly PathStep[];
  /** False: the path goes on, beyond what is read. */
  readonly isWhole: boolean;
}

const STEPS_MAX = 64;
const ROWS_MAX = 2_000;

/** The owners of coins from now to their origin, one path for each piece. */
export async function loadPaths(queries: Queries, pieceIds: readonly bigint[]): Promise<readonly CoinPath[]> {
  const { rows } = await sql<{
    readonly line: bigint;
    readonly id: bigint;
    readonly has_parent: boolean;
    readonly owner: PlayerId;
    readonly kind: JournalEntryKind;
    readonly source: string;
    readonly at: Date;
    readonly coins: bigint;
  }>`/* prepared ledger_paths */
    with recursive step as (
      select piece.id as line, 0 as depth, piece.id, piece.parent_id
      from unnest(${pieceIds.map(String)}::bigint[]) with ordinality as asked (id, place) join coin_pieces piece using (id)
      union all
      select step.line, step.depth + 1, parent.id, parent.parent_id
      from step join coin_pieces parent on parent.id = step.parent_id where step.depth < ${STEPS_MAX}
    ), walked as materialized (select step.* from step limit ${ROWS_MAX})
    select walked.line, walked.id, walked.parent_id is not null as has_parent, account.owner, entry.kind,
      split_part(entry.source, ':', 1) as source, entry.at, piece.coins
    from walked join coin_pieces piece on piece.id = walked.id
      join ledger_entries entry on entry.id = piece.entry_id
      join ledger_accounts account on account.id = piece.wallet_id
    order by walked.line, walked.depth`.execute(queries);
  const byLine = Map.groupBy(rows, ({ line }) => line);
  return pieceIds.map((id) => {
    const steps = byLine.get(id) ?? [];
    return {
      steps: steps.map(({ id: pieceId, owner: playerId, kind, source, at, coins }) => ({
        pieceId,
        playerId,
        kind,
        source,
        at: fromTimestamp(at),
        coins: toCoins(coins),
      })),
      isWhole: steps.at(-1)?.has_parent === false,
    };
  });
}
