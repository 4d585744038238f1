import type { Server } from "node:http";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { MATCHES_MAX, MATCHES_PER_PAGE } from "@holo/protocol/lobby/match-list-terms.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
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
import { type Admission, COST } from "../admission/admission.ts";
import type { Source } from "../admission/meter.ts";
import { createHttpServer } from "../http/http-server.ts";
import { openHttpForAll } from "../testing/http-hooks.ts";
import { openTestAdmission } from "../testing/test-admission.ts";
import { connect, type TestClient } from "../testing/test-client.ts";
import { addEndedGames, beginGame, gameOf, lengthenLog, newId, toPlayerView } from "../testing/test-games.ts";
import { ORIGIN, type TestHttp } from "../testing/test-http.ts";
import { openSocket, type SocketServer } from "./socket.ts";

const ENTERING = 1;
const RUNNING = 2;
/** Places in the queue of strangers. */
const WAITING_MAX = 1_000;
const HOUR_MS = 3_600_000;
const time = makeTestTime();
const metrics = openMetrics({ process: false });
/** What a stranger's connection wastes until it is closed. */
const WASTED = 4;

let admission: Admission;
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
  admission = openTestAdmission(
    {
      perAddress: { burst: 2 * COST.flood, refillMs: 1 },
      perConnectionOfKnown: { burst: 400, refillMs: HOUR_MS },
      perConnectionOfStranger: { burst: (WASTED + 1) * COST.wastedFrame, refillMs: HOUR_MS },
      strangersAtOnceMax: RUNNING,
    },
    { time, metrics, toKnownSource: http.accounts.toKnownSource },
  );
  server = createHttpServer(http.app, { admission });
  door = openSocket({
    server,
    ...http.at,
    accounts: http.accounts,
    bus: http.at.bus,
    time,
    wheel,
    stalls: { lateMs: () => 0, stalledMs: () => 0, stop: () => undefined },
    log,
    metrics,
    tracing: null,
    origins: [ORIGIN],
    connectionsPerPlayerMax: 12,
    enteringMax: ENTERING,
    admission,
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

test("never compresses what it sends, even if the client requests it", async () => {
  const client = await open();
  expect(client.extensions).toBe("");
  await closeAll([client]);
});

test("closes a visitor who asks for a whole long game again and again; asking for what is new costs a frame", async () => {
  const { gameId } = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const version = await lengthenLog(database.kysely, gameId, 448);
  // A server that goes on under a new id reads its tables again.
  await http.at.own.renew();
  const client = await open();
  const watch = (since: number) => client.send({ type: "watch", gameId, since });
  const countTables = () => client.frames.filter(({ type }) => type === "table").length;
  for (let asked = 1; asked <= 8; asked += 1) {
    watch(version);
    await client.waitFor(() => countTables() === asked);
  }
  const watchWhole = async (): Promise<void> => {
    const before = countTables();
    watch(0);
    await Promise.race([client.waitFor(() => countTables() > before), client.closed()]);
  };
  expect(await isClosedFor(client, watchWhole, 5)).toBe(true);
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
    await Promise.race([client.waitFor(() => countChats() > before), client.closed()]);
  };
  const [updated, flooding] = [await connect(url, white.cookie, ORIGIN), await connect(url, black.cookie, ORIGIN)];
  expect(await isClosedFor(flooding, () => ask(flooding, 0), 100)).toBe(true);
  expect(await isClosedFor(updated, () => ask(updated, 200), 100)).toBe(false);
  await closeAll([updated]);
});

test("closes a player who asks for a whole long list again and again, and a visitor, but none who pages through it", async () => {
  time.advance(HOUR_MS);
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
    await Promise.race([client.waitFor(isAnswer), client.closed()]);
  };
  const [patient, flooding] = [await http.addPlayer(), await http.addPlayer()];
  const players = [await connect(url, patient.cookie, ORIGIN), await connect(url, flooding.cookie, ORIGIN)] as const;
  expect(await isClosedFor(players[1], () => ask(players[1], MATCHES_MAX), 50)).toBe(true);
  expect(await isClosedFor(players[0], () => ask(players[0], MATCHES_PER_PAGE), 50)).toBe(false);
  await closeAll([players[0]]);
  const visitor = await open();
  expect(await isClosedFor(visitor, () => ask(visitor, MATCHES_MAX), 15)).toBe(true);
});

test("shows tables to visitors in the queue of strangers, and to players at once", async () => {
  time.advance(HOUR_MS);
  const game = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const { cookie } = await http.addPlayer();
  const [visitor, player] = [await open(), await connect(url, cookie, ORIGIN)];
  const isTable = ({ type }: ServerFrame) => type === "table";
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const start = (end: () => void) => void (ends.push(end) === RUNNING && resolve());
    for (let other = 1; other <= RUNNING; other += 1)
      admission.serve(toStranger(`other ${other}`), { start, refuse: expect.fail });
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
  const gameId = gameOf(await http.at.matches.create({ ...order, commandId: newId() }));
  const invitation = (await http.at.matches.findOwnInvitation(gameId, creator.id)) ?? "";
  const { cookie } = await http.addPlayer();
  const guest = await connect(url, cookie, ORIGIN);
  guest.send({ type: "watch", gameId, since: 0, invitation });
  await guest.waitFor(({ type }) => type === "table");
  guest.send({ type: "watch", gameId, since: 0 });
  await guest.waitFor(({ type }) => type === "no_table");
  await closeAll([guest]);
  await http.at.games.cancel(creator.id, gameId, newId());
  // A finished table leaves the memory with its last watcher.
  await expect.poll(() => http.at.games.isServed(gameId)).toBe(false);
});

test("forgets a visitor whose repeated watch found no place in the queue, once the connection closes", async () => {
  time.advance(HOUR_MS);
  const { gameId, white } = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  const visitor = await open();
  visitor.send({ type: "watch", gameId, since: 0 });
  await visitor.waitFor(({ type }) => type === "table");
  const ends: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const start = (end: () => void) => void (ends.push(end) === RUNNING && resolve());
    for (let other = 1; other <= RUNNING; other += 1)
      admission.serve(toStranger(`slow ${other}`), { start, refuse: expect.fail });
  });
  let fillers = WAITING_MAX;
  const leave = (): void => {
    fillers -= 1;
  };
  const start = (end: () => void): void => {
    end();
    leave();
  };
  for (let other = 1; other <= WAITING_MAX; other += 1)
    admission.serve(toStranger(`filler ${other}`), { start, refuse: leave });
  visitor.send({ type: "watch", gameId, since: 0 });
  await visitor.waitFor(({ type }) => type === "bad_frame");
  await closeAll([visitor]);
  for (const end of ends) end();
  await expect.poll(() => fillers).toBe(0);
  await http.at.games.cancel(white.id as PlayerId, gameId, newId());
  await expect.poll(() => http.at.games.isServed(gameId)).toBe(false);
});

// [CALL-26 §7 r2] After a restart with thousands of players a page that cannot be admitted at once is told when to
// come again, and then is.
test("says when to reconnect if too many players connect at once, and greets the others [CALL-26]", async () => {
  time.advance(HOUR_MS);
  const [{ cookie }, other] = [await http.addPlayer(), await http.addPlayer()];
  const isHello = ({ type }: ServerFrame) => type === "hello";
  const { entering } = await transact(database, async (tx) => {
    await sql`lock table sessions in access exclusive mode`.execute(tx);
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

// [SERVERS-56 §-] A server that lost NATS while the others have it sends every page to them at once, also one that
// connects later, and `/readyz` answers 503 until NATS is back.
test("sends all pages away when it may act for no one, and takes new ones [SERVERS-56]", async () => {
  time.advance(HOUR_MS);
  const { cookie } = await http.addPlayer();
  const pages = [await connect(url, cookie, ORIGIN), await open()];
  for (const page of pages) await page.waitFor(({ type }) => type === "hello");
  door.closeAll();
  for (const page of pages) {
    expect(await page.closed()).toBe(CLOSE.restarting);
    expect(page.frames.at(-1)).toEqual({ type: "restarting", reconnectInMs: expect.any(Number) });
  }
  const again = await open();
  await again.waitFor(({ type }) => type === "hello");
  await closeAll([again]);
});

test("closes a visitor who wastes frames, then refuses new visitors of the address, but no players", async () => {
  time.advance(HOUR_MS);
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
  await expect(open()).rejects.toThrow();
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
  time.advance(HOUR_MS);
  for (let count = 0; count < 2; count += 1) {
    // A masked frame may consist of line feeds, which cost an HTTP request much.
    const client = await connect(url, null, ORIGIN, (mask) => mask.fill("x".charCodeAt(0) ^ "\n".charCodeAt(0)));
    client.send("x".repeat(5_000));
    expect(await client.closed()).toBe(1009);
  }
  await expect(open()).rejects.toThrow();
  time.advance(10_000);
});

/** Whether the server closes the connection before it has asked so often. */
async function isClosedFor(client: TestClient, ask: () => void | Promise<void>, times: number): Promise<boolean> {
  for (let asked = 0; asked < times; asked += 1) await ask();
  client.send({ type: "probe" });
  const answered = client.waitFor(({ type }) => type === "alive").then(() => false);
  return await Promise.race([client.closed().then(() => true), answered]);
}

const toStranger = (address: string): Source => ({ key: address, address, isKnown: false });

async function readCounters() {
  const [frames, refused] = await Promise.all([
    metrics.readValue("holo_frames_refused_total"),
    metrics.readValue("holo_requests_refused_total"),
  ]);
  return { frames: frames ?? 0, refused: refused ?? 0 };
}
