/** The database's clock at the heartbeat, from which a starting server computes that server's clock. */
export const up = `alter table nodes add column database_at timestamptz;`;
