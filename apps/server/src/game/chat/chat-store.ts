import type { CommandId, GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { sql } from "kysely";
import type { Queries } from "../../platform/database/database.ts";
import { type Fence, Fenced } from "../../platform/servers/fence.ts";

export interface ChatMessage {
  readonly gameId: GameId;
  /** From 1 without gaps in each game. */
  readonly number: number;
  readonly senderId: PlayerId;
  readonly text: string;
  readonly at: Instant;
}

interface NewMessage extends Omit<ChatMessage, "number"> {
  readonly commandId: CommandId;
}

/** Of one player in a game. */
export const SENT_MAX = 500;
export const GAME_MESSAGES_MAX = 2 * SENT_MAX;

const MESSAGE_COLUMNS = sql`game_id as "gameId", number, sender_id as "senderId", message as text, created_at::float8 as at`;

/**
 * Adds a message under its game's next number and returns it. Null, without writing: the sender has
 * `sentMax` messages, sent this before, or the number was just taken. Throws for another's game.
 */
export async function saveMessage(
  queries: Queries,
  fence: Fence,
  message: NewMessage,
  sentMax: number,
): Promise<number | null> {
  const { gameId, senderId, commandId, text, at } = message;
  // Who takes a game over reads its messages: a later one of the server before would be missed.
  const { rows } = await sql<{ readonly number: number | null; readonly isOwned: boolean }>`
    with owned as materialized (
      select from games game join servers own on own.server_id = game.owner
      where game.id = ${gameId} and own.server_id = ${fence.serverId} and own.ended_at is null
        and extract(epoch from pg_postmaster_start_time())::text = ${fence.databaseStart}
      for share),
    saved as (
      insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
      select ${gameId}::uuid, coalesce(max(number), 0) + 1, ${senderId}::text, ${commandId}::text, ${text}::text, ${at}::bigint
      from chat_messages where game_id = ${gameId}
      having count(*) filter (where sender_id = ${senderId}) < ${sentMax} and exists (select from owned)
      on conflict do nothing returning number)
    select (select number from saved) as number, exists (select from owned) as "isOwned"`.execute(queries);
  const { number, isOwned } = rows[0]!;
  if (!isOwned) throw new Fenced(fence);
  return number;
}

export async function findMessage(
  queries: Queries,
  senderId: PlayerId,
  commandId: CommandId,
): Promise<ChatMessage | null> {
  const { rows } = await sql<ChatMessage>`
    select ${MESSAGE_COLUMNS} from chat_messages
    where sender_id = ${senderId} and command_id = ${commandId}`.execute(queries);
  return rows[0] ?? null;
}

export async function countMessages(queries: Queries, gameId: GameId, senderId: PlayerId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from chat_messages where game_id = ${gameId} and sender_id = ${senderId}`.execute(
    queries,
  );
  return rows[0]?.count ?? 0;
}

export interface MessagesSince {
  readonly gameId: GameId;
  readonly since: number;
}

/** The newest `limit` messages of a game after `since`, in order. */
export async function loadMessages(
  queries: Queries,
  gameId: GameId,
  since: number,
  limit: number,
): Promise<readonly ChatMessage[]> {
  const [messages = []] = await loadMessagesOfEach(queries, [{ gameId, since }], limit);
  return messages;
}

export async function loadMessagesOfEach(
  queries: Queries,
  asked: readonly MessagesSince[],
  limit: number,
): Promise<readonly (readonly ChatMessage[])[]> {
  const gameIds = asked.map(({ gameId }) => gameId);
  const sinces = asked.map(({ since }) => since);
  const { rows } = await sql<ChatMessage & { readonly index: number }>`
    select message.*, asked.index::int as index
    from unnest(${gameIds}::uuid[], ${sinces}::int[]) with ordinality as asked (game_id, since, index)
    cross join lateral (
      select ${MESSAGE_COLUMNS} from chat_messages
      where game_id = asked.game_id and number > asked.since order by number desc limit ${limit}
    ) message
    order by asked.index, message.number`.execute(queries);
  const found = asked.map((): ChatMessage[] => []);
  for (const { index, ...message } of rows) found[index - 1]!.push(message);
  return found;
}
