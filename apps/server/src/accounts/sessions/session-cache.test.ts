import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS } from "@holo/kernel/instant.ts";
import { expect, test } from "vitest";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { type LivePlayerSession, openSessionCache } from "./session-cache.ts";

test("reads a session again that ended while it was being read", async () => {
  const time = makeTestTime();
  const toSession = (token: string, id: string): LivePlayerSession => ({
    token,
    player: { id: id as PlayerId, username: id },
    endsAt: addMs(time.now(), HOUR_MS),
  });
  const stored = [toSession("phone", "ada"), toSession("desk", "bola")];
  const answers: (() => void)[] = [];
  const cache = openSessionCache(time, async (tokens) => {
    // A snapshot, as the database reads it: a session that ends from now on is still in the answer.
    const found = stored.filter(({ token }) => tokens.includes(token));
    await new Promise<void>((resolve) => answers.push(resolve));
    return found;
  });
  const finding = Promise.all([cache.find("phone"), cache.find("desk")]);
  await expect.poll(() => answers.length).toBe(1);
  stored.shift();
  cache.forgetPlayer("ada" as PlayerId);
  answers[0]!();
  await expect.poll(() => answers.length).toBe(2);
  answers[1]!();
  expect((await finding).map((session) => session?.player.username ?? null)).toEqual([null, "bola"]);
});
