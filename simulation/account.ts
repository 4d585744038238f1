import { randomBytes } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import type { SessionView } from "@holo/protocol/session.ts";
import type { ArenaDatabase } from "../e2e/support/database.ts";

/** A registered and logged-in player. */
export interface Account {
  readonly id: PlayerId;
  readonly username: string;
  readonly cookie: string;
  /** Null for none, undefined while the server is down. */
  findOpenGame(): Promise<GameId | null | undefined>;
}

export async function register(url: string, database: ArenaDatabase): Promise<Account> {
  const { id, username, cookie } = await database.addPlayer(
    `robot-${randomBytes(5).toString("hex")}`,
    "a password of robots",
  );
  return {
    id,
    username,
    cookie,
    async findOpenGame() {
      try {
        const session = await fetch(`${url}/api/session`, { headers: { cookie } });
        if (!session.ok) return undefined;
        return ((await session.json()) as SessionView).openGame?.gameId ?? null;
      } catch {
        // The server is down.
        return undefined;
      }
    },
  };
}
