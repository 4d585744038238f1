/**
 * Servers that share a database. `ended_at`: the row's server is known to be gone, and players whom
 * it served have been credited. `served`: whom an outage concerned, as "game player"; null: all.
 */
export const up = `
  alter table nodes add column is_shared boolean not null default false;
  alter table nodes add column ended_at timestamptz;
  create index nodes_running on nodes (last_seen_at) where is_shared and ended_at is null;

  alter table outages add column boot_id uuid;
  alter table outages add column served text[];
`;
