import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameWrite } from "../log/game-writer.ts";

/** A record of a running game. The table could not fold it. */
export function makeTestWrite(gameId: GameId, version: number): GameWrite {
  return {
    gameId,
    encoded: {
      version,
      text: `{"version":${version},"id":"${randomUUID()}"}`,
      hash: randomUUID().replaceAll("-", "").padEnd(64, "0"),
    },
    row: {
      at: 1_000_000 as Instant,
      board_state: "W:W21:B12",
      move_count: 1,
      player1_captures: 0,
      player2_captures: 0,
      player1_remaining_ms: 1,
      player2_remaining_ms: 1,
    },
  };
}
