/**
 * The least that plays whole games of chess without coins or clocks. Floor A: in memory, chess.js.
 * Floor B, with a database's address: our rules, one log row a move, committed in groups.
 */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import process from "node:process";
import { chess } from "@holo/chess/chess.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import { formatSquare } from "@holo/rules/square.ts";
import { Chess } from "chess.js";
import { type WebSocket, WebSocketServer } from "ws";
import { openLogWriter } from "./log-writer.ts";

type Move = Pick<Extract<ClientFrame, { readonly type: "move" }>, "path" | "promotion">;

interface Board {
  toMove(): 1 | 2;
  /** Returns whether the game is over. Throws on an illegal move. */
  play(move: Move): boolean;
  format(): string;
}

interface Game {
  readonly gameId: string;
  readonly board: Board;
  readonly players: WebSocket[];
  readonly watchers: Set<WebSocket>;
  version: number;
}

function makeBoardOfChessJs(): Board {
  const board = new Chess();
  return {
    toMove: () => (board.turn() === "w" ? 1 : 2),
    play({ path, promotion }) {
      const [from, to] = [formatSquare(path[0]!), formatSquare(path[1]!)];
      board.move(promotion === undefined ? { from, to } : { from, to, promotion });
      return board.isGameOver();
    },
    format: () => board.fen(),
  };
}

function makeOwnBoard(): Board {
  let position = chess.start();
  return {
    toMove: () => chess.toMove(position),
    play({ path, promotion }) {
      const played = chess.play(position, path, promotion);
      if (!played.ok) throw new Error("a move of the benchmark is illegal");
      ({ position } = played.value);
      return chess.outcome(position) !== null;
    },
    format: () => chess.formatPosition(position),
  };
}

const connectionString = process.argv[2];
const writer = connectionString === undefined ? null : await openLogWriter(connectionString);
const makeBoard = writer === null ? makeBoardOfChessJs : makeOwnBoard;
const games = new Map<string, Game>();
const waiting = new Map<string, Game>();

function send(socket: WebSocket, frame: object): void {
  socket.send(JSON.stringify(frame));
}

function sendTable(socket: WebSocket, { gameId, version, board }: Game): void {
  send(socket, { type: "table", gameId, since: 0, records: [], version, position: board.format() });
}

function seek(socket: WebSocket, frame: Extract<ClientFrame, { readonly type: "create" }>): void {
  const { commandId } = frame;
  const terms = `${frame.stake} ${frame.limitMinutes}`;
  const game = waiting.get(terms);
  if (game === undefined) {
    const gameId = randomUUID();
    const made: Game = { gameId, board: makeBoard(), players: [socket], watchers: new Set(), version: 1 };
    games.set(gameId, made);
    waiting.set(terms, made);
    return send(socket, { type: "done", commandId, gameId, version: 1, status: "waiting" });
  }
  waiting.delete(terms);
  game.players.push(socket);
  game.version = 2;
  send(socket, { type: "done", commandId, gameId: game.gameId, version: 2, status: "active" });
  for (const watcher of game.watchers) sendTable(watcher, game);
}

function move(socket: WebSocket, frame: Extract<ClientFrame, { readonly type: "move" }>): void {
  const { commandId, gameId, path } = frame;
  const game = games.get(gameId)!;
  const seat = game.players.indexOf(socket) + 1;
  if (game.board.toMove() !== seat) return;
  const isOver = game.board.play(frame);
  game.version += 1;
  const { version } = game;
  const at = Date.now();
  const events = [{ type: "moved", path }, ...(isOver ? [{ type: "ended" }] : [])];
  const record = { version, at, by: seat, events };
  const show = (): void => {
    for (const watcher of game.watchers)
      send(watcher, { type: "record", gameId, record: watcher === socket ? { ...record, commandId } : record });
  };
  if (writer === null) show();
  else writer.add({ gameId, version, record: JSON.stringify(record), at, board: game.board.format() }, show);
}

function receive(socket: WebSocket, frame: ClientFrame): void {
  if (frame.type === "create") return seek(socket, frame);
  if (frame.type === "move") return move(socket, frame);
  if (frame.type !== "watch" && frame.type !== "unwatch") throw new Error(`the floor does not know ${frame.type}`);
  const game = games.get(frame.gameId);
  if (frame.type === "watch") {
    game!.watchers.add(socket);
    return sendTable(socket, game!);
  }
  if (game?.watchers.delete(socket) && game.watchers.size === 0) games.delete(game.gameId);
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
