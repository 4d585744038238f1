/**
 * Floor B: the minimum that stores before it shows. Our rules validate, one log row
 * a move is committed in groups, then both players get the move. No clocks, hashes or limits.
 */
import process from "node:process";
import { type ChessPosition, chess } from "@holo/chess/chess.ts";
import { broadcast, openFloor } from "./floor.ts";
import { openLogWriter } from "./log-writer.ts";

interface Game {
  position: ChessPosition;
  version: number;
  isBusy: boolean;
}

const START_VERSION = 2;
const writer = await openLogWriter(process.argv[2]!);

openFloor<Game>({
  async makeGame() {
    return { position: chess.start(), version: START_VERSION, isBusy: false };
  },
  batches: writer.batchSizes,
  move(game, seat, { commandId, gameId, atVersion, path, promotion }) {
    const { state } = game;
    if (state.isBusy || atVersion !== state.version || chess.toMove(state.position) !== seat) return;
    const played = chess.play(state.position, path, promotion);
    if (!played.ok) return;
    const { position } = played.value;
    const isOver = chess.outcome(position) !== null;
    const version = state.version + 1;
    const events = [{ type: "moved", path, ...(promotion === undefined ? {} : { promotion }) }];
    const at = Date.now();
    const record = JSON.stringify({ version, at, by: seat, events, isOver });
    state.isBusy = true;
    writer.add({ gameId, version, record, at, board: chess.formatPosition(position) }, () => {
      state.position = position;
      state.version = version;
      state.isBusy = false;
      broadcast(game, seat, gameId, record, commandId);
    });
  },
});
