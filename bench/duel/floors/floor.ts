import { createServer } from "node:http";
import process from "node:process";
import { type WebSocket, WebSocketServer } from "ws";

/** A bare `ws` server. A connection's URL names its game and seat. */
interface FloorGame<Game> {
  readonly state: Game;
  readonly sockets: (WebSocket | undefined)[];
}

interface FloorMove {
  readonly commandId: string;
  readonly gameId: string;
  readonly atVersion: number;
  readonly path: readonly number[];
  readonly promotion?: "q" | "r" | "b" | "n";
}

interface FloorOptions<Game> {
  readonly makeGame: (gameId: string) => Game | Promise<Game>;
  readonly move: (game: FloorGame<Game>, seat: number, move: FloorMove) => void;
  readonly batches: () => { readonly commits: number; readonly rows: number };
}

export function openFloor<Game>({ makeGame, move, batches }: FloorOptions<Game>): void {
  const games = new Map<string, Promise<FloorGame<Game>>>();
  const server = createServer((_, response) => response.end(JSON.stringify(batches())));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", async (socket, request) => {
    const query = new URL(request.url ?? "", "http://floor").searchParams;
    const gameId = query.get("game") ?? "";
    const seat = Number(query.get("seat"));
    const opened = games.get(gameId) ?? openGame(gameId);
    games.set(gameId, opened);
    const game = await opened;
    game.sockets[seat - 1] = socket;
    socket.on("message", (data) => move(game, seat, JSON.parse(String(data))));
    socket.on("close", () => games.delete(gameId));
    socket.send('{"type":"ready"}');
  });

  async function openGame(gameId: string): Promise<FloorGame<Game>> {
    return { state: await makeGame(gameId), sockets: [] };
  }

  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
  });
  process.once("disconnect", () => process.exit());
  process.once("SIGTERM", () => process.exit());
}

/** Sends a record, as JSON, to both players; the move's id acknowledges it to the mover. */
export function broadcast<Game>(
  game: FloorGame<Game>,
  seat: number,
  gameId: string,
  record: string,
  commandId: string,
): void {
  const text = `{"type":"record","gameId":"${gameId}","record":${record}`;
  game.sockets[2 - seat]?.send(`${text}}`);
  game.sockets[seat - 1]?.send(`${text.slice(0, -1)},"commandId":"${commandId}"}}`);
}
