/**
 * Floor B: the least that keeps what it shows. Our rules validate, a log row and the game's row are committed in groups, then both players are
 * told. No clocks, no hashes, no repeats, no limits, nobody else who watches.
 */
import process from "node:process";
import { type ChessPosition, chess } from "@holo/chess/chess.ts";
import { openFloor, show } from "./floor.ts";
import { openLogWriter } from "./log-writer.ts";

interface Game {
  position: ChessPosition;
  version: number;
  isBusy: boolean;
}

const START_VERSION = 2;
const writer = await openLogWriter(process.argv[2]!);

openFloor<Game>({
  async makeGame(gameId) {
    await writer.insertGame(gameId, chess.formatPosition(chess.start()), START_VERSION);
    return { position: chess.start(), version: START_VERSION, isBusy: false };
  },
  batches: writer.batches,
  move(room, seat, { moveId, gameId, atVersion, path, promotion }) {
    const { game } = room;
    if (game.isBusy || atVersion !== game.version || chess.toMove(game.position) !== seat) return;
    const played = chess.play(game.position, path, promotion);
    if (!played.ok) return;
    const { position } = played.value;
    const isOver = chess.outcome(position) !== null;
    const version = game.version + 1;
    const events = [{ type: "moved", path, ...(promotion === undefined ? {} : { promotion }) }];
    const at = Date.now();
    const entry = JSON.stringify({ version, at, by: seat, events, isOver });
    game.isBusy = true;
    writer.add({ gameId, version, entry, at, board: chess.formatPosition(position) }, () => {
      game.position = position;
      game.version = version;
      game.isBusy = false;
      show(room, seat, gameId, entry, moveId);
    });
  },
});
