/**
 * What the two players of a game write to each other: append only, numbered from 1 in each game. A command's id is one message, however
 * often it is sent. No foreign key to `games`: it would lock the row that every move changes; the auditor compares the two instead.
 * Instants are integer milliseconds.
 */
export const up = `
  create table chat_messages (
    game_id uuid not null,
    number integer not null check (number between 1 and 1000),
    id text generated always as (game_id::text || ':' || number::text) stored,
    sender_id text not null,
    command_id text not null check (length(command_id) between 8 and 36),
    message text not null check (length(message) between 1 and 200 and message = btrim(message) and message !~ '[[:cntrl:]]'),
    created_at bigint not null,
    primary key (game_id, number),
    unique (sender_id, command_id)
  );
  create function chat_messages_refuse_change() returns trigger language plpgsql as $$
  begin
    raise exception 'chat is append only: % refused', tg_op using errcode = 'restrict_violation';
  end $$;
  create trigger chat_messages_append_only before update or delete or truncate on chat_messages
    for each statement execute function chat_messages_refuse_change();
`;
