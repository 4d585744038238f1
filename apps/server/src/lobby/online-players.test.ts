import { toPlayerId } from "@holo/kernel/ids.ts";
import { expect, test } from "vitest";
import { makeTestTime } from "../platform/testing/test-time.ts";
import { HIDDEN_AFTER_MS, openOnlinePlayers } from "./online-players.ts";

const [ADA, BOLA] = [toPlayerId("player-ada"), toPlayerId("player-bola")];

test("keeps a player reachable for a minute after their last connection", () => {
  const time = makeTestTime();
  const presence = openOnlinePlayers(time);
  time.advance(HIDDEN_AFTER_MS + 1);
  expect([presence.connect(ADA), presence.connect(ADA)]).toEqual([true, false]);
  expect([presence.disconnect(ADA), presence.disconnect(ADA)]).toEqual([false, true]);
  time.advance(HIDDEN_AFTER_MS);
  expect([presence.isOnline(ADA), presence.isReachable(ADA)]).toEqual([false, true]);
  time.advance(1);
  expect(presence.isReachable(ADA)).toBe(false);
  presence.connect(ADA);
  expect(presence.isReachable(ADA)).toBe(true);
});

test("forgets a player after a minute, who stays unreachable", () => {
  const time = makeTestTime();
  const presence = openOnlinePlayers(time);
  for (let index = 0; index < 100; index += 1) {
    const playerId = toPlayerId(`player-${index}`);
    presence.connect(playerId);
    presence.disconnect(playerId);
    time.advance(HIDDEN_AFTER_MS / 4);
  }
  presence.connect(BOLA);
  presence.disconnect(BOLA);
  expect(presence.awayCount()).toBeLessThan(10);
  expect(presence.isReachable(toPlayerId("player-0"))).toBe(false);
  expect(presence.isReachable(toPlayerId("player-99"))).toBe(true);
});
