/** Games, stakes and time limits are listed once, in packages/rules and packages/table. */
export const up = `
  alter table games drop constraint games_game_type_check, drop constraint games_stake_amount_check,
    drop constraint games_time_limit_check;
  alter table player_outcomes drop constraint player_outcomes_game_type_check;
`;
