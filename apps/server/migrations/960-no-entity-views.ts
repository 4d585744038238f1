/** No views imitate the specification's entities: docs/specification.md names where each is. */
export const up = `
  drop schema spec cascade;
  drop function game_moves_of;
  drop view game_events;
  drop table realtime_stats;
`;
