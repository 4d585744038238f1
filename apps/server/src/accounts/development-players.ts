import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Time } from "../platform/time/time.ts";
import { hashPassword } from "./password/password-hash.ts";
import { countPlayers, saveAccount } from "./store.ts";

export const DEVELOPMENT_PASSWORD = "holo-arena";

const DEVELOPMENT_PLAYERS = [
  { username: "ada", email: "ada@example.com", isEndowed: true },
  { username: "bola", email: "bola@example.com", isEndowed: true },
  { username: "owner", email: "owner@example.com", isEndowed: false },
] as const;

export interface DevelopmentPlayersOptions {
  readonly database: Database;
  readonly time: Time;
  /** Creates what belongs to a new player: their wallet. */
  readonly onPlayerCreated: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
  readonly creditOpeningBalance: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
}

/**
 * Adds verified players with a public password to an empty development database and returns their
 * addresses; does nothing if a player exists. Never for production.
 */
export async function addDevelopmentPlayers(options: DevelopmentPlayersOptions): Promise<readonly string[]> {
  const { database, time, onPlayerCreated, creditOpeningBalance } = options;
  if ((await countPlayers(database.kysely)) > 0) return [];
  const passwordHash = await hashPassword(DEVELOPMENT_PASSWORD);
  await transact(database, async (tx) => {
    for (const { username, email, isEndowed } of DEVELOPMENT_PLAYERS) {
      const [id, at] = [randomUUID() as PlayerId, time.now()];
      await saveAccount(tx, { id, username, email, emailVerified: true, passwordHash }, at);
      await onPlayerCreated(tx, id, at);
      if (isEndowed) await creditOpeningBalance(tx, id, at);
    }
  });
  return DEVELOPMENT_PLAYERS.map(({ email }) => email);
}
