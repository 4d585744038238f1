import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { loadNewestHash } from "../log/game-store.ts";
import type { GameWrite } from "../log/game-writer.ts";
import type { TestArena } from "./test-arena.ts";

/** A record of a running game that continues its log. The table could not fold it. */
export async function loadTestWrite(
  { kysely }: Pick<Database, "kysely">,
  { time }: Pick<TestArena, "time">,
  gameId: GameId,
  version: number,
): Promise<GameWrite> {
  return {
    gameId,
    hashBefore: (await loadNewestHash(kysely, gameId)) ?? "",
    encoded: {
      version,
      text: `{"version":${version},"id":"${randomUUID()}"}`,
      hash: randomUUID().replaceAll("-", "").padEnd(64, "0"),
    },
    game: {
      version,
      status: "active",
      player2_id: null,
      pairing: null,
      board_state: "W:W21:B12",
      move_count: 1,
      current_turn: 2,
      player1_captures: 0,
      player2_captures: 0,
      player1_remaining_ms: 1,
      player2_remaining_ms: 1,
      winner_id: null,
      end_reason: null,
      cancelled_by: null,
      deadline_at: null,
      updated_at: time.now(),
      started_at: null,
      completed_at: null,
    },
  };
}
