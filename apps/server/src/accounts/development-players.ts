import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { Database, Tx } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Time } from "../platform/time/time.ts";
import type { Accounts } from "./accounts.ts";
import { hashPassword } from "./password/password-hash.ts";
import { countPlayers } from "./profiles/profiles-store.ts";

export const DEVELOPMENT_PASSWORD = "holo-arena";

const DEVELOPMENT_PLAYERS = [
  { username: "ada", email: "ada@example.com", hasOpeningBalance: true },
  { username: "bola", email: "bola@example.com", hasOpeningBalance: true },
  { username: "owner", email: "owner@example.com", hasOpeningBalance: false },
] as const;

interface DevelopmentPlayersDeps {
  readonly database: Database;
  readonly time: Time;
  readonly accounts: Pick<Accounts, "createAccount">;
  readonly creditOpeningBalance: (tx: Tx, playerId: PlayerId, at: Instant) => Promise<void>;
}

/**
 * Adds verified players with a public password to an empty development database and returns their
 * addresses; does nothing if a player exists. Never for production.
 */
export async function addDevelopmentPlayers(deps: DevelopmentPlayersDeps): Promise<readonly string[]> {
  const { database, time, accounts, creditOpeningBalance } = deps;
  if ((await countPlayers(database.kysely)) > 0) return [];
  const passwordHash = await hashPassword(DEVELOPMENT_PASSWORD);
  await transact(database, async (tx) => {
    for (const { username, email, hasOpeningBalance } of DEVELOPMENT_PLAYERS) {
      const id = await accounts.createAccount(tx, { username, email, emailVerified: true, passwordHash });
      if (hasOpeningBalance) await creditOpeningBalance(tx, id, time.now());
    }
  });
  return DEVELOPMENT_PLAYERS.map(({ email }) => email);
}
