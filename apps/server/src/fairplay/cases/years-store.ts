import type { FairPlayYearView } from "@holo/protocol/fair-play.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";

/** Nigeria's year: an hour ahead of UTC. Newest first. */
export async function loadYears(queries: Queries): Promise<readonly FairPlayYearView[]> {
  const yearOf = (column: string) =>
    sql`extract(year from to_timestamp(${sql.ref(column)} / 1000.0) at time zone 'Africa/Lagos')::int`;
  const { rows } = await sql<FairPlayYearView>`
    with asked as (
      select ${yearOf("created_at")} as year, count(*)::int as withdrawals from payments where kind = 'withdrawal' and part_of is null group by 1
    ), decided as (
      select ${yearOf("opened_at")} as year, count(*)::int as held,
        count(*) filter (where state = 'released')::int as released, count(*) filter (where state = 'cleared')::int as cleared,
        count(*) filter (where state = 'forfeited')::int as forfeited,
        count(*) filter (where appeal.is_made)::int as appeals, count(*) filter (where appeal.is_accepted)::int as accepted,
        round(avg(ended_at - opened_at) / 3600000.0, 1)::float8 as hours
      from fair_play_cases fair cross join lateral (
        select coalesce(bool_or(act.type = 'appealed'), false) as is_made,
          coalesce(bool_or((act.figures ->> 'isAccepted')::boolean), false) as is_accepted
        from fair_play_acts act where act.case_id = fair.id and act.type in ('appealed', 'appeal_answered')) appeal
      where kind in ('flow', 'engine') group by 1
    )
    select year, coalesce(withdrawals, 0) as withdrawals, coalesce(held, 0) as held, coalesce(released, 0) as released,
      coalesce(cleared, 0) as cleared, coalesce(forfeited, 0) as forfeited, coalesce(appeals, 0) as appeals,
      coalesce(accepted, 0) as accepted, hours as "meanHours"
    from asked full join decided using (year) order by year desc`.execute(queries);
  return rows;
}
