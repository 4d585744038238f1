import { randomUUID } from "node:crypto";
import { checkers } from "@holo/checkers/checkers.ts";
import { assert } from "@holo/kernel/assert.ts";
import { toCommandId } from "@holo/kernel/ids.ts";
import { type Arena, addCoins, type BenchPlayer, joinOrCreate, sendFrame, waitForFrame } from "../servers/arena.ts";

interface SampleGame {
  readonly path: string;
  readonly player: BenchPlayer;
  close(): void;
}

export async function startSampleGame(arena: Arena): Promise<SampleGame> {
  const [player, opponent] = await arena.makePlayers(2);
  assert(player !== undefined && opponent !== undefined, "two players were made");
  await addCoins(arena.connectionString, [player, opponent]);
  const sockets = [await arena.connect(player), await arena.connect(opponent)] as const;
  const gameId = await joinOrCreate(sockets[0], { game: "checkers", stake: 1, limitMinutes: 10 });
  await joinOrCreate(sockets[1], { game: "checkers", stake: 1, limitMinutes: 10 });
  let position = checkers.start();
  for (const socket of sockets) {
    const table = waitForFrame(socket, "table");
    sendFrame(socket, { type: "watch", gameId, since: 0 });
    const { version } = await table;
    const [move] = checkers.legalMoves(position);
    assert(move !== undefined, "both can move");
    const entry = waitForFrame(socket, "record");
    sendFrame(socket, {
      type: "move",
      commandId: toCommandId(randomUUID()),
      gameId,
      atVersion: version,
      path: move.path,
    });
    await entry;
    const played = checkers.play(position, move.path);
    assert(played.ok, "the move is legal");
    position = played.value.position;
  }
  return { path: `/game/${gameId}`, player, close: () => sockets.forEach((socket) => void socket.close()) };
}
