/** Lists of finished games on given terms, newest first, however rare the terms are. */
export const up = `
  create index games_by_terms on games (game_type, stake_amount, time_limit, created_at desc, id desc);
`;
