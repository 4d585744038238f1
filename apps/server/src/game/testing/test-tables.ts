import type { GameId } from "@holo/kernel/ids.ts";
import { SEAT_RULES } from "../../match/match.ts";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { openPacedDelivery } from "../../platform/paced-delivery.ts";
import { makeTestOutages } from "../../platform/testing/test-outages.ts";
import { openTimerWheel } from "../../platform/time/timer-wheel.ts";
import { GroupCommit } from "../log/group-commit.ts";
import { LifecycleCommit } from "../log/lifecycle-commit.ts";
import { Broadcast } from "../table/broadcast.ts";
import { Table, type TableDeps } from "../table/table.ts";
import { Tables } from "../table/tables.ts";
import type { TestPlay } from "./test-play.ts";

export function openTestTables(
  database: Database,
  { time, bus, own }: Pick<TestPlay, "time" | "bus" | "own">,
  replaced: Partial<TableDeps>,
): Tables {
  const { kysely, log } = database;
  const tables = new Tables({
    database,
    own,
    groupCommit: new GroupCommit(database, log, openMetrics({ process: false }), own),
    lifecycle: new LifecycleCommit(database, openMetrics({ process: false }), own),
    seatRules: SEAT_RULES,
    broadcast: new Broadcast(kysely, bus, time),
    loadPlayers: async (ids) => new Map(ids.map((id) => [id, { id, username: id }])),
    time,
    delivery: openPacedDelivery(),
    wheel: openTimerWheel({ time, log }),
    outages: makeTestOutages(),
    log,
    ...replaced,
  });
  tables.connect({ rewatch: () => undefined, isInFlight: async () => false, announceOwner: () => undefined });
  return tables;
}

export async function locateTable(tables: Tables, gameId: GameId): Promise<Table> {
  const place = await tables.locate(gameId);
  if (!(place instanceof Table)) throw new Error("another server owns the game, or there is none");
  return place;
}
