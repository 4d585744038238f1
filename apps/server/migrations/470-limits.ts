/**
 * What players have set for themselves. A limit's row says what holds, and what it becomes from `next_at` on, where something looser was
 * asked for; null is no limit. Deposits are in kobo, the stake in whole holocoins a piece, the session in minutes. Self-exclusions are
 * only ever added: none is taken back or shortened. Instants are ms since 1970.
 */
export const up = `
  create table player_limits (
    player_id text not null check (length(player_id) between 8 and 36),
    kind text not null check (kind in ('depositDay', 'depositWeek', 'depositMonth', 'stake', 'session')),
    value bigint check (value >= 0),
    next_value bigint check (next_value >= 0),
    next_at bigint,
    updated_at bigint not null,
    primary key (player_id, kind),
    check (next_value is null or next_at is not null)
  );

  create table self_exclusions (
    player_id text not null check (length(player_id) between 8 and 36),
    from_at bigint not null,
    until_at bigint not null,
    check (until_at > from_at)
  );
  create index self_exclusions_of_player on self_exclusions (player_id, until_at);
`;
