import type { Server } from "node:http";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { EVERY_MATCH } from "@holo/protocol/arena/lobby.ts";
import { MATCHES_MAX, MATCHES_PER_PAGE } from "@holo/protocol/arena/match-list-terms.ts";
import type { LobbyFrame, ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../../platform/time/timer-wheel.ts";
import { parseProxies } from "../http/client-address.ts";
import { createHttpServer } from "../http/http-server.ts";
import { openHttpForAll } from "../testing/http-hooks.ts";
import { connect, type TestClient } from "../testing/test-client.ts";
import { addEndedGames, beginGame, codeOf, gameOf, lengthenLog, newId, toPlayerView } from "../testing/test-games.ts";
import { openTestGate } from "../testing/test-gate.ts";
import { ORIGIN, type TestHttp } from "../testing/test-http.ts";
import { makeVisitorQueue } from "../visitor-queue.ts";
import { openSocket, type SocketServer } from "./socket.ts";

const CONNECTIONS = 3;
const WASTED = 5;
const ENTERING = 1;
const RUNNING = 2;
/** Of the visitors' queue: requests of a modest source, and those that wait in each class. */
const MODEST_MAX = 12;
const WAITING_MAX = 1_000;
/** Connections that are closed for it shut an address out by the third. */
const FLOODER_WASTE = 60;
const BROKEN_WASTE = 10;
const time = makeTestTime();
const metrics = openMetrics({ process: false });
/** Time does not pass, so a request keeps its place until it ends. */
const visitors = makeVisitorQueue(() => 0);

let database: Database;
let http: TestHttp;
let server: Server;
let wheel: TimerWheel;
let door: SocketServer;
let url: string;

openHttpForAll((given) => {
  ({ database, http } = given);
});
beforeAll(async () => {
  const log = openTestLog();
  wheel = openTimerWheel({ time, log });
  server = createHttpServer(http.app);
  door = openSocket({
    server,
    arena: http.at.arena,
    accounts: http.accounts,
    bus: http.at.bus,
    time,
    wheel,
    stalls: { lateMs: () => 0, stalledMs: () => 0, stop: () => undefined },
    log,
    metrics,
    tracing: null,
    origins: [ORIGIN],
    proxies: parseProxies([]),
    connectionsPerPlayerMax: 12,
    enteringMax: ENTERING,
    connectionsPerAddressMax: CONNECTIONS,
    readsPerAddress: { burst: 10, refillMs: 1_000 },
    framesPerAddress: { burst: 20, refillMs: 1_000 },
    framesPerVisitor: { burst: 1_000, refillMs: 1_000 },
    wastedFrames: { burst: WASTED, refillMs: 3_600_000 },
    visitors,
    floodGate: openTestGate(
      { wastePerSource: { burst: 2 * FLOODER_WASTE, refillMs: 1_000 } },
      { time, metrics, toKnownSource: http.accounts.toKnownSource },
    ),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
});
afterAll(async () => {
  await door.close();
  await new Promise((resolve) => server.close(resolve));
  wheel.stop();
});

const open = (): Promise<TestClient> => connect(url, null, ORIGIN);

async function closeAll(clients: readonly TestClient[]): Promise<void> {
  for (const client of clients) client.close();
  await Promise.all(clients.map((client) => client.closed()));
}

test("limits the connections of an address's strangers, also if requested at once, and admits new ones when others close", async () => {
  const first = [await open(), await open(), await open()];
  await expect(open()).rejects.toThrow("429");
  // Players share a carrier's address.
  const { cookie } = await http.addPlayer();
  const player = await connect(url, cookie, ORIGIN);
  expect(await player.waitFor(({ type }) => type === "hello")).toMatchObject({ player: { id: expect.any(String) } });
  await closeAll([player]);
  // A signed cookie alone does not make a player.
  await http.accounts.logout(cookie);
  const former = await connect(url, cookie, ORIGIN);
  expect(await former.closed()).toBe(CLOSE.busy);
  await closeAll(first);
  const asked = await Promise.allSettled(Array.from({ length: 8 }, open));
  const opened = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const greeted = await Promise.all(
    opened.map((client) => Promise.race([client.waitFor(({ type }) => type === "hello"), client.closed()])),
  );
  const kept = opened.filter((_, index) => typeof greeted[index] !== "number");
  expect(kept).toHaveLength(CONNECTIONS);
  expect(greeted.filter((told) => typeof told === "number" && told !== CLOSE.busy)).toEqual([]);
  await closeAll(kept);
  await closeAll([await open()]);
});

test("never compresses what it sends, even if the client requests it", async () => {
  const client = await open();
  expect(client.extensions).toBe("");
  await closeAll([client]);
});

test("closes a visitor who asks for a whole long game again and again; asking for what is new costs a frame", async () => {
  const { gameId, white } = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const version = await lengthenLog(database.kysely, gameId, 448);
  // A refused command makes the table read its log.
  expect(codeOf(await http.at.arena.resign(white.id as PlayerId, gameId, newId()))).toBe("too_early_to_resign");
  const client = await open();
  const watch = (since: number) => client.send({ type: "watch", gameId, since });
  const countTables = () => client.frames.filter(({ type }) => type === "table").length;
  for (let asked = 1; asked <= 8; asked += 1) {
    watch(version);
    await client.waitFor(() => countTables() === asked);
  }
  watch(0);
  await client.waitFor(() => countTables() === 9);
  watch(0);
  await client.waitFor(() => countTables() === 10);
  watch(0);
  expect(await client.closed()).toBe(CLOSE.flooding);
});

test("closes a player who asks for a whole long chat again and again; asking for what is new costs a frame", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const { gameId } = await beginGame(http.at, { white, black });
  await sql`
    insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
    select id, number, player1_id, gen_random_uuid()::text, 'how far', started_at
    from games, generate_series(1, 200) number where id = ${gameId}`.execute(database.kysely);
  const ask = async (client: TestClient, chatSince: number): Promise<void> => {
    const countChats = () => client.frames.filter(({ type }) => type === "chat").length;
    const before = countChats();
    client.send({ type: "watch", gameId, since: 2, chatSince });
    await client.waitFor(() => countChats() > before);
  };
  const [updated, flooding] = [await connect(url, white.cookie, ORIGIN), await connect(url, black.cookie, ORIGIN)];
  for (let asked = 0; asked < 80; asked += 1) await Promise.all([ask(updated, 200), ask(flooding, 0)]);
  updated.send({ type: "probe" });
  flooding.send({ type: "probe" });
  expect(await flooding.closed()).toBe(CLOSE.flooding);
  await updated.waitFor(({ type }) => type === "alive");
  await closeAll([updated]);
});

test("closes a player who asks for a whole long list again and again, and a visitor, but none who pages through it", async () => {
  time.advance(3_600_000);
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const ended = { white: white.id as PlayerId, black: black.id as PlayerId, winner: null, at: toInstant(1_000_000) };
  await addEndedGames(
    database,
    Array.from({ length: MATCHES_MAX }, () => ended),
  );
  const filter = { ...EVERY_MATCH, status: "completed" } as const;
  let request = 0;
  const ask = async (client: TestClient, count: number): Promise<void> => {
    request += 1;
    const own = request;
    client.send({ type: "watch_lobby", filter, count, request: own });
    const isAnswer = (frame: ServerFrame) => frame.type === "lobby" && frame.request === own;
    const answer = await Promise.race([client.waitFor<LobbyFrame>(isAnswer), client.closed()]);
    expect(typeof answer === "number" ? answer : answer.matches.length).toBe(count);
  };
  const [patient, flooding] = [await http.addPlayer(), await http.addPlayer()];
  const players = [await connect(url, patient.cookie, ORIGIN), await connect(url, flooding.cookie, ORIGIN)] as const;
  for (let asked = 0; asked < 40; asked += 1)
    await Promise.all([ask(players[0], MATCHES_PER_PAGE), ask(players[1], MATCHES_MAX)]);
  for (const client of players) client.send({ type: "probe" });
  expect(await players[1].closed()).toBe(CLOSE.flooding);
  await players[0].waitFor(({ type }) => type === "alive");
  await closeAll([players[0]]);
  const visitor = await open();
  await ask(visitor, MATCHES_MAX);
  await ask(visitor, MATCHES_MAX);
  visitor.send({ type: "probe" });
  visitor.send({ type: "probe" });
  expect(await visitor.closed()).toBe(CLOSE.flooding);
});

test("shows tables to visitors in the queue of strangers, and to players at once", async () => {
  time.advance(3_600_000);
  const game = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const { cookie } = await http.addPlayer();
  const [visitor, player] = [await open(), await connect(url, cookie, ORIGIN)];
  const isTable = ({ type }: ServerFrame) => type === "table";
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const start = (end: () => void) => void (ends.push(end) === RUNNING && resolve());
    for (let other = 1; other <= RUNNING; other += 1) visitors.add(`other ${other}`, { start, refuse: expect.fail });
  });
  visitor.send({ type: "watch", gameId: game.gameId, since: 0 });
  visitor.send({ type: "watch_stats" });
  player.send({ type: "watch", gameId: game.gameId, since: 0 });
  await Promise.all([visitor.waitFor(({ type }) => type === "stats"), player.waitFor(isTable)]);
  expect(visitor.frames.filter(isTable)).toEqual([]);
  for (const end of ends) end();
  await visitor.waitFor(isTable);
  await closeAll([visitor, player]);
});

test("forgets a connection that asks again for a game by invitation, without its link, once it closes", async () => {
  const creator = await http.addPlayer();
  const order = {
    player: toPlayerView(creator),
    game: "checkers",
    stake: 5,
    limitMinutes: 5,
    feeBps: 740,
    byInvitation: true,
  } as const;
  const gameId = gameOf(await http.at.arena.create({ ...order, commandId: newId() }));
  const invitation = (await http.at.arena.findOwnInvitation(gameId, creator.id)) ?? "";
  const { cookie } = await http.addPlayer();
  const guest = await connect(url, cookie, ORIGIN);
  guest.send({ type: "watch", gameId, since: 0, invitation });
  await guest.waitFor(({ type }) => type === "table");
  guest.send({ type: "watch", gameId, since: 0 });
  await guest.waitFor(({ type }) => type === "no_table");
  await closeAll([guest]);
  await http.at.arena.cancel(creator.id, gameId, newId());
  // A finished table leaves the memory with its last watcher.
  await expect.poll(() => http.at.arena.isServed(gameId)).toBe(false);
});

test("forgets a visitor whose repeated watch found no place in the queue, once the connection closes", async () => {
  time.advance(3_600_000);
  const { gameId, white } = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const visitor = await open();
  visitor.send({ type: "watch", gameId, since: 0 });
  await visitor.waitFor(({ type }) => type === "table");
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const start = (end: () => void) => void (ends.push(end) === RUNNING && resolve());
    for (let other = 1; other <= RUNNING; other += 1) visitors.add(`slow ${other}`, { start, refuse: expect.fail });
  });
  let fillers = (MODEST_MAX + 1) * WAITING_MAX;
  const leave = (): void => {
    fillers -= 1;
  };
  const start = (end: () => void): void => {
    end();
    leave();
  };
  // Both classes are full once each source has asked more often than a modest one.
  for (let round = 0; round <= MODEST_MAX; round += 1)
    for (let other = 1; other <= WAITING_MAX; other += 1) visitors.add(`filler ${other}`, { start, refuse: leave });
  visitor.send({ type: "watch", gameId, since: 0 });
  await visitor.waitFor(({ type }) => type === "bad_frame");
  await closeAll([visitor]);
  for (const end of ends) end();
  await expect.poll(() => fillers).toBe(0);
  await http.at.arena.cancel(white.id as PlayerId, gameId, newId());
  await expect.poll(() => http.at.arena.isServed(gameId)).toBe(false);
});

// [CALL-26 §7 r2] After a restart with thousands of players a page that cannot be admitted at once is told when to
// come again, and then is.
test("says when to reconnect if too many players connect at once, and greets the others [CALL-26]", async () => {
  time.advance(3_600_000);
  const [{ cookie }, other] = [await http.addPlayer(), await http.addPlayer()];
  const isHello = ({ type }: ServerFrame) => type === "hello";
  const { entering } = await transact(database, async (tx) => {
    await sql`lock table auth_sessions in access exclusive mode`.execute(tx);
    const entering = connect(url, cookie, ORIGIN);
    await untilOneWaits(database);
    const away = await connect(url, other.cookie, ORIGIN);
    const told = await away.waitFor(({ type }) => type === "restarting");
    expect(told).toEqual({ type: "restarting", reconnectInMs: expect.any(Number) });
    expect(await away.closed()).toBe(CLOSE.restarting);
    expect(away.frames).toEqual([told]);
    return { entering };
  });
  const [greeted, back] = [await entering, await connect(url, other.cookie, ORIGIN)];
  for (const client of [greeted, back]) await client.waitFor(isHello);
  await closeAll([greeted, back]);
});

test("closes a visitor who wastes frames, then refuses new visitors of the address, but no players", async () => {
  time.advance(3_600_000);
  const before = await readCounters();
  const frames = ['{"type":"move","balance":1}', JSON.stringify({ type: "join", commandId: newId(), gameId: newId() })];
  const flood = async (): Promise<void> => {
    const client = await open();
    for (let sent = 0; sent <= WASTED; sent += 1) client.send(frames[sent % 2]!);
    expect(await client.closed()).toBe(CLOSE.flooding);
    expect(client.frames.filter(({ type }) => type === "bad_frame" || type === "refused")).toHaveLength(WASTED);
  };
  await flood();
  await flood();
  await expect(open()).rejects.toThrow("429");
  const after = await readCounters();
  expect(after.frames - before.frames).toBe(2 * (WASTED + 1));
  expect(after.refused - before.refused).toBe(1);
  const { cookie } = await http.addPlayer();
  const player = await connect(url, cookie, ORIGIN);
  expect(await player.waitFor(({ type }) => type === "hello")).toMatchObject({ player: { id: expect.any(String) } });
  await closeAll([player]);
  time.advance(10_000);
  await closeAll([await open()]);
});

test("refuses new visitors of an address whose sockets keep breaking the protocol", async () => {
  time.advance(3_600_000);
  const breakOff = async (): Promise<void> => {
    const client = await open();
    client.send("x".repeat(5_000));
    expect(await client.closed()).toBe(1009);
  };
  for (let count = 0; count <= (2 * FLOODER_WASTE) / BROKEN_WASTE; count += 1) await breakOff();
  await expect(open()).rejects.toThrow("429");
  time.advance(10_000);
});

async function readCounters() {
  const [frames, refused] = await Promise.all([
    metrics.readValue("holo_frames_refused_total"),
    metrics.readValue("holo_requests_refused_total"),
  ]);
  return { frames: frames ?? 0, refused: refused ?? 0 };
}
