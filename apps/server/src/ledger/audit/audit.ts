import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../../platform/database/invariant.ts";
import type { AccountKind, JournalEntryKind } from "../journal/journal-entry.ts";
import { ACCOUNT_NAME, ENTRY_NAME, paymentEntryInvariants } from "./payment-audit.ts";
import { provenanceInvariants } from "./provenance-audit.ts";

/** A correction moves between any two positions of its payment, which the auditor computes. */
const PAYMENT_ACCOUNTS: AccountKind[] = [
  "wallet",
  "debts",
  "revenue",
  "rounding",
  "deposit_clearing",
  "withdrawal_clearing",
  "provider_fees",
  "provider_loss",
];

/**
 * The accounts that each kind of entry may credit and debit. An entry of any other kind is broken:
 * coins come into being only through these flows.
 */
const FLOWS: readonly {
  readonly kind: JournalEntryKind;
  readonly credits: AccountKind[];
  readonly debits: AccountKind[];
}[] = [
  { kind: "stake", credits: ["escrow"], debits: ["wallet"] },
  { kind: "refund", credits: ["wallet"], debits: ["escrow"] },
  { kind: "win", credits: ["wallet", "revenue"], debits: ["escrow"] },
  { kind: "draw", credits: ["wallet", "revenue"], debits: ["escrow"] },
  { kind: "opening", credits: ["wallet"], debits: ["opening"] },
  { kind: "deposit", credits: ["wallet"], debits: ["deposit_clearing", "rounding"] },
  {
    kind: "deposit_taken",
    credits: ["deposit_clearing", "provider_fees", "rounding"],
    debits: ["wallet", "debts", "provider_fees", "rounding"],
  },
  { kind: "closing_remainder", credits: ["rounding"], debits: ["wallet"] },
  { kind: "forfeit", credits: ["wallet"], debits: ["wallet"] },
  { kind: "forfeit_return", credits: ["wallet"], debits: ["revenue"] },
  { kind: "debt_repayment", credits: ["debts"], debits: ["wallet"] },
  { kind: "withdrawal", credits: ["withdrawal_clearing", "provider_fees"], debits: ["wallet", "revenue"] },
  { kind: "withdrawal_paid", credits: ["deposit_clearing"], debits: ["withdrawal_clearing"] },
  {
    kind: "withdrawal_return",
    credits: ["wallet", "revenue", "provider_loss"],
    debits: ["withdrawal_clearing", "deposit_clearing", "provider_fees"],
  },
  { kind: "provider_fee", credits: ["deposit_clearing"], debits: ["provider_fees"] },
  { kind: "correction", credits: PAYMENT_ACCOUNTS, debits: PAYMENT_ACCOUNTS },
];

const FLOW_NAMES = FLOWS.flatMap(({ kind, credits, debits }) => [
  ...credits.map((account) => `${kind} 1 ${account}`),
  ...debits.map((account) => `${kind} -1 ${account}`),
]);

const GUARDS = [
  "coin_exits ledger_append_only",
  "coin_pieces coin_pieces_stay",
  "ledger_accounts ledger_accounts_stay",
  "ledger_entries ledger_append_only",
  "ledger_entries ledger_balanced",
  "ledger_player_lines ledger_append_only",
  "ledger_postings ledger_append_only",
  "ledger_postings ledger_joined",
];

const STAKED = sql`
  select split_part(entry.source, ':', 1) as game, posting.account_id, -posting.amount as amount
  from ledger_entries entry join ledger_postings posting on posting.entry_id = entry.id and posting.amount < 0
  where entry.kind = 'stake'`;

const SETTLED = sql`
  select entry.id, entry.kind, entry.source, entry.settled_game as game, posting.account_id, posting.amount
  from ledger_entries entry
  join ledger_postings posting on posting.entry_id = entry.id
  join ledger_accounts account on account.id = posting.account_id and account.kind = 'wallet'
  where entry.settled_game is not null`;

export const ledgerInvariants: readonly Invariant[] = [
  keepsTriggers("the ledger's guards against change and imbalance are in force", GUARDS),
  holds(
    "every entry sums to zero over at least two postings",
    sql`
      select ${ENTRY_NAME} || ': ' || count(posting.amount) || ' postings, sum ' || coalesce(sum(posting.amount), 0) as found
      from ledger_entries entry left join ledger_postings posting on posting.entry_id = entry.id
      group by entry.id having count(posting.amount) < 2 or sum(posting.amount) <> 0
      order by entry.id`,
  ),
  holds(
    "every posting belongs to an entry and an account, is not zero and is within bounds",
    sql`
      select 'posting of entry ' || posting.entry_id || ' to account ' || posting.account_id || ': ' || posting.amount as found
      from ledger_postings posting
      left join ledger_entries entry on entry.id = posting.entry_id
      left join ledger_accounts account on account.id = posting.account_id
      where entry.id is null or account.id is null or posting.amount = 0 or abs(posting.amount) > 9000000000000000
      order by posting.entry_id`,
  ),
  holds(
    "no two entries share a cause, no game is settled twice, no owner has two accounts of one kind",
    sql`
      (select 'entries of ' || kind || ' ' || source as found from ledger_entries group by kind, source having count(*) > 1 limit 1)
      union all
      (select 'settlements of game ' || settled_game from ledger_entries where settled_game is not null
       group by settled_game having count(*) > 1 limit 1)
      union all
      (select 'accounts of ' || kind || ' ' || owner from ledger_accounts group by kind, owner having count(*) > 1 limit 1)`,
  ),
  holds(
    "no entry was changed after it was posted",
    sql`
      with content as (
        select posting.entry_id, string_agg(line.text, e'\n' order by line.text collate "C") as lines
        from ledger_postings posting join ledger_accounts account on account.id = posting.account_id
        cross join lateral (select account.kind || ':' || account.owner || ' ' || posting.amount as text) as line
        group by posting.entry_id)
      select ${ENTRY_NAME} as found from ledger_entries entry left join content on content.entry_id = entry.id
      where entry.content_hash is distinct from encode(sha256(convert_to(concat_ws(e'\n', entry.kind, entry.source,
        coalesce(entry.settled_game, ''), entry.details, content.lines), 'UTF8')), 'hex')
      order by entry.id`,
  ),
  holds(
    "every stored balance is the sum of its postings, and its sequence counts them",
    sql`
      select ${ACCOUNT_NAME} || ': stored ' || account.balance || ' at ' || account.sequence || ', posted '
        || coalesce(posted.total, 0) || ' by ' || coalesce(posted.count, 0) as found
      from ledger_accounts account
      left join (select account_id, sum(amount) as total, count(*) as count from ledger_postings group by account_id) as posted
        on posted.account_id = account.id
      where account.balance is not null
        and (account.balance <> coalesce(posted.total, 0) or account.sequence <> coalesce(posted.count, 0))
      order by account.id`,
  ),
  holds(
    "no wallet or escrow was ever below zero, and each posting stores the balance after it",
    // Two concurrent stakes may take their ids in one order and reach the escrow in the other, so
    // stakes are ordered by the balance they left.
    sql`
      select ${ACCOUNT_NAME} || ' after entry ' || line.entry_id || ': stored ' || coalesce(line.balance_after::text, 'none')
        || ', was ' || line.running as found
      from (
        select account_id, entry_id, balance_after, sum(amount) over (
          partition by account_id order by takings, case when is_stake then balance_after end, entry_id) as running
        from (
          select posting.account_id, posting.entry_id, posting.amount, posting.balance_after,
            posted.kind = 'escrow' and posting.amount > 0 as is_stake,
            count(*) filter (where posting.amount < 0) over (
              partition by posting.account_id order by posting.entry_id rows between unbounded preceding and 1 preceding) as takings
          from ledger_postings posting
          join ledger_accounts posted on posted.id = posting.account_id and posted.kind in ('wallet', 'escrow')) as ordered
        ) as line
      join ledger_accounts account on account.id = line.account_id
      where line.running < 0 or line.balance_after is distinct from line.running
      order by line.entry_id`,
  ),
  holds(
    "wallets and escrows store a balance of at least zero, the platform's accounts store none",
    sql`
      select ${ACCOUNT_NAME} || ': ' || coalesce(account.balance::text, 'no balance') as found from ledger_accounts account
      where (account.kind in ('wallet', 'escrow')) <> (account.balance is not null) or account.balance < 0
      order by account.id`,
  ),
  holds(
    "the sum of all accounts is zero",
    sql`
      select 'the sum is ' || total as found from (
        select coalesce((select sum(balance) from ledger_accounts), 0) + coalesce((
          select sum(posting.amount) from ledger_postings posting
          join ledger_accounts account on account.id = posting.account_id and account.balance is null), 0) as total) as all_accounts
      where total <> 0`,
  ),
  holds(
    "each entry moves coins only between the accounts that its kind allows",
    sql`
      select ${ENTRY_NAME} || ' posts ' || posting.amount || ' to ' || ${ACCOUNT_NAME} as found
      from ledger_postings posting
      join ledger_entries entry on entry.id = posting.entry_id
      join ledger_accounts account on account.id = posting.account_id
      where entry.kind || ' ' || sign(posting.amount)::int || ' ' || account.kind <> all (${FLOW_NAMES}::text[])
      order by entry.id`,
  ),
  holds(
    "an escrow holds its one or two stakes until its game is settled, then nothing",
    sql`
      select ${ACCOUNT_NAME} || ' holds ' || account.balance || ' of ' || coalesce(staked.count, 0) || ' stakes, '
        || coalesce(entry.kind, 'not settled') as found
      from ledger_accounts account
      left join (select game, count(*) as count, sum(amount) as total from (${STAKED}) as stake group by game) as staked
        on staked.game = account.owner
      left join ledger_entries entry on entry.settled_game = account.owner
      where account.kind = 'escrow' and (coalesce(staked.count, 0) not in (1, 2)
        or account.balance <> case when entry.id is null then staked.total else 0 end)
      order by account.id`,
  ),
  holds(
    "a settlement pays only players with a stake: a refund their stakes, a win one of the two, a draw both the same",
    sql`
      with staked as (${STAKED}), settled as (${SETTLED}), seated as (
        select game, count(*) as seats from staked group by game
      ), paid as (
        select settled.id, settled.kind, settled.source, settled.game, count(*) as payees, min(settled.amount) as least,
          max(settled.amount) as most, count(staked.account_id) as stakers, bool_and(settled.amount = staked.amount) as whole,
          coalesce(max(seated.seats), 0) as seats
        from settled left join staked on staked.game = settled.game and staked.account_id = settled.account_id
        left join seated on seated.game = settled.game
        group by settled.id, settled.kind, settled.source, settled.game)
      select ${ENTRY_NAME} || ': ' || entry.payees || ' paid ' || entry.least || ' to ' || entry.most || ', '
        || entry.stakers || ' of them staked, ' || entry.seats || ' seats' as found
      from paid as entry
      where entry.stakers <> entry.payees
        or (entry.kind = 'refund' and not (entry.whole and entry.payees = entry.seats))
        or (entry.kind = 'win' and not (entry.payees = 1 and entry.seats = 2))
        or (entry.kind = 'draw' and not (entry.payees = 2 and entry.seats = 2 and entry.least = entry.most))
      order by entry.id`,
  ),
  holds(
    "each player's postings outside games are listed in the statement exactly once",
    sql`
      with listed as (
        select posting.account_id, posting.entry_id from ledger_postings posting
        join ledger_entries entry on entry.id = posting.entry_id and entry.kind not in ('stake', 'win', 'draw')
        join ledger_accounts account on account.id = posting.account_id and account.kind in ('wallet', 'debts'))
      select 'entry ' || coalesce(listed.entry_id, kept.entry_id) || ' of account '
        || coalesce(listed.account_id, kept.account_id) || case when kept.entry_id is null then ' is missing' else ' is not one' end as found
      from listed full join ledger_player_lines kept on kept.account_id = listed.account_id and kept.entry_id = listed.entry_id
      where listed.entry_id is null or kept.entry_id is null`,
  ),
  holds(
    "every platform account's stored total is the sum of its postings up to an entry",
    sql`
      select ${ACCOUNT_NAME} || ': stored ' || coalesce(kept.total::text, 'none') || ', posted ' || coalesce(posted.total, 0) as found
      from ledger_accounts account
      left join ledger_totals kept on kept.account_id = account.id
      left join lateral (
        select sum(posting.amount) as total from ledger_postings posting
        where posting.account_id = account.id and posting.entry_id <= kept.entry_id) as posted on true
      where (account.owner = '') <> (kept.account_id is not null) or kept.total <> coalesce(posted.total, 0)`,
  ),
  ...paymentEntryInvariants,
  ...provenanceInvariants,
];
