/**
 * Watchers of the lobby in a process of their own: reading thousands of frames at once would delay
 * the process that measures when a move is seen. Each message gets one answer.
 */
import process from "node:process";
import type { BenchPlayer, Site } from "../servers/arena.ts";
import { connectAll, setWatched } from "./watchers.ts";

export type WatchersOrder =
  | { readonly type: "connect"; readonly site: Site; readonly players: readonly Pick<BenchPlayer, "cookie">[] }
  | { readonly type: "watch"; readonly isWatched: boolean }
  | { readonly type: "count" };

export interface WatchersCount {
  readonly bytes: number;
  readonly frames: number;
  readonly open: number;
}

type Sockets = Awaited<ReturnType<typeof connectAll>>;

let sockets: Sockets = [];
let bytes = 0;
let frames = 0;

async function carryOut(order: WatchersOrder): Promise<WatchersCount> {
  if (order.type === "connect") {
    sockets = await connectAll(order.site, order.players);
    for (const socket of sockets) {
      socket.on("message", (data: Buffer) => {
        bytes += data.length;
        frames += 1;
      });
    }
  } else if (order.type === "watch") await setWatched(sockets, order.isWatched);
  return { bytes, frames, open: sockets.filter((socket) => socket.readyState === socket.OPEN).length };
}

process.on("message", async (order: WatchersOrder) => {
  process.send?.(await carryOut(order));
});
process.once("disconnect", () => process.exit());
