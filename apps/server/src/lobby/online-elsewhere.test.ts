import { toPlayerId } from "@holo/kernel/ids.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openBus } from "../platform/bus.ts";
import type { Database } from "../platform/database/database.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { openTestLog } from "../platform/testing/test-log.ts";
import { makeTestServer, type TestServer } from "../platform/testing/test-own-server.ts";
import { makeTestTime, type TestTime } from "../platform/testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../platform/time/timer-wheel.ts";
import { openOnlineElsewhere } from "./online-elsewhere.ts";
import { type OnlinePlayers, openOnlinePlayers } from "./online-players.ts";
import type { LobbyTopics } from "./topics.ts";

const [ADA, BOLA] = [toPlayerId("player-ada"), toPlayerId("player-bola")];
const log = openTestLog();

let database: Database;
let time: TestTime;
let wheel: TimerWheel;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.pool.query("delete from servers; delete from online_players");
  time = makeTestTime();
  wheel = openTimerWheel({ time, log });
});

interface Online {
  readonly own: TestServer;
  readonly online: OnlinePlayers;
  connect(playerId: typeof ADA): void;
  disconnect(playerId: typeof ADA): void;
  refresh(): Promise<void>;
  /** As a message of another server does. */
  hear(message: LobbyTopics["online"]): void;
  readonly announced: LobbyTopics["online"][];
}

async function open(): Promise<Online> {
  const own = await makeTestServer(database, { isShared: true });
  const online = openOnlinePlayers(time);
  const bus = openBus<LobbyTopics>(log);
  const announced: LobbyTopics["online"][] = [];
  bus.subscribe("online", (message) => announced.push(message));
  const { listConnected, noteElsewhere } = online;
  const elsewhere = openOnlineElsewhere({
    queries: database.kysely,
    own,
    bus,
    time,
    wheel,
    log,
    listConnected,
    onChange: noteElsewhere,
  });
  return {
    own,
    online,
    announced,
    refresh: elsewhere.refresh,
    hear: (message) => bus.publishHere("online", message),
    connect(playerId) {
      if (online.connect(playerId)) elsewhere.connected(playerId);
    },
    disconnect(playerId) {
      if (online.disconnect(playerId)) elsewhere.disconnected(playerId);
    },
  };
}

async function openTwo(): Promise<readonly [Online, Online]> {
  const both = [await open(), await open()] as const;
  both[0].own.setOthers([both[1].own]);
  both[1].own.setOthers([both[0].own]);
  return both;
}

async function refresh(...servers: readonly Online[]): Promise<void> {
  time.advance(1_000);
  wheel.tick();
  for (const server of servers) await server.refresh();
}

test("finds who is connected to another server, counts each player once, and forgets them ten seconds after they left", async () => {
  const [here, there] = await openTwo();
  here.connect(ADA);
  there.connect(ADA);
  there.connect(BOLA);
  await refresh(there, here);
  expect([here.online.isOnline(BOLA), here.online.onlineCount()]).toEqual([true, 2]);
  there.disconnect(BOLA);
  for (let second = 0; second < 9; second += 1) await refresh(there, here);
  expect(here.online.isOnline(BOLA)).toBe(true);
  for (let second = 0; second < 2; second += 1) await refresh(there, here);
  expect([here.online.isOnline(BOLA), here.online.onlineCount()]).toEqual([false, 1]);
  // For a minute their games are still listed.
  expect(here.online.isReachable(BOLA)).toBe(true);
});

test("a message shows a player at once, and the row keeps them; a message without a row is forgotten", async () => {
  const [here, there] = await openTwo();
  there.connect(ADA);
  here.hear(there.announced[0]!);
  expect(here.online.isOnline(ADA)).toBe(true);
  await refresh(here);
  expect(here.online.isOnline(ADA)).toBe(true);
  for (let second = 0; second < 3; second += 1) await refresh(there, here);
  expect(here.online.isOnline(ADA)).toBe(true);
  here.hear({ serverId: there.own.id, playerId: BOLA });
  for (let second = 0; second < 3; second += 1) await refresh(there, here);
  expect(here.online.isOnline(BOLA)).toBe(false);
});

test("a player who returns in time never leaves the others' lists", async () => {
  const [here, there] = await openTwo();
  there.connect(ADA);
  await refresh(there, here);
  for (let second = 0; second < 30; second += 1) {
    if (second % 9 === 0) there.disconnect(ADA);
    if (second % 9 === 8) there.connect(ADA);
    await refresh(there, here);
    expect(here.online.isOnline(ADA)).toBe(true);
  }
});

test("the players of a server that has ended are there no more", async () => {
  const [here, there] = await openTwo();
  there.connect(ADA);
  await refresh(there, here);
  await there.own.end();
  expect(here.online.isOnline(ADA)).toBe(false);
  await refresh(here);
  expect(here.online.isOnline(ADA)).toBe(false);
});

test("under a new id a server tells the others again who is connected, and a start removes the rows of the old one", async () => {
  const [here, there] = await openTwo();
  there.connect(ADA);
  await refresh(there, here);
  await there.own.renew();
  await refresh(there, here);
  expect(here.online.isOnline(ADA)).toBe(true);
  await refresh(await open());
  const { rows } = await database.pool.query(
    `select server_id as "serverId", player_id as "playerId" from online_players`,
  );
  expect(rows).toEqual([{ serverId: there.own.id, playerId: ADA }]);
});
