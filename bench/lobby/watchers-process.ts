/** The process of `startWatchers`. It answers each message with one. */
import process from "node:process";
import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import type { WebSocket } from "ws";
import {
  type BenchPlayer,
  CONNECTING_AT_ONCE,
  connectAll,
  type Site,
  sendFrame,
  waitForFrame,
} from "../servers/arena.ts";

export type WatchersOrder =
  | { readonly type: "connect"; readonly site: Site; readonly players: readonly Pick<BenchPlayer, "cookie">[] }
  | { readonly type: "watch"; readonly isWatched: boolean }
  | { readonly type: "count" };

export interface WatchersCount {
  readonly bytes: number;
  readonly frames: number;
  readonly open: number;
}

const FILTERS: readonly LobbyFilter[] = [
  ...Array.from({ length: 5 }, () => EVERY_MATCH),
  { ...EVERY_MATCH, status: "pending" },
  { ...EVERY_MATCH, status: "active" },
  { ...EVERY_MATCH, game: "checkers" },
  { ...EVERY_MATCH, game: "checkers", stakeMax: 2 },
  { ...EVERY_MATCH, status: "pending", limitMinutes: 5 },
];

let sockets: readonly WebSocket[] = [];
let bytes = 0;
let frames = 0;

/** In groups, so that the answers do not fall into the measurement. */
async function setWatched(isWatched: boolean): Promise<void> {
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

async function carryOut(order: WatchersOrder): Promise<WatchersCount> {
  if (order.type === "connect") {
    sockets = await connectAll(order.site, order.players);
    for (const socket of sockets) {
      socket.on("message", (data: Buffer) => {
        bytes += data.length;
        frames += 1;
      });
    }
  } else if (order.type === "watch") await setWatched(order.isWatched);
  return { bytes, frames, open: sockets.filter((socket) => socket.readyState === socket.OPEN).length };
}

process.on("message", async (order: WatchersOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit());
