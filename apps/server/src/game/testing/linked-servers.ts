import type { GameId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { TestNetwork } from "../../platform/testing/test-links.ts";
import { loadLog } from "../log/game-store.ts";
import { B2, C3, C5, createGame, D4, D6, F6, G5, type TestGame } from "./test-game.ts";
import {
  addPlayer,
  addTestServer,
  codeOf,
  findBroken,
  gameOf,
  makeWatcher,
  move,
  newId,
  openTestServers,
  type TestPlay,
  waitUntilIdle,
} from "./test-play.ts";

/** Servers of one database and one network. */
export interface LinkedServers {
  readonly database: Database;
  readonly network: TestNetwork;
  readonly first: TestPlay;
  readonly second: TestPlay;
  addThird(): Promise<TestPlay>;
  /** The clocks of all servers go on. */
  pass(ms: number): void;
  /** They go on, and what is due is done. */
  advance(ms: number): Promise<void>;
}

type TestWatcher = ReturnType<typeof makeWatcher>;

/** White plays at the first server; black at the second, which owns the game. */
export interface SharedGame extends TestGame {
  readonly atFirst: TestWatcher;
  readonly atSecond: TestWatcher;
}

export function openLinkedForEach(receive: (linked: LinkedServers) => void): void {
  let database: Database;
  let servers: TestPlay[];
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query("delete from outages");
    const network = new TestNetwork();
    servers = [...(await openTestServers(database, network))];
    receive({
      database,
      network,
      first: servers[0]!,
      second: servers[1]!,
      async addThird() {
        const third = await addTestServer(database, network, servers);
        servers.push(third);
        return third;
      },
      pass(ms) {
        for (const { time } of servers) time.advance(ms);
      },
      async advance(ms) {
        for (const { time } of servers) time.advance(ms);
        for (const { tick } of servers) tick();
        await waitUntilIdle(database);
      },
    });
  });
  afterEach(async () => {
    for (const server of servers) await server.close();
    expect(await findBroken(database)).toBeNull();
  });
  afterAll(() => database.close());
}

export async function joinAcross(
  { database, first, second, advance }: LinkedServers,
  coinsOfWhite?: number,
): Promise<SharedGame> {
  const white = await addPlayer(database, first, coinsOfWhite);
  const black = await addPlayer(database, second);
  const gameId = gameOf(await createGame(first, white));
  const [atFirst, atSecond] = [makeWatcher(white), makeWatcher(black)];
  await first.games.watch(atFirst, gameId, 0);
  expect(codeOf(await second.matches.join(black, gameId, newId()))).toBe("done");
  await advance(0);
  await second.games.watch(atSecond, gameId, 0);
  return { white, black, gameId, atFirst, atSecond };
}

/** Two moves of each player, a second each; then the board is at version 6, and both have 299 s. */
export async function startAcross(linked: LinkedServers, coinsOfWhite?: number): Promise<SharedGame> {
  const game = await joinAcross(linked, coinsOfWhite);
  const paths = [
    [C3, D4],
    [D6, C5],
    [B2, C3],
    [F6, G5],
  ] as readonly number[][];
  for (const [ply, path] of paths.entries()) {
    linked.pass(1_000);
    const [at, mover] = ply % 2 === 0 ? [linked.first, game.white] : [linked.second, game.black];
    expect(codeOf(await move(at, mover, game.gameId, ply + 2, path))).toBe("done");
  }
  await linked.advance(0);
  return game;
}

/** Another finds that a server has been silent for this long, and ends it. */
export async function endServer(
  { own, time: ownTime }: TestPlay,
  silentMs: number,
  cause: "gone" | "stalled" | "stopped" = "gone",
  { time }: Pick<TestPlay, "time"> = { time: ownTime },
): Promise<void> {
  await own.end({ cause, lastBeatAt: addMs(time.now(), -silentMs), endedAt: time.now() });
}

export async function loadEvents({ kysely }: Database, gameId: GameId): Promise<readonly TableEvent[]> {
  const rows = await loadLog(kysely, gameId, 0);
  return rows.flatMap(({ text }) => (JSON.parse(text) as LogRecord).events);
}

export async function loadCredits(database: Database, gameId: GameId): Promise<readonly TableEvent[]> {
  return (await loadEvents(database, gameId)).filter(({ type }) => type === "clock_credited");
}

/** The versions that a connection was sent as records, in this order. */
export function versionsOf({ frames }: { readonly frames: readonly ServerFrame[] }): readonly number[] {
  return frames.flatMap((frame) => (frame.type === "record" ? [frame.record.version] : []));
}

/** The version that a connection shows. */
export function shownBy({ frames }: { readonly frames: readonly ServerFrame[] }): number {
  const newest = frames.findLast((frame) => frame.type === "record" || frame.type === "table");
  if (newest?.type === "record") return newest.record.version;
  return newest?.type === "table" ? newest.version : 0;
}
