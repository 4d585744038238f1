import { randomBytes } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { SessionView } from "@holo/protocol/views.ts";

/** Somebody who has registered and logged in. */
export interface Account {
  readonly id: PlayerId;
  readonly username: string;
  readonly cookie: string;
  /** Null for none, undefined where the server does not say at the moment. */
  findOpenGame(): Promise<string | null | undefined>;
}

const PASSWORD = "a password of robots";

export async function register(url: string): Promise<Account> {
  const username = `robot-${randomBytes(5).toString("hex")}`;
  const email = `${username}@example.com`;
  const headers = { "content-type": "application/json", origin: url };
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  await post("/api/register", { username, email, password: PASSWORD });
  const answer = await post("/api/login", { email, password: PASSWORD });
  const { player } = (await answer.json()) as SessionView;
  if (player === null) throw new Error(`${username} could not log in`);
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return {
    id: player.id as PlayerId,
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
