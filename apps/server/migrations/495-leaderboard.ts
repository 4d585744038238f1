/**
 * How each player's games ended, kept beside the games so that a ranking reads a row for each player and not every game there ever was. The
 * trigger keeps it in the statement that ends a game, whoever sends that; a cancelled game counts nowhere and a draw is no win (ruling 11).
 * Periods are counted from the games themselves, by when they ended. No move changes `status` or `completed_at`, so that moves stay heap-only.
 */
export const up = `
  create index games_ended on games (completed_at) where status in ('completed', 'timeout');

  create table player_outcomes (
    player_id text not null,
    game_type text not null check (game_type in ('checkers', 'chess')),
    wins integer not null check (wins >= 0),
    losses integer not null check (losses >= 0),
    draws integer not null check (draws >= 0),
    primary key (player_id, game_type)
  );

  create function count_outcome() returns trigger language plpgsql as $$
  begin
    insert into player_outcomes as kept (player_id, game_type, wins, losses, draws)
    select player.id, new.game_type, coalesce((new.winner_id = player.id)::int, 0), coalesce((new.winner_id <> player.id)::int, 0),
      (new.winner_id is null)::int
    from (values (new.player1_id), (new.player2_id)) as player (id) order by player.id
    on conflict (player_id, game_type) do update set wins = kept.wins + excluded.wins, losses = kept.losses + excluded.losses,
      draws = kept.draws + excluded.draws;
    return null;
  end $$;
  create trigger games_count_ended after update of status on games for each row
    when (old.status not in ('completed', 'timeout') and new.status in ('completed', 'timeout')) execute function count_outcome();
  create trigger games_count_inserted after insert on games for each row
    when (new.status in ('completed', 'timeout')) execute function count_outcome();

  insert into player_outcomes (player_id, game_type, wins, losses, draws)
  select player.id, g.game_type, count(*) filter (where g.winner_id = player.id), count(*) filter (where g.winner_id <> player.id),
    count(*) filter (where g.winner_id is null)
  from games g cross join lateral (values (g.player1_id), (g.player2_id)) as player (id)
  where g.status in ('completed', 'timeout')
  group by player.id, g.game_type;
`;
