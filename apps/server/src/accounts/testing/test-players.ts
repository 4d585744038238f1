import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { randomBytes, randomUUID, wallMs } from "../../platform/runtime.ts";
import { makeSessionCookies } from "../sessions/session-cookie.ts";

export interface TestPlayer {
  readonly id: PlayerId;
  readonly username: string;
  readonly email: string;
  readonly cookie: string;
}

/**
 * Players with an account and a session, written directly: hashing passwords is too slow for most
 * tests. They have no wallet, and no password without `passwordHash`.
 */
export async function addTestPlayers(
  { pool }: Pick<Database, "pool">,
  usernames: readonly string[],
  secret: string,
  passwordHash?: string,
  secureCookies = false,
): Promise<readonly TestPlayer[]> {
  const players = usernames.map((username) => ({
    id: randomUUID() as PlayerId,
    username,
    email: `${username}@example.com`.toLowerCase(),
    token: randomBytes(24).toString("base64url"),
  }));
  await pool.query(
    `with made as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as t (id, name, email, token)
     ), saved_players as (
       insert into players (id, email, updated_at) select id, email, to_timestamp(0) from made
     ), saved_sessions as (
       insert into sessions (id, token, player_id, started_at, renewed_at, expires_at)
       select id, token, id, $6, to_timestamp(0), 'infinity' from made
     ), saved_passwords as (
       insert into passwords (player_id, hash, changed_at)
       select id, $5, to_timestamp(0) from made where $5::text is not null
     )
     insert into profiles (id, username, created_at, updated_at)
     select id, name, to_timestamp(0), to_timestamp(0) from made`,
    [
      players.map(({ id }) => id),
      players.map(({ username }) => username),
      players.map(({ email }) => email),
      players.map(({ token }) => token),
      passwordHash ?? null,
      new Date(wallMs()),
    ],
  );
  const cookies = makeSessionCookies(secret, secureCookies);
  return players.map(({ id, username, email, token }) => ({
    id,
    username,
    email,
    cookie: cookies.format(token).split(";")[0]!,
  }));
}
