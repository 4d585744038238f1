/** The process of `startWatchers`. It answers each message with one. */
import process from "node:process";
import type { GameId } from "@holo/kernel/ids.ts";
import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import type { WebSocket } from "ws";
import { type BenchPlayer, connectAll, type Site, sendFrame, waitForFrame } from "../servers/arena.ts";

export type WatchersOrder =
  | { readonly type: "connect"; readonly site: Site; readonly players: readonly Pick<BenchPlayer, "cookie">[] }
  | { readonly type: "lists" }
  | { readonly type: "watch"; readonly gameId: GameId }
  | { readonly type: "unwatch"; readonly gameId: GameId }
  | { readonly type: "count" };

const AT_ONCE = 50;
const FILTERS: readonly LobbyFilter[] = [
  ...Array.from({ length: 5 }, () => EVERY_MATCH),
  { ...EVERY_MATCH, status: "pending" },
  { ...EVERY_MATCH, status: "active" },
  { ...EVERY_MATCH, game: "checkers" },
  { ...EVERY_MATCH, game: "checkers", stakeMax: 2 },
  { ...EVERY_MATCH, status: "pending", limitMinutes: 5 },
];

let sockets: readonly WebSocket[] = [];

/** In groups, so that the answers do not come all at once. */
async function inGroups(watch: (socket: WebSocket, index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < sockets.length; from += AT_ONCE)
    await Promise.all(sockets.slice(from, from + AT_ONCE).map((socket, index) => watch(socket, from + index)));
}

async function watchList(socket: WebSocket, index: number): Promise<void> {
  const answer = waitForFrame(socket, "lobby");
  const filter = FILTERS[index % FILTERS.length]!;
  sendFrame(socket, { type: "watch_lobby", filter, count: MATCHES_PER_PAGE, request: 1 });
  await answer;
}

async function watchGame(socket: WebSocket, gameId: GameId): Promise<void> {
  const answer = waitForFrame(socket, "table");
  sendFrame(socket, { type: "watch", gameId, since: 0 });
  await answer;
}

/** Returns how many connections are open. */
async function carryOut(order: WatchersOrder): Promise<number> {
  if (order.type === "connect") sockets = await connectAll(() => order.site, order.players);
  else if (order.type === "lists") await inGroups(watchList);
  else if (order.type === "watch") await inGroups((socket) => watchGame(socket, order.gameId));
  else if (order.type === "unwatch") for (const socket of sockets) sendFrame(socket, order);
  return sockets.filter((socket) => socket.readyState === socket.OPEN).length;
}

process.on("message", async (order: WatchersOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit());
