/**
 * Limits that hold over all servers. `full_at` is when all attempts of a key are free again, ms
 * since 1970; the row means nothing from then on. Keys are keyed hashes. A crash of the database
 * empties the table, as a restart empties limits in memory. It stays small and has no index on the
 * instant, so that an update writes one place.
 */
export const up = `
  create unlogged table rate_limits (
    key text primary key,
    full_at double precision not null
  );
`;
