import { BrokenInvariant } from "@holo/kernel/assert.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Invariant } from "../../platform/database/invariant.ts";
import type { JournalEntryKind } from "../journal/journal-entry.ts";
import { type Mark, type Part, Stack, splitTaken } from "./stack.ts";

/** Others for each newest entry. */
const SAMPLED = 16;

interface StoredPart {
  readonly piece: string;
  readonly coins: string;
}

/** What one entry did to a wallet, by the ledger and by the stored pieces. Ids and sums as text. */
interface StoredChange {
  readonly entry: string;
  readonly kind: JournalEntryKind;
  readonly source: string;
  readonly at: number;
  readonly details: string;
  /** Negative: it took coins, of which the winner of the game got all but the fee. */
  readonly coins: string;
  readonly fee: string;
  readonly gained: readonly {
    readonly id: string;
    readonly gained: string;
    readonly parent: string | null;
    readonly parent_wallet: string | null;
    readonly deposit: string;
    readonly origin_entry: string;
    readonly origin_wallet: string;
    readonly hops: number;
    readonly rank: string;
    readonly coins: string;
    readonly left: string;
  }[];
  /** By id. */
  readonly lost: readonly StoredPart[];
  readonly exits: readonly StoredPart[];
}

interface StoredStack {
  readonly wallet: bigint;
  readonly changes: readonly StoredChange[];
  readonly marks: readonly {
    readonly origin_entry: string;
    readonly wallet: string | null;
    readonly case: string | null;
    readonly gained: readonly string[] | null;
    readonly after: string;
    readonly until: string | null;
    readonly until_at: number;
  }[];
}

/** The one rule that SQL cannot check as a sum: the order in which pieces are taken. */
export const keepsSampledStacks: Invariant = {
  name: "the stacks of sampled wallets are as rebuilt from their entries",
  async check(queries) {
    const { rows } = await SAMPLED_STACKS.execute(queries);
    for (const stack of rows) {
      const found = describe(stack);
      if (found !== null) return `wallet ${stack.wallet}: ${found}`;
    }
    return null;
  },
};

/** A stack that lacks what an entry took is a finding, too. */
function describe(stack: StoredStack): string | null {
  try {
    return findDifference(stack);
  } catch (error) {
    if (error instanceof BrokenInvariant) return error.message;
    throw error;
  }
}

/** Takes again what each entry took. Gains are given: they were taken from another stack. */
function findDifference({ wallet, changes, marks }: StoredStack): string | null {
  const stack = new Stack(marks.map(toMark));
  /** By the entries in which they were gained at first. */
  const wonFrom = new Map<string, bigint | null>();
  for (const change of changes) {
    const entry = { ...change, entryId: BigInt(change.entry), at: toInstant(change.at) };
    const coins = BigInt(change.coins);
    if (coins < 0n) {
      const gain = change.kind === "win" ? -coins - BigInt(change.fee) : change.kind === "forfeit" ? -coins : 0n;
      const { won, exits } = splitTaken(stack.take(entry, -coins), gain);
      const [given, gone] = [
        format(change.kind === "win" ? won.toReversed() : won),
        format(exits.toSorted((a, b) => Number(a.piece.id - b.piece.id))),
      ];
      if (given !== formatStored(change.lost) || gone !== formatStored(change.exits)) {
        return `entry ${change.entry} should give ${given || "nothing"} to others and ${gone || "nothing"} away`;
      }
    }
    for (const { gained, parent_wallet: from } of change.gained) {
      if (gained === change.entry) wonFrom.set(gained, from === null ? null : BigInt(from));
    }
    const gained = change.gained.map((piece) => ({
      id: BigInt(piece.id),
      walletId: wallet,
      entryId: entry.entryId,
      gainedEntryId: BigInt(piece.gained),
      parentId: piece.parent === null ? null : BigInt(piece.parent),
      depositId: BigInt(piece.deposit),
      originEntryId: BigInt(piece.origin_entry),
      originWalletId: BigInt(piece.origin_wallet),
      fromWalletId: wonFrom.get(piece.gained) ?? null,
      hops: piece.hops,
      rank: BigInt(piece.rank),
      coins: BigInt(piece.coins),
      gainedAt: entry.at,
    }));
    stack.add(entry, gained);
  }
  const left = new Map(stack.parts.map(({ piece, coins }) => [String(piece.id), String(coins)]));
  const wrong = changes.flatMap(({ gained }) => gained).find((piece) => piece.left !== (left.get(piece.id) ?? "0"));
  return wrong === undefined ? null : `piece ${wrong.id} should have ${left.get(wrong.id) ?? 0} left`;
}

function toMark({
  origin_entry,
  wallet,
  case: caseId,
  gained,
  after,
  until,
  until_at,
}: StoredStack["marks"][number]): Mark {
  return {
    originEntryId: BigInt(origin_entry),
    walletId: wallet === null ? null : BigInt(wallet),
    caseId,
    gainedIn: gained?.map(BigInt) ?? null,
    afterEntryId: BigInt(after),
    untilEntryId: until === null ? null : BigInt(until),
    untilAt: toInstant(until_at),
  };
}

function format(parts: readonly Part[]): string {
  return formatStored(parts.map(({ piece, coins }) => ({ piece: String(piece.id), coins: String(coins) })));
}

function formatStored(parts: readonly StoredPart[]): string {
  return parts.map(({ piece, coins }) => `${coins} of ${piece}`).join(", ");
}

/** In one statement: other entries may be posted meanwhile. */
const SAMPLED_STACKS = sql<StoredStack>`
  with sampled as materialized (
    select id from ledger_accounts where kind = 'wallet'
    order by hashint8extended(id, (select coalesce(max(id), 0) from ledger_entries)) limit ${SAMPLED}
  ), change as materialized (
    select moved.wallet_id, moved.entry_id, sum(moved.amount) as coins from (
      select posting.account_id as wallet_id, posting.entry_id, posting.amount
      from sampled
        join ledger_postings posting on posting.account_id = sampled.id
        join ledger_entries entry on entry.id = posting.entry_id and entry.kind <> 'stake'
      union all
      select posting.account_id, settled.id, posting.amount
      from sampled
        join ledger_postings posting on posting.account_id = sampled.id and posting.amount < 0
        join ledger_entries stake on stake.id = posting.entry_id and stake.kind = 'stake'
        join ledger_entries settled on settled.settled_game = split_part(stake.source, ':', 1)) as moved
    group by moved.wallet_id, moved.entry_id having sum(moved.amount) <> 0
  ), gained as (
    select piece.wallet_id, piece.entry_id, jsonb_agg(jsonb_build_object('id', piece.id::text, 'gained', piece.gained_entry::text, 'parent', piece.parent_id::text,
      'parent_wallet', (select parent.wallet_id from coin_pieces parent where parent.id = piece.parent_id)::text,
      'deposit', piece.deposit_id::text, 'origin_entry', origin.entry_id::text, 'origin_wallet', origin.wallet_id::text, 'hops', piece.hops, 'rank', piece.rank::text,
      'coins', piece.coins::text, 'left', piece.left_coins::text) order by piece.id) as pieces
    from sampled join coin_pieces piece on piece.wallet_id = sampled.id join coin_pieces origin on origin.id = piece.deposit_id
    group by piece.wallet_id, piece.entry_id
  ), lost as (
    select parent.wallet_id, child.entry_id,
      jsonb_agg(jsonb_build_object('piece', parent.id::text, 'coins', child.coins::text) order by child.id) as parts
    from sampled join coin_pieces parent on parent.wallet_id = sampled.id
      join coin_pieces child on child.parent_id = parent.id and child.rank > 0
    group by parent.wallet_id, child.entry_id
  ), gone as (
    select piece.wallet_id, exit.entry_id,
      jsonb_agg(jsonb_build_object('piece', piece.id::text, 'coins', exit.coins::text) order by piece.id) as parts
    from sampled join coin_pieces piece on piece.wallet_id = sampled.id join coin_exits exit on exit.piece_id = piece.id
    group by piece.wallet_id, exit.entry_id
  ), fee as (
    select posting.entry_id, posting.amount from ledger_accounts account
      join ledger_postings posting on posting.account_id = account.id where account.kind = 'revenue')
  select change.wallet_id as wallet,
    jsonb_agg(jsonb_build_object('entry', entry.id::text, 'kind', entry.kind, 'source', entry.source,
      'details', entry.details, 'at', (extract(epoch from entry.at) * 1000)::bigint, 'coins', change.coins::text, 'fee', coalesce(fee.amount, 0)::text,
      'gained', coalesce(gained.pieces, '[]'), 'lost', coalesce(lost.parts, '[]'), 'exits', coalesce(gone.parts, '[]'))
      order by entry.id) as changes,
    (select coalesce(jsonb_agg(jsonb_build_object('origin_entry', origin.entry_id::text,
      'wallet', mark.wallet_id::text, 'case', mark.case_id, 'gained', mark.gained_in::text[], 'after', mark.after_entry::text,
      'until', mark.until_entry::text, 'until_at', (extract(epoch from mark.until_at) * 1000)::bigint)), '[]')
      from coin_marks mark join coin_pieces origin on origin.id = mark.deposit_id) as marks
  from change
    join ledger_entries entry on entry.id = change.entry_id
    left join fee on fee.entry_id = change.entry_id
    left join gained on gained.wallet_id = change.wallet_id and gained.entry_id = change.entry_id
    left join lost on lost.wallet_id = change.wallet_id and lost.entry_id = change.entry_id
    left join gone on gone.wallet_id = change.wallet_id and gone.entry_id = change.entry_id
  group by change.wallet_id order by change.wallet_id`;
