/**
 * What players want of each other. A row says what one player asked for about another; who asks for nothing has none. The two are
 * never paired where either has blocked the other, so rows are also found from the other's side.
 */
export const up = `
  alter table profiles add column takebacks_enabled boolean not null default true;

  create table player_relations (
    player_id text not null references profiles (id),
    other_id text not null references profiles (id),
    muted boolean not null,
    blocked boolean not null,
    updated_at timestamptz not null,
    primary key (player_id, other_id),
    check (player_id <> other_id),
    check (muted or blocked)
  );
  create index player_relations_by_blocked on player_relations (other_id) where blocked;
`;
