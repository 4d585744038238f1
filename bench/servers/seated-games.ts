import { randomUUID } from "node:crypto";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";
import pg from "pg";
import type { WebSocket } from "ws";
import type { RandomGame } from "../rules/random-games.ts";
import { joinOrCreate, sendFrame, waitForFrame } from "./arena.ts";
import type { SeatedGame } from "./load.ts";

const SEATED_VERSION = 2;
const TERMS = STAKES.flatMap((stake) => LIMIT_MINUTES.map((limitMinutes) => ({ stake, limitMinutes })));
const WATCH_MS_MAX = 10_000;

/** Creates, joins and watches a game of chess for each two sockets. The first one has white. */
export async function seatGames(
  sockets: readonly WebSocket[],
  games: readonly RandomGame[],
): Promise<readonly SeatedGame[]> {
  const seated: SeatedGame[] = [];
  await Promise.all(
    TERMS.map(async (terms, lane) => {
      for (let i = lane; i < games.length; i += TERMS.length) {
        const pair = [sockets[2 * i]!, sockets[2 * i + 1]!] as const;
        await joinOrCreate(pair[0], { game: "chess", ...terms });
        const gameId = await joinOrCreate(pair[1], { game: "chess", ...terms });
        await Promise.all(pair.map((socket) => watch(socket, gameId)));
        seated[i] = { gameId, sockets: pair, moves: games[i]!, version: SEATED_VERSION };
      }
    }),
  );
  return seated;
}

/** Waits for both players: the table of another server may learn of the second one later. */
async function watch(socket: WebSocket, gameId: GameId): Promise<void> {
  const seated = Promise.withResolvers<void>();
  const receive = (data: unknown): void => {
    const frame = JSON.parse(String(data)) as ServerFrame;
    const version = frame.type === "table" ? frame.version : frame.type === "record" ? frame.record.version : 0;
    if (version === SEATED_VERSION) seated.resolve();
  };
  socket.on("message", receive);
  sendFrame(socket, { type: "watch", gameId, since: 0 });
  const timer = setTimeout(() => seated.reject(new Error("a game of the benchmark did not start")), WATCH_MS_MAX);
  await seated.promise;
  clearTimeout(timer);
  socket.off("message", receive);
}

export async function resignGames(games: readonly SeatedGame[]): Promise<void> {
  await Promise.all(
    games.map(async ({ gameId, sockets }, i) => {
      const resigning = sockets[(i % 2) as 0 | 1];
      const done = waitForFrame(resigning, "done");
      sendFrame(resigning, { type: "resign", commandId: toCommandId(randomUUID()), gameId });
      await done;
    }),
  );
  await closeSockets(games);
}

async function closeSockets(games: readonly SeatedGame[]): Promise<void> {
  await Promise.all(
    games
      .flatMap(({ sockets }) => sockets)
      .map(
        (socket) =>
          new Promise<void>((resolve) => {
            socket.once("close", () => resolve());
            socket.close();
          }),
      ),
  );
}

export async function countLogged(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from game_log where record like '%"type":"moved"%'`,
  );
  await client.end();
  return rows[0]!.count;
}
