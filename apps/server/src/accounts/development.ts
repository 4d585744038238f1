import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Database, Tx } from "../platform/database.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import type { Accounts, Visitor } from "./accounts.ts";
import { countPlayers } from "./store.ts";

export const DEVELOPMENT_PASSWORD = "holo-arena";

const DEVELOPMENT_PLAYERS = [
  { username: "ada", email: "ada@example.com", isEndowed: true },
  { username: "bola", email: "bola@example.com", isEndowed: true },
  { username: "owner", email: "owner@example.com", isEndowed: false },
] as const;

const NOWHERE: Visitor = { address: "127.0.0.1", userAgent: "", cookie: undefined };

export interface DevelopmentOptions {
  readonly database: Database;
  readonly time: Time;
  readonly accounts: Accounts;
  /** Gives a player the coins to begin with. */
  readonly endow: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
}

/**
 * Fills an empty development database with players to try things with, and returns their addresses; where anyone has registered
 * before, does nothing and returns none. Never call it in production: the password is public.
 */
export async function addDevelopmentPlayers(options: DevelopmentOptions): Promise<readonly string[]> {
  const { database, time, accounts, endow } = options;
  if ((await countPlayers(database.kysely)) > 0) return [];
  const added: string[] = [];
  for (const { username, email, isEndowed } of DEVELOPMENT_PLAYERS) {
    const player = await accounts.register({ username, email, password: DEVELOPMENT_PASSWORD }, NOWHERE);
    if (!player.ok) continue;
    if (isEndowed) await transact(database, (tx) => endow(tx, player.value.id, time.now()));
    added.push(email);
  }
  return added;
}
