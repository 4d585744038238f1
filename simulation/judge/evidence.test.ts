import type { GameId } from "@holo/kernel/ids.ts";
import { expect, it } from "vitest";
import { findOutagesOf } from "./evidence.ts";

const [game, other] = ["game", "other"] as unknown as readonly [GameId, GameId];

it("counts the end of a game's owner as an outage of this game, unless its process only stood still", () => {
  const toClaim = (gameId: GameId, cause: "gone" | "stalled") => ({
    gameId,
    at: 7_000,
    from: { lastBeatAt: 2_000, endedAt: 5_000, cause },
  });
  const claims = [toClaim(game, "gone"), toClaim(game, "stalled"), toClaim(other, "gone")];
  expect(findOutagesOf(game, { outages: [], claims })).toEqual([{ fromAt: 2_000, toAt: 7_000, cause: "restart" }]);
});
