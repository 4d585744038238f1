import type { GameId } from "@holo/kernel/ids.ts";
import { expect, it } from "vitest";
import { findOutagesOf, type StoredOutage } from "./evidence.ts";

const game = "game" as GameId;
const served = (...keys: readonly string[]) => ({ fromAt: 0, toAt: 1, cause: "restart", served: keys });

it("counts outages of servers with a player of the game, not of those with spectators alone", () => {
  const [played, spectated, handedOver] = [served("game one"), served("game spectator"), served("game spectator 5")];
  const outages = [played, spectated, handedOver] as unknown as readonly StoredOutage[];
  expect(findOutagesOf(game, { outages })).toEqual([played]);
});
