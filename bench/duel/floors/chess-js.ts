/** Floor A: the obvious first version. chess.js validates, both players are sent the move. */
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { broadcast, openFloor } from "./floor.ts";

interface Game {
  readonly board: Chess;
  version: number;
}

openFloor<Game>({
  makeGame: () => ({ board: new Chess(), version: 2 }),
  batches: () => ({ commits: 0, rows: 0 }),
  move(game, seat, { commandId, gameId, path, promotion }) {
    const { state } = game;
    if ((state.board.turn() === "w") !== (seat === 1)) return;
    // Throws on an illegal move.
    state.board.move({
      from: formatSquare(path[0]!),
      to: formatSquare(path[1]!),
      ...(promotion === undefined ? {} : { promotion }),
    });
    const isOver = state.board.isGameOver();
    state.version += 1;
    const events = [{ type: "moved", path, ...(promotion === undefined ? {} : { promotion }) }];
    const record = JSON.stringify({ version: state.version, at: Date.now(), by: seat, events, isOver });
    broadcast(game, seat, gameId, record, commandId);
  },
});
