import { randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { ArenaDatabase } from "../e2e/support/database.ts";

export const PASSWORD = "a password of robots";

/** What robots read of their session. */
export interface SessionFacts extends Pick<SessionView, "balance" | "openGame"> {
  readonly settings: Pick<SessionView["settings"], "feeBps">;
}

export interface Account {
  readonly id: PlayerId;
  readonly username: string;
  readonly cookie: string;
  /** Undefined while the server is down. */
  loadSession(): Promise<SessionFacts | undefined>;
}

export async function register(url: string, database: ArenaDatabase): Promise<Account> {
  const { id, username, cookie } = await database.addPlayer(`robot-${randomBytes(5).toString("hex")}`, PASSWORD);
  return {
    id,
    username,
    cookie,
    async loadSession() {
      try {
        const session = await fetch(`${url}/api/session`, { headers: { cookie } });
        return session.ok ? ((await session.json()) as SessionView) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}
