import { EVERY_MATCH, type LobbyFilter } from "@holo/protocol/arena/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/arena/match-list-terms.ts";
import type { WebSocket } from "ws";
import { type BenchPlayer, connectPlayer, type Site, sendFrame, waitForFrame } from "../servers/arena.ts";

const CONNECTING_AT_ONCE = 50;
export const ADDRESSES = 8;

const FILTERS: readonly LobbyFilter[] = [
  ...Array.from({ length: 5 }, () => EVERY_MATCH),
  { ...EVERY_MATCH, status: "pending" },
  { ...EVERY_MATCH, status: "active" },
  { ...EVERY_MATCH, game: "checkers" },
  { ...EVERY_MATCH, game: "checkers", stakeMax: 2 },
  { ...EVERY_MATCH, status: "pending", limitMinutes: 5 },
];

/** In the order of the players, from several addresses. */
export async function connectAll(
  site: Site,
  players: readonly Pick<BenchPlayer, "cookie">[],
): Promise<readonly WebSocket[]> {
  const sockets: WebSocket[] = [];
  let next = 0;
  const connectNext = async (): Promise<void> => {
    while (next < players.length) {
      const index = next;
      next += 1;
      sockets[index] = await connectPlayer(site, players[index]!, `127.0.0.${1 + (index % ADDRESSES)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTING_AT_ONCE }, connectNext));
  return sockets;
}

/** In groups, so that the answers do not fall into the measurement. */
export async function setWatched(sockets: readonly WebSocket[], isWatched: boolean): Promise<void> {
  for (let from = 0; from < sockets.length; from += CONNECTING_AT_ONCE) {
    await Promise.all(
      sockets.slice(from, from + CONNECTING_AT_ONCE).map(async (socket, index) => {
        if (!isWatched) return sendFrame(socket, { type: "unwatch_lobby" });
        const answer = waitForFrame(socket, "lobby");
        const filter = FILTERS[(from + index) % FILTERS.length]!;
        sendFrame(socket, { type: "watch_lobby", filter, count: MATCHES_PER_PAGE, request: 1 });
        await answer;
      }),
    );
  }
}
