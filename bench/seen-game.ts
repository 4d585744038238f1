import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { assert } from "@holo/kernel/assert.ts";
import { type Arena, type BenchPlayer, endow, seek, tell, waitForFrame } from "./arena.ts";

/** A game of checkers under way, long enough to be looked at: both have moved, and it is the player's turn. */
export interface SeenGame {
  readonly path: string;
  readonly player: BenchPlayer;
  close(): void;
}

export async function beginGame(arena: Arena): Promise<SeenGame> {
  const [player, opponent] = await arena.makePlayers(2);
  assert(player !== undefined && opponent !== undefined, "two players were made");
  await endow(arena.connectionString, [player, opponent]);
  const sockets = [await arena.connect(player), await arena.connect(opponent)] as const;
  const gameId = await seek(sockets[0], { game: "checkers", stake: 1, limitMinutes: 10 });
  await seek(sockets[1], { game: "checkers", stake: 1, limitMinutes: 10 });
  let position = checkers.start();
  for (const socket of sockets) {
    const table = waitForFrame(socket, "table");
    tell(socket, { type: "watch", gameId, since: 0 });
    const { version } = await table;
    const [move] = checkers.legalMoves(position);
    assert(move !== undefined, "both can move");
    const entry = waitForFrame(socket, "entry");
    tell(socket, { type: "move", moveId: randomUUID(), gameId, atVersion: version, path: move.path });
    await entry;
    const played = checkers.play(position, move.path);
    assert(played.ok, "the move is legal");
    position = played.value.position;
  }
  return { path: `/game/${gameId}`, player, close: () => sockets.forEach((socket) => void socket.close()) };
}
