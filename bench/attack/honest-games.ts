import { chess } from "@holo/chess/chess.ts";
import { WebSocket } from "ws";
import { addTestPlayers } from "../../apps/server/src/accounts/testing/test-players.ts";
import { openDatabase } from "../../apps/server/src/platform/database/database.ts";
import { openLog } from "../../apps/server/src/platform/log.ts";
import { insertGames } from "../connections/seated-games.ts";
import { note } from "../report.ts";
import { makeRandomGames } from "../rules/random-games.ts";
import { type BenchPlayer, waitForFrame } from "../servers/arena.ts";
import type { SeatedGame } from "../servers/load.ts";
import type { ProductionServer } from "./production-server.ts";

export const GAMES = 200;
const PLIES_PLAYED = 100;
/** Enough for all rounds; longer random games are rare. */
const PLIES = 620;
/** Longer than all floods, between which no one moves. */
const CLOCK_MS = 3_600_000;

export async function seatGames(server: ProductionServer): Promise<readonly SeatedGame[]> {
  const { connectionString, secret } = server;
  const database = openDatabase({ connectionString, log: openLog("error") });
  const usernames = Array.from({ length: 2 * GAMES }, (_, index) => `bench${index + 1}`);
  const players = await addTestPlayers(database, usernames, secret, undefined, true);
  await database.close();
  const [moves] = makeRandomGames(chess, { count: 1, plies: PLIES, orShorter: false, seed: 11 });
  const ids = await insertGames(
    connectionString,
    players.map(({ id }) => id),
    moves!.slice(0, PLIES_PLAYED),
    CLOCK_MS,
  );
  return await Promise.all(
    ids.map(async (gameId, i): Promise<SeatedGame> => {
      const sockets = await Promise.all([
        connect(server, players[2 * i]!, 2 * i),
        connect(server, players[2 * i + 1]!, 2 * i + 1),
      ]);
      for (const socket of sockets) {
        socket.once("close", (code) => note(`attack: the connection of an honest player was closed (${code})`));
        const table = waitForFrame(socket, "table");
        socket.send(JSON.stringify({ type: "watch", gameId, since: 0 }));
        await table;
      }
      return { gameId, sockets, moves: moves!.slice(PLIES_PLAYED), version: PLIES_PLAYED + 2 };
    }),
  );
}

function connect({ port, origin }: ProductionServer, player: BenchPlayer, index: number): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`, {
    headers: { origin, cookie: player.cookie },
    localAddress: `127.0.2.${1 + (index % 250)}`,
  });
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve(socket));
    socket.once("error", reject);
  });
}
