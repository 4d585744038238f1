import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeOnlyServer } from "../../platform/servers/servers.ts";
import { makeTestOutages } from "../../platform/testing/test-outages.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { openLobby } from "../lobby/lobby.ts";
import { openOnlinePlayers } from "../lobby/online-players.ts";
import { GroupCommit } from "../log/group-commit.ts";
import { LifecycleCommit } from "../log/lifecycle-commit.ts";
import { WaitingGames } from "../matchmaking/waiting-games.ts";
import { Broadcast } from "../table/broadcast.ts";
import { TableRegistry } from "../table/registry.ts";
import type { TableActorDeps } from "../table/table-actor.ts";
import type { TestArena } from "./test-arena.ts";

export function openTestTables(
  database: Database,
  { time, bus }: Pick<TestArena, "time" | "bus">,
  replaced: Partial<TableActorDeps>,
): TableRegistry {
  const { kysely, log } = database;
  const lobby = openLobby(bus, openOnlinePlayers(time), []);
  return new TableRegistry({
    servers: makeOnlyServer(),
    database,
    groupCommit: new GroupCommit(database, log, openMetrics({ process: false })),
    lifecycle: new LifecycleCommit(database, openMetrics({ process: false })),
    broadcast: new Broadcast(kysely, bus, lobby, new WaitingGames(), time),
    loadPlayers: async (ids) => new Map(ids.map((id) => [id, { id, username: id }])),
    time,
    wheel: openTimerWheel({ time, log }),
    outages: makeTestOutages(),
    log,
    ...replaced,
  });
}
