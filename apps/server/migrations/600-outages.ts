/**
 * Outages are stored when they end, whatever their cause, because games that are not in memory are
 * credited when they are loaded. A boot that never served does not count as service.
 */
export const up = `
  alter table nodes add column serving_at timestamptz;
  update nodes set serving_at = started_at;

  create table outages (
    from_at timestamptz not null,
    to_at timestamptz not null check (to_at > from_at),
    cause text not null check (cause in ('restart', 'database', 'stall')),
    primary key (to_at, from_at)
  );
  insert into outages (from_at, to_at, cause)
  select from_at, to_at, 'restart' from (
    select max(last_seen_at) over (order by started_at rows between unbounded preceding and 1 preceding) as from_at,
      started_at as to_at
    from nodes
  ) boots where from_at < to_at on conflict do nothing;
`;
