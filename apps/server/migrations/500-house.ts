/**
 * What the house does to players and to itself. Who is blocked has a row, with why in the words that they are shown; the acts of
 * blocking and unblocking say how it came to be. The switch for maintenance: the newest row holds, null is off. Append only. Instants are ms
 * since 1970.
 */
export const up = `
  create table player_blocks (
    player_id text primary key check (length(player_id) between 8 and 36),
    at bigint not null,
    act_id bigint not null unique references admin_acts (id),
    reason text not null check (length(reason) between 1 and 500)
  );

  create table maintenance_changes (
    id bigint generated always as identity primary key,
    at bigint not null,
    act_id bigint not null unique references admin_acts (id),
    text text check (length(text) between 1 and 300)
  );
  create trigger admin_append_only before update or delete or truncate on maintenance_changes
    for each statement execute function admin_refuse_change();
`;
