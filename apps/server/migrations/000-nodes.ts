export const up = `
  create table nodes (
    boot_id uuid primary key,
    node text not null check (length(node) between 1 and 255),
    started_at timestamptz not null,
    last_seen_at timestamptz not null check (last_seen_at >= started_at)
  );
  create index nodes_last_seen_at on nodes (last_seen_at);
`;
