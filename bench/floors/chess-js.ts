/** Floor A: what one would write first. chess.js validates, both players are told, nothing is kept. */
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { openFloor, show } from "./floor.ts";

interface Game {
  readonly board: Chess;
  version: number;
}

openFloor<Game>({
  makeGame: () => ({ board: new Chess(), version: 2 }),
  batches: () => ({ commits: 0, rows: 0 }),
  move(room, seat, { moveId, gameId, path, promotion }) {
    const { game } = room;
    if ((game.board.turn() === "w") !== (seat === 1)) return;
    // Throws on a move that is not legal.
    game.board.move({
      from: formatSquare(path[0]!),
      to: formatSquare(path[1]!),
      ...(promotion === undefined ? {} : { promotion }),
    });
    const isOver = game.board.isGameOver();
    game.version += 1;
    const events = [{ type: "moved", path, ...(promotion === undefined ? {} : { promotion }) }];
    const entry = JSON.stringify({ version: game.version, at: Date.now(), by: seat, events, isOver });
    show(room, seat, gameId, entry, moveId);
  },
});
