import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { GameId } from "@holo/kernel/ids.ts";
import type { BenchPlayer, Site } from "../servers/arena.ts";
import { waitForMessage } from "../servers/processes.ts";
import type { WatchersOrder } from "./watchers-process.ts";

/**
 * Connects watchers of lists or of a game in a process of their own with a lower priority: reading
 * thousands of frames at once would delay the process that measures.
 */
export async function startWatchers(site: Site, players: readonly BenchPlayer[]) {
  const file = fileURLToPath(new URL("watchers-process.ts", import.meta.url));
  const child = spawn("nice", ["-n", "5", process.execPath, file], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  async function carryOut(order: WatchersOrder): Promise<number> {
    const answer = waitForMessage(child);
    child.send(order);
    return (await answer) as number;
  }
  await carryOut({ type: "connect", site: { port: site.port, origin: site.origin }, players });
  return {
    watchLists: () => carryOut({ type: "lists" }),
    watchGame: (gameId: GameId) => carryOut({ type: "watch", gameId }),
    leaveGame: (gameId: GameId) => carryOut({ type: "unwatch", gameId }),
    countOpen: () => carryOut({ type: "count" }),
    stop: () => child.disconnect(),
  };
}
