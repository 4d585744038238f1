import { createServer } from "node:http";
import process from "node:process";
import { type WebSocket, WebSocketServer } from "ws";

/** What both floors have in common: a bare `ws` server whose connections say in their address which seat of which game they are. */
export interface FloorGame<Game> {
  readonly state: Game;
  readonly sockets: (WebSocket | undefined)[];
}

export interface FloorMove {
  readonly moveId: string;
  readonly gameId: string;
  readonly atVersion: number;
  readonly path: readonly number[];
  readonly promotion?: "q" | "r" | "b" | "n";
}

export interface FloorOptions<Game> {
  readonly makeGame: (gameId: string) => Game | Promise<Game>;
  /** A move of this seat has arrived. */
  readonly move: (room: FloorGame<Game>, seat: number, move: FloorMove) => void;
  /** Batch sizes so far, where there are batches. */
  readonly batches: () => { readonly commits: number; readonly rows: number };
}

/** Listens on any port and tells it to the parent process. GET / answers the batches so far. */
export function openFloor<Game>({ makeGame, move, batches }: FloorOptions<Game>): void {
  const rooms = new Map<string, Promise<FloorGame<Game>>>();
  const server = createServer((_, response) => response.end(JSON.stringify(batches())));
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", async (socket, request) => {
    const query = new URL(request.url ?? "", "http://floor").searchParams;
    const gameId = query.get("game") ?? "";
    const seat = Number(query.get("seat"));
    const opened = rooms.get(gameId) ?? openRoom(gameId);
    rooms.set(gameId, opened);
    const room = await opened;
    room.sockets[seat - 1] = socket;
    socket.on("message", (data) => move(room, seat, JSON.parse(String(data))));
    socket.on("close", () => rooms.delete(gameId));
    socket.send('{"type":"ready"}');
  });

  async function openRoom(gameId: string): Promise<FloorGame<Game>> {
    return { state: await makeGame(gameId), sockets: [] };
  }

  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
  });
  process.once("disconnect", () => process.exit());
  process.once("SIGTERM", () => process.exit());
}

/** Shows an entry, as JSON, to both: to the mover with the id of their move, which is the acknowledgement. */
export function broadcast<Game>(
  room: FloorGame<Game>,
  seat: number,
  gameId: string,
  entry: string,
  moveId: string,
): void {
  const text = `{"type":"entry","gameId":"${gameId}","entry":${entry}`;
  room.sockets[2 - seat]?.send(`${text}}`);
  room.sockets[seat - 1]?.send(`${text.slice(0, -1)},"commandId":"${moveId}"}}`);
}
