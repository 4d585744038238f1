import { randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { SessionView } from "@holo/protocol/views.ts";
import type { Book } from "../e2e/book.ts";

/** Somebody who has registered and logged in. */
export interface Account {
  readonly id: PlayerId;
  readonly username: string;
  readonly cookie: string;
  /** Null for none, undefined where the server does not say at the moment. */
  findOpenGame(): Promise<string | null | undefined>;
}

export async function register(url: string, book: Book): Promise<Account> {
  const { id, username, cookie } = await book.enrol(`robot-${randomBytes(5).toString("hex")}`, "a password of robots");
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
        // The server is down at the moment.
        return undefined;
      }
    },
  };
}
