import { sql } from "kysely";
import { holds, type Invariant, keepsTriggers } from "../../platform/database/invariant.ts";
import { pieceCountSql } from "../piece-counts.ts";
import { checkLogs } from "./check-logs.ts";

/** Repeats the formula on purpose: an auditor that shared the product's would share its errors. */
const buyInOf = () => sql`(g.platform_fee / 2 + g.stake_amount::bigint * 1000000 * ${pieceCountSql("g.game_type")})`;

export const chatInvariants: readonly Invariant[] = [
  holds(
    "the chat of each game is numbered from 1 without gaps",
    sql`
      select 'game ' || game_id || ' has ' || count(*) || ' messages up to number ' || max(number) as found
      from chat_messages group by game_id having min(number) <> 1 or max(number) <> count(*)`,
  ),
  holds(
    "every chat message is by a player of its game, sent after both players joined",
    sql`
      select 'message ' || m.id || ' of ' || m.sender_id as found
      from chat_messages m left join games g on g.id = m.game_id
      where g.started_at is null or m.created_at < g.started_at or m.sender_id not in (g.player1_id, g.player2_id)`,
  ),
  keepsTriggers("triggers protect chat", ["chat_messages chat_messages_append_only"]),
];

export const gameInvariants: readonly Invariant[] = [
  holds(
    "the platform fee of a game follows from its stake and its own basis points",
    () => sql`
      select 'game ' || g.id as found from games g
      where g.platform_fee <> 2 * (g.stake_amount::bigint * 1000000 * ${pieceCountSql("g.game_type")} * g.fee_bps / 10000)`,
  ),
  holds(
    "a waiting game holds one buy-in in escrow, an active game two, an ended game none",
    () => sql`
      select 'game ' || g.id || ' (' || g.status || ') holds ' || coalesce(a.balance, 0) as found
      from games g left join ledger_accounts a on a.kind = 'escrow' and a.owner = g.id::text
      where coalesce(a.balance, 0) <> ${buyInOf()} * case g.status when 'waiting' then 1 when 'active' then 2 else 0 end`,
  ),
  holds(
    "each ended game with a stake was settled once, according to its result",
    sql`
      select 'game ' || g.id || ' (' || g.status || ') was settled by ' || coalesce(e.kind, 'nothing') as found
      from games g left join ledger_entries e on e.settled_game = g.id::text
      where (g.status in ('waiting', 'active') or g.stake_amount = 0) <> (e.id is null)
        or e.kind <> case when g.status = 'cancelled' then 'refund' when g.winner_id is null then 'draw' else 'win' end`,
  ),
  holds(
    "only the winner received the pot less the fee, and the platform received the fee of each win or draw",
    () => sql`
      select 'game ' || g.id as found
      from games g join ledger_entries e on e.settled_game = g.id::text and e.kind in ('win', 'draw')
      where (e.kind = 'win' and not exists (
          select from ledger_postings p join ledger_accounts a on a.id = p.account_id
          where p.entry_id = e.id and a.kind = 'wallet' and a.owner = g.winner_id and p.amount = 2 * ${buyInOf()} - g.platform_fee))
        or (g.platform_fee > 0 and not exists (
          select from ledger_postings p join ledger_accounts a on a.id = p.account_id
          where p.entry_id = e.id and a.kind = 'revenue' and p.amount = g.platform_fee))`,
  ),
  holds(
    // Rematch offers can follow the end of a game.
    "a settlement carries the hash of the record that ended its game",
    sql`
      select 'game ' || g.id as found
      from games g join ledger_entries e on e.settled_game = g.id::text and e.kind in ('win', 'draw')
      left join game_log l on l.game_id = g.id and l.hash = e.details::json ->> 'finalHash'
      where not exists (select from json_array_elements(l.record::json -> 'events') event where event ->> 'type' = 'ended')`,
  ),
  holds(
    "each rematch in a log is one game with the same players, terms and swapped colours, and the other way round",
    sql`
      select coalesce('game ' || announced.game_id || ' announces ' || announced.next_id, 'game ' || created.id || ' names ' || created.before_id) as found
      from (
        select l.game_id::text, event ->> 'gameId' as next_id, (event ->> 'feeBps')::int as fee_bps
        from game_log l, json_array_elements(l.record::json -> 'events') event
        where l.record like '%"rematch_started"%' and event ->> 'type' = 'rematch_started'
      ) announced full join (
        select l.game_id::text as id, l.record::json -> 'events' -> 0 ->> 'rematchOf' as before_id
        from game_log l where l.version = 1 and l.record like '%"rematchOf"%'
      ) created on created.id = announced.next_id and created.before_id = announced.game_id
      left join games a on a.id::text = announced.game_id left join games b on b.id::text = announced.next_id
      where announced.game_id is null or created.id is null or a.player1_id <> b.player2_id or a.player2_id <> b.player1_id
        or a.stake_amount <> b.stake_amount or a.time_limit <> b.time_limit or a.game_type <> b.game_type
        or announced.fee_bps <> b.fee_bps`,
  ),
  holds(
    "a free game has no fee and moved nothing",
    sql`
      select 'game ' || g.id as found from games g
      where g.stake_amount = 0 and (g.fee_bps <> 0 or g.platform_fee <> 0
        or exists (select from ledger_accounts a where a.kind = 'escrow' and a.owner = g.id::text)
        or exists (select from ledger_entries e where e.settled_game = g.id::text
          or e.kind = 'stake' and e.source in (g.id || ':1', g.id || ':2')))`,
  ),
  holds(
    "every stake in the ledger belongs to the player in that seat of the game",
    sql`
      select 'entry ' || e.id || ' (' || e.source || ')' as found
      from ledger_entries e
      left join games g on g.id::text = split_part(e.source, ':', 1)
      join ledger_postings p on p.entry_id = e.id and p.amount < 0
      join ledger_accounts a on a.id = p.account_id
      where e.kind = 'stake' and (g.id is null
        or a.owner is distinct from case split_part(e.source, ':', 2) when '1' then g.player1_id else g.player2_id end)`,
  ),
  holds(
    "each player of an open game has one seat, other players have none",
    sql`
      select coalesce('seat of ' || s.player_id, 'player ' || o.player_id || ' of game ' || o.game_id) as found
      from (
        select id as game_id, player1_id as player_id, 1 as seat from games where status in ('waiting', 'active')
        union all select id, player2_id, 2 from games where status = 'active'
      ) o full join seats s on s.player_id = o.player_id and s.game_id = o.game_id and s.seat = o.seat
      where s.player_id is null or o.player_id is null`,
  ),
  holds(
    "no game for stakes started between two players who already shared a bank account, a card or a device",
    // What lies between the first and the last use of a device is not known.
    sql`
      select 'game ' || g.id as found
      from account_traces one join account_traces two
        on two.keyed_hash = one.keyed_hash and two.kind = one.kind and two.player_id > one.player_id
      join games g on least(g.player1_id, g.player2_id) = one.player_id and greatest(g.player1_id, g.player2_id) = two.player_id
        and g.stake_amount > 0 and g.started_at > greatest(one.first_at, two.first_at)
      where one.kind in ('bank_account', 'card') or (one.kind = 'device' and g.started_at - 30 * 86400000::bigint < least(
        case when one.last_at < g.started_at then one.last_at else one.first_at end,
        case when two.last_at < g.started_at then two.last_at else two.first_at end))
      order by g.started_at`,
  ),
  holds(
    "the stored outcomes of each player match their completed games",
    sql`
      select 'player ' || coalesce(kept.player_id, counted.player_id) || ' at ' || coalesce(kept.game_type, counted.game_type) || ', '
        || coalesce(kept.pool, counted.pool) as found
      from player_outcomes kept full join (
        select player.id as player_id, g.game_type, case g.stake_amount when 0 then 'free' else 'staked' end as pool,
          count(*) filter (where g.winner_id = player.id) as wins,
          count(*) filter (where g.winner_id <> player.id) as losses, count(*) filter (where g.winner_id is null) as draws
        from games g cross join lateral (values (g.player1_id), (g.player2_id)) as player (id)
        where g.status in ('completed', 'timeout') group by player.id, g.game_type, 3
      ) counted using (player_id, game_type, pool)
      where (kept.wins, kept.losses, kept.draws) is distinct from (counted.wins, counted.losses, counted.draws)`,
  ),
  keepsTriggers("triggers protect the log of games", ["game_log game_log_append_only"]),
  {
    name: "every game's log has no gap, its hashes are chained, its moves are legal, and it gives the rows of game and records",
    check: checkLogs,
  },
  ...chatInvariants,
];
