/**
 * Started games that a player cancelled, for their profile, without reading all their games. Only a cancelled game enters the index: no
 * move, start or finished game pays for it.
 */
export const up = `
  create index games_aborted on games (cancelled_by) where cancelled_by is not null and started_at is not null;
`;
