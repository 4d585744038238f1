import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, MICRO_PER_HC } from "@holo/kernel/money.ts";
import { sql } from "kysely";
import { pieceCountSql } from "../game/game.ts";
import type { Queries } from "../platform/database/database.ts";

type PlayerPair = readonly [PlayerId, PlayerId];

export interface PairFlow {
  /** The player who lost coins to `to`, on balance. */
  readonly from: PlayerId;
  readonly to: PlayerId;
  /** Stakes that `from` lost less those that `from` won, without fees. */
  readonly netCoins: Coins;
  readonly games: number;
  readonly lost: number;
  readonly won: number;
  readonly quickLosses: number;
  /** Games that one of the two chose: by the lobby, the address or an invitation (ruling 42). */
  readonly chosen: number;
  readonly lastGameAt: Instant;
  readonly isOneSided: boolean;
  readonly hasQuickLosses: boolean;
}

/** Five moves of each. Fool's mate takes four plies; resigning is possible after four. */
const QUICK_PLIES = 10;
const QUICK_LOSSES_MIN = 3;
/** Fewer games prove nothing: a stronger friend wins three in a row. */
const ONE_SIDED_GAMES_MIN = 5;
/** The part of all stakes between the two that went one way. */
const ONE_SIDED_PERCENT = 80;

interface PairFlowsQuery {
  /** Games that ended after `since`, up to and including `until`. */
  readonly since: Instant;
  readonly until: Instant;
  /** Pairs that are loaded whatever they played, and count as more suspicious. */
  readonly pairs: readonly PlayerPair[];
  /** Of pairs in all. Those given are loaded beyond it, too. */
  readonly limit: number;
}

/**
 * Pairs with a one-sided flow of coins or several quick losses, by number of signals, then coins.
 * Reads the period's staked games once, by `games_ended`, and the length of some of them.
 */
export async function loadPairFlows(
  queries: Queries,
  { since, until, pairs, limit }: PairFlowsQuery,
): Promise<readonly PairFlow[]> {
  const { rows } = await sql<PairFlow & { readonly lastGameAt: number }>`
    with ended as (
      select id, least(player1_id, player2_id) as a, greatest(player1_id, player2_id) as b, winner_id, completed_at,
        coalesce(pairing in ('address', 'invitation'), false) as is_chosen, stake_amount::bigint * ${MICRO_PER_HC}::bigint * ${pieceCountSql("game_type")} as stake
      from games where status in ('completed', 'timeout') and completed_at > ${since} and completed_at <= ${until}
        and stake_amount > 0
    ), flow as (
      select a, b, count(*)::int as games, max(completed_at) as last_at,
        count(*) filter (where winner_id = a)::int as won_a, count(*) filter (where winner_id = b)::int as won_b,
        count(*) filter (where is_chosen)::int as chosen,
        coalesce(sum(stake) filter (where winner_id is not null), 0)::bigint as gross,
        (coalesce(sum(stake) filter (where winner_id = b), 0) - coalesce(sum(stake) filter (where winner_id = a), 0))::bigint as net
      from ended group by a, b
    ), met as (
      select *, (a, b) in (select least(x, y), greatest(x, y)
        from unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, other]) => other)}::text[]) as given (x, y)) as is_given
      from flow
    ), short as (
      select a, b, count(*)::int as quick
      from met join ended using (a, b) cross join lateral (
        select move_count from game_log where game_id = ended.id order by version desc limit 1) newest
      where (won_a + won_b >= ${QUICK_LOSSES_MIN} or is_given) and winner_id is not null and newest.move_count <= ${QUICK_PLIES}
      group by a, b
    ), counted as (
      select met.*, coalesce(quick, 0) as quick from met left join short using (a, b)
    ), marked as (
      select *, quick >= ${QUICK_LOSSES_MIN} as has_quick,
        won_a + won_b >= ${ONE_SIDED_GAMES_MIN} and abs(net) * 100 >= gross * ${ONE_SIDED_PERCENT} as is_one_sided
      from counted
    ), found as (
      select *, row_number() over (
        order by is_one_sided::int + has_quick::int + is_given::int desc, abs(net) desc, a, b) as place
      from marked where is_one_sided or has_quick or is_given
    )
    select case when net < 0 then b else a end as "from", case when net < 0 then a else b end as "to",
      abs(net) as "netCoins", games, quick as "quickLosses", chosen, last_at::float8 as "lastGameAt",
      case when net < 0 then won_a else won_b end as lost, case when net < 0 then won_b else won_a end as won,
      is_one_sided as "isOneSided", has_quick as "hasQuickLosses"
    from found where place <= ${limit} or is_given order by place`.execute(queries);
  return rows;
}
