/** Floor A for whole games: chess.js validates, games are paired and played in memory, no coins. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { type WebSocket, WebSocketServer } from "ws";

interface Game {
  readonly gameId: string;
  readonly board: Chess;
  readonly players: WebSocket[];
  readonly watchers: Set<WebSocket>;
  version: number;
}

const games = new Map<string, Game>();
const waiting = new Map<string, Game>();

function send(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}

function sendTable(socket: WebSocket, { gameId, version, board }: Game): void {
  send(socket, { type: "table", gameId, since: 0, records: [], version, position: board.fen() });
}

function receive(socket: WebSocket, frame: ClientFrame): void {
  switch (frame.type) {
    case "create": {
      const terms = `${frame.stake} ${frame.limitMinutes}`;
      const game = waiting.get(terms);
      if (game === undefined) {
        const gameId = randomUUID();
        const made: Game = { gameId, board: new Chess(), players: [socket], watchers: new Set(), version: 1 };
        games.set(gameId, made);
        waiting.set(terms, made);
        return send(socket, { type: "done", commandId: frame.commandId, gameId, version: 1, status: "waiting" });
      }
      waiting.delete(terms);
      game.players.push(socket);
      game.version = 2;
      const { gameId, version } = game;
      send(socket, { type: "done", commandId: frame.commandId, gameId, version, status: "active" });
      for (const watcher of game.watchers) sendTable(watcher, game);
      return;
    }
    case "watch": {
      const game = games.get(frame.gameId)!;
      game.watchers.add(socket);
      return sendTable(socket, game);
    }
    case "unwatch": {
      const game = games.get(frame.gameId);
      if (game?.watchers.delete(socket) && game.watchers.size === 0) games.delete(game.gameId);
      return;
    }
    case "move": {
      const game = games.get(frame.gameId)!;
      const seat = game.players.indexOf(socket) + 1;
      if ((game.board.turn() === "w") !== (seat === 1)) return;
      const { path, promotion, commandId, gameId } = frame;
      // Throws on an illegal move.
      game.board.move({
        from: formatSquare(path[0]!),
        to: formatSquare(path[1]!),
        ...(promotion === undefined ? {} : { promotion }),
      });
      game.version += 1;
      const events = [{ type: "moved", path }, ...(game.board.isGameOver() ? [{ type: "ended" }] : [])];
      const record = { version: game.version, at: Date.now(), by: seat, events };
      for (const watcher of game.watchers)
        send(watcher, { type: "record", gameId, record: watcher === socket ? { ...record, commandId } : record });
      return;
    }
    default:
      throw new Error(`the floor does not know ${frame.type}`);
  }
}

const server = createServer();
new WebSocketServer({ server }).on("connection", (socket) => {
  socket.on("message", (data) => receive(socket, JSON.parse(String(data)) as ClientFrame));
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
});
process.once("disconnect", () => process.exit());
process.once("SIGTERM", () => process.exit());
