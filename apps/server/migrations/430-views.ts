/**
 * The specification's entities (section 3) whose truth is the log of games, under their own names and with their fields, for who looks
 * into the database. Nothing of the arena reads them, so they are written to be read, not to be fast.
 *
 * An entry of the log holds the events that one command brought about, in order. An offer that is followed by another event of its
 * own entry crossed one of the other player: that one was accepted by it, and it is no offer of its own (ruling 18).
 */
export const up = `
  create view game_events as
    select l.game_id, l.version, e.place::int as place, l.at, (l.entry::jsonb ->> 'by')::int as by_seat,
      e.event ->> 'type' as type, e.event,
      e.place = jsonb_array_length(l.entry::jsonb -> 'events') as is_last
    from game_log l cross join lateral jsonb_array_elements(l.entry::jsonb -> 'events') with ordinality as e (event, place);

  -- A draw offer stands until it is answered, crossed, let lapse by a move of the other player, or overtaken by the game's end.
  create view draw_offers as
    select offer.game_id,
      case offer.by_seat when 1 then g.player1_id else g.player2_id end as offered_by_player_id,
      case
        when closing.type is null then 'pending'
        when closing.type = 'draw_offered' or closing.answer = 'accept' then 'accepted'
        when closing.type = 'draw_answered' then 'declined'
        else 'lapsed'
      end as status
    from game_events offer
    join games g on g.id = offer.game_id
    left join lateral (
      select later.type, later.event ->> 'answer' as answer from game_events later
      where later.game_id = offer.game_id and later.version > offer.version
        and (later.type in ('draw_offered', 'draw_answered', 'ended', 'cancelled')
          or (later.type = 'moved' and later.by_seat <> offer.by_seat))
      order by later.version, later.place limit 1
    ) closing on true
    where offer.type = 'draw_offered' and offer.is_last;

  create view takeback_requests as
    select request.game_id || ':' || request.version as id, request.game_id,
      case request.by_seat when 1 then g.player1_id else g.player2_id end as requested_by_player_id,
      case
        when closing.type is null then 'pending'
        when closing.type = 'takeback_requested' or closing.answer = 'accept' then 'accepted'
        when closing.type = 'takeback_answered' then 'declined'
        else 'lapsed'
      end as status
    from game_events request
    join games g on g.id = request.game_id
    left join lateral (
      select later.type, later.event ->> 'answer' as answer from game_events later
      where later.game_id = request.game_id and later.version > request.version
        and (later.type in ('takeback_requested', 'takeback_answered', 'ended', 'cancelled')
          or (later.type = 'moved' and later.by_seat <> request.by_seat))
      order by later.version, later.place limit 1
    ) closing on true
    where request.type = 'takeback_requested' and request.is_last;

  -- A rematch is accepted by what starts it, be that an answer or an offer that crosses; an offer after one that ran out is a new one.
  create view rematch_offers as
    select offer.game_id || ':' || offer.version as id, offer.game_id as original_game_id,
      case offer.by_seat when 1 then g.player1_id else g.player2_id end as from_player_id,
      case offer.by_seat when 1 then g.player2_id else g.player1_id end as to_player_id,
      case
        when closing.type is null then 'pending'
        when started.event is not null then 'accepted'
        when closing.type = 'rematch_answered' then 'declined'
        else 'lapsed'
      end as status,
      (started.event ->> 'gameId')::uuid as new_game_id
    from game_events offer
    join games g on g.id = offer.game_id
    left join lateral (
      select later.type, later.version from game_events later
      where later.game_id = offer.game_id and later.version > offer.version
        and later.type in ('rematch_offered', 'rematch_answered', 'rematch_lapsed')
      order by later.version, later.place limit 1
    ) closing on true
    left join game_events started
      on started.game_id = offer.game_id and started.version = closing.version and started.type = 'rematch_started'
    where offer.type = 'rematch_offered' and offer.is_last;

  -- The moves that stand, those taken back left out, each with the board it was made on: 64 characters, a8 first, '.' empty, checkers
  -- a/A and b/B for the men and kings of player 1 and 2, chess the letters of FEN. Moves of a log are legal, so that what a move takes
  -- can be read off the board: in checkers whatever it passes over.
  create function game_moves_of(wanted uuid)
    returns table (move_number int, from_index int, to_index int, captured_piece boolean, board_state_before text)
    language plpgsql stable as $$
  declare
    is_chess boolean := (select game_type = 'chess' from games where id = wanted);
    board text := case when is_chess
      then 'rnbqkbnr' || 'pppppppp' || repeat('.', 32) || 'PPPPPPPP' || 'RNBQKBNR'
      else '.b.b.b.b' || 'b.b.b.b.' || '.b.b.b.b' || repeat('.', 16) || 'a.a.a.a.' || '.a.a.a.a' || 'a.a.a.a.' end;
    made record;
    standing int := 0;
    boards text[] := '{}';
    froms int[] := '{}';
    tos int[] := '{}';
    captures boolean[] := '{}';
    path int[];
    piece text;
    landing int;
    passed int;
    direction int;
  begin
    for made in
      select type, event from game_events
      where game_id = wanted and type in ('moved', 'taken_back') order by version, place
    loop
      if made.type = 'taken_back' then
        standing := standing - (made.event ->> 'plies')::int;
        board := boards[standing + 1];
        continue;
      end if;
      path := array(
        select square::int from jsonb_array_elements_text(made.event -> 'path') with ordinality as step (square, place) order by place);
      standing := standing + 1;
      boards[standing] := board;
      froms[standing] := path[1];
      tos[standing] := path[cardinality(path)];
      captures[standing] := false;
      piece := substr(board, path[1] + 1, 1);
      board := overlay(board placing '.' from path[1] + 1 for 1);
      for step in 2 .. cardinality(path) loop
        landing := path[step];
        if is_chess then
          -- En passant takes beside where the pawn stood.
          passed := landing;
          if piece in ('P', 'p') and landing % 8 <> path[1] % 8 and substr(board, landing + 1, 1) = '.' then
            passed := path[1] / 8 * 8 + landing % 8;
          end if;
          captures[standing] := substr(board, passed + 1, 1) <> '.';
          board := overlay(board placing '.' from passed + 1 for 1);
          if piece in ('K', 'k') and landing - path[1] = 2 then
            board := overlay(overlay(board placing '.' from landing + 2 for 1)
              placing case piece when 'K' then 'R' else 'r' end from landing for 1);
          elsif piece in ('K', 'k') and landing - path[1] = -2 then
            board := overlay(overlay(board placing '.' from landing - 1 for 1)
              placing case piece when 'K' then 'R' else 'r' end from landing + 2 for 1);
          elsif piece = 'P' and landing / 8 = 0 then
            piece := upper(coalesce(made.event ->> 'promotion', 'q'));
          elsif piece = 'p' and landing / 8 = 7 then
            piece := coalesce(made.event ->> 'promotion', 'q');
          end if;
        else
          direction := sign(landing / 8 - path[step - 1] / 8)::int * 8 + sign(landing % 8 - path[step - 1] % 8)::int;
          passed := path[step - 1] + direction;
          while passed <> landing loop
            captures[standing] := captures[standing] or substr(board, passed + 1, 1) <> '.';
            board := overlay(board placing '.' from passed + 1 for 1);
            passed := passed + direction;
          end loop;
          if (piece = 'a' and landing / 8 = 0) or (piece = 'b' and landing / 8 = 7) then
            piece := upper(piece);
          end if;
        end if;
      end loop;
      board := overlay(board placing piece from landing + 1 for 1);
    end loop;
    return query
      select number, froms[number], tos[number], captures[number], boards[number] from generate_series(1, standing) number;
  end $$;

  create view game_moves as
    select g.id as game_id, case when move.move_number % 2 = 1 then g.player1_id else g.player2_id end as player_id,
      move.move_number, move.from_index, move.to_index, move.captured_piece, move.board_state_before
    from games g cross join lateral game_moves_of(g.id) move;
`;
