import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { type GameId, toCommandId } from "@holo/kernel/ids.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { ClientFrame, CommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import type { ClockCredited, LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TestPlayer } from "./accounts/testing/test-players.ts";
import { adminInvariants } from "./admin/audit.ts";
import { gameInvariants } from "./game/audit/audit.ts";
import { ledgerInvariants } from "./ledger/audit/audit.ts";
import type { Database } from "./platform/database/database.ts";
import { audit } from "./platform/database/invariant.ts";
import { openSilentNetwork } from "./platform/testing/silent-network.ts";
import { createTestDatabase } from "./platform/testing/test-database.ts";
import { startTestNats, type TestNats } from "./platform/testing/test-nats.ts";
import { findLostMoves } from "./testing/robot-pairs.ts";
import { addServerPlayers } from "./testing/server-players.ts";
import { AUTH_SECRET, makeServerProcess, type ServerProcess, until } from "./testing/server-process.ts";
import { isOver, startRobot } from "./transport/testing/robot.ts";
import { connect, type TestClient } from "./transport/testing/test-client.ts";
import { openTestServer, PAGE, type TestServer } from "./transport/testing/test-server.ts";

/** Servers that share a database: two in this process, and one in another, which is killed. */
const INVARIANTS = [...ledgerInvariants, ...gameInvariants, ...adminInvariants];

let database: Database;
let nats: TestNats;
let folder: string;
let first: TestServer;
let second: TestServer;
let third: ServerProcess;
let players: TestPlayer[];
let environment: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase();
  nats = await startTestNats();
  folder = await mkdtemp(path.join(tmpdir(), "holo-several-"));
  environment = {
    NATS_URL: nats.url,
    AUTH_SECRET,
    PUBLIC_URL: PAGE,
    DATABASE_URL: database.connectionString,
    // No payment is made: a provider that does not answer is enough.
    PAYSTACK_SECRET_KEY: "sk_test_unused",
    PAYSTACK_URL: "http://127.0.0.1:9",
  };
  third = await makeServerProcess({ ...environment, DATA_DIR: folder });
  [first, second] = await Promise.all([openTestServer(database, environment), openTestServer(database, environment)]);
  for (const server of [first, second]) await until(async () => (await readMetric(server, "holo_servers")) === 2);
  players = [...(await addServerPlayers(database, 36, 1_000))];
});

afterAll(async () => {
  await third.end("SIGKILL");
  await first.close();
  await second.close();
  await nats.kill();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function takePlayer(): TestPlayer {
  return players.pop()!;
}

interface Seated {
  readonly player: TestPlayer;
  readonly client: TestClient;
}

async function enter(origin: string): Promise<Seated> {
  const player = takePlayer();
  return { player, client: await connect(origin, player.cookie, PAGE) };
}

const newId = () => toCommandId(randomUUID());

type WithoutId<Frame> = Frame extends CommandFrame ? Omit<Frame, "commandId"> : never;

/** Sends a command, again where the server asks for it, until it is acknowledged; throws for a refusal. */
async function command({ client }: Seated, frame: WithoutId<CommandFrame>): Promise<ServerFrame> {
  const commandId = newId();
  for (;;) {
    const seen = client.frames.length;
    client.send({ ...frame, commandId } as ClientFrame);
    const answer = await client.waitFor(
      (one) =>
        ((one.type === "done" || one.type === "refused") && one.commandId === commandId) ||
        (one.type === "retry" && one.commandId === commandId && client.frames.indexOf(one) >= seen) ||
        (one.type === "record" && one.record.commandId === commandId) ||
        (one.type === "table" && one.records.some((record) => record.commandId === commandId)),
    );
    if (answer.type === "refused") throw new Error(`${frame.type}: ${JSON.stringify(answer)}`);
    if (answer.type !== "retry") return answer;
  }
}

function gameOf(frame: ServerFrame): GameId {
  if (frame.type !== "done") throw new Error(JSON.stringify(frame));
  return frame.gameId;
}

const CREATE = { type: "create", sentAgoMs: 0, byInvitation: false, stake: 1, limitMinutes: 10, feeBps: 740 } as const;

async function pair(white: Seated, black: Seated, game: "chess" | "checkers"): Promise<GameId> {
  const gameId = gameOf(await command(white, { ...CREATE, game }));
  expect(gameOf(await command(black, { ...CREATE, game }))).toBe(gameId);
  for (const { client } of [white, black]) {
    client.send({ type: "watch", gameId, since: 0, chatSince: 0 });
    await client.waitFor((frame) => frame.type === "table" && frame.gameId === gameId && frame.version === 2);
  }
  return gameId;
}

type OpenGameFrame = Extract<ServerFrame, { readonly type: "open_game" }>;

async function waitForOpenGame(
  { client }: Seated,
  gameId: GameId,
  status: "active" | "waiting",
): Promise<OpenGameFrame> {
  return await client.waitFor<OpenGameFrame>(
    (frame) => frame.type === "open_game" && frame.openGame?.gameId === gameId && frame.openGame.status === status,
  );
}

async function waitForEvent(seated: Seated, gameId: GameId, type: TableEvent["type"]): Promise<LogRecord> {
  const has = ({ events }: LogRecord): boolean => events.some((event) => event.type === type);
  const frame = await seated.client.waitFor(
    (one) =>
      (one.type === "record" && one.gameId === gameId && has(one.record)) ||
      (one.type === "table" && one.gameId === gameId && one.records.some(has)),
  );
  return frame.type === "record" ? frame.record : (frame as TableFrame).records.findLast(has)!;
}

async function waitForVersion({ client }: Seated, gameId: GameId, version: number): Promise<void> {
  await client.waitFor(
    (one) =>
      (one.type === "record" && one.gameId === gameId && one.record.version === version) ||
      (one.type === "table" && one.gameId === gameId && one.version >= version),
  );
}

async function playMoves(
  gameId: GameId,
  [white, black]: readonly [Seated, Seated],
  paths: readonly (readonly number[])[],
  from = 2,
): Promise<void> {
  for (const [ply, squares] of paths.entries()) {
    const [mover, other] = ply % 2 === 0 ? [white, black] : [black, white];
    await command(mover, { type: "move", gameId, atVersion: from + ply, path: squares });
    await waitForVersion(other, gameId, from + ply + 1);
  }
}

/** The balances that were pushed, newest last. */
/** Resolves once a pushed balance exceeds the one before; an earlier one may come first. */
async function waitForHigherBalance({ client }: Seated): Promise<void> {
  const balances = (): bigint[] =>
    client.frames.flatMap((frame) => (frame.type === "wallet" ? [BigInt(frame.balance)] : []));
  await until(() => balances().some((balance, index, all) => balance > (all[index - 1] ?? balance)));
}

async function loadEvents(gameId: GameId): Promise<readonly TableEvent[]> {
  const { rows } = await sql<{ record: string }>`
    select record from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  return rows.flatMap(({ record }) => (JSON.parse(record) as LogRecord).events);
}

const FOOLS_MATE = [
  [53, 45],
  [12, 28],
  [54, 38],
  [3, 39],
];
const CHECKERS_OPENING = [
  [42, 35],
  [19, 26],
  [49, 42],
  [21, 30],
];

// [OPS-09 §-] Two players on two servers play whole games of both kinds, with lobby, matchmaking, chat, offers,
// rematch and pushes.
test("two players on two servers play a whole game of chess, with lobby, chat, offers and pushes [OPS-09]", async () => {
  const white = await enter(first.origin);
  const black = await enter(second.origin);
  black.client.send({ type: "watch_lobby", filter: EVERY_MATCH, count: 30, request: 1 });
  black.client.send({ type: "watch_stats" });
  await black.client.waitFor((frame) => frame.type === "lobby");
  const waiting = gameOf(await command(white, { ...CREATE, game: "chess" }));
  await black.client.waitFor((frame) => frame.type === "lobby_changes" && JSON.stringify(frame).includes(waiting));
  expect(gameOf(await command(white, { type: "cancel", whileWaiting: false, gameId: waiting }))).toBe(waiting);

  const gameId = await pair(white, black, "chess");
  for (const { client } of [white, black]) {
    await client.waitFor((frame) => frame.type === "wallet");
  }
  await waitForOpenGame(white, gameId, "active");
  await waitForOpenGame(black, gameId, "active");
  await white.client.waitFor((frame) => frame.type === "presence" && frame.seat === 2 && frame.sinceAt === null);

  await command(white, { type: "chat", gameId, text: "hello from the first" });
  await command(black, { type: "chat", gameId, text: "hello from the second" });
  for (const { client } of [white, black]) {
    await client.waitFor((frame) => frame.type === "chat" && frame.messages.some(({ number }) => number === 2));
    const texts = client.frames
      .flatMap((frame) => (frame.type === "chat" ? frame.messages : []))
      .map(({ text }) => text);
    expect(texts).toEqual(["hello from the first", "hello from the second"]);
  }

  await playMoves(gameId, [white, black], FOOLS_MATE.slice(0, 2));
  await command(white, { type: "move", gameId, atVersion: 4, path: FOOLS_MATE[2]! });
  await waitForVersion(black, gameId, 5);
  await command(white, { type: "request_takeback", gameId, opponentMoves: 1 });
  const asked = await waitForEvent(black, gameId, "takeback_requested");
  await command(black, { type: "answer_takeback", gameId, offer: asked.version, answer: "decline", atVersion: 5 });
  await waitForEvent(white, gameId, "takeback_answered");
  await command(black, { type: "move", gameId, atVersion: 5, path: FOOLS_MATE[3]! });
  await waitForEvent(white, gameId, "ended");
  const seated = await waitForOpenGame(white, gameId, "active");
  await white.client.waitFor(
    (frame) => frame.type === "open_game" && frame.openGame === null && frame.sequence > seated.sequence,
  );

  await command(white, { type: "offer_rematch", sentAgoMs: 0, gameId, feeBps: 740 });
  const rematch = await waitForEvent(black, gameId, "rematch_offered");
  await command(black, { type: "answer_rematch", sentAgoMs: 0, gameId, offer: rematch.version, answer: "accept" });
  const started = await waitForEvent(white, gameId, "rematch_started");
  const next = started.events.find((event) => event.type === "rematch_started")!.gameId;
  await white.client.waitFor((frame) => frame.type === "open_game" && frame.openGame?.gameId === next);
  await command(white, { type: "cancel", whileWaiting: false, gameId: next });
  await black.client.waitFor((frame) => frame.type === "stats" && frame.playersOnline >= 2);
  for (const { client } of [white, black]) client.close();
  expect(await audit(database.kysely, INVARIANTS)).toBeNull();
});

test("robots on two servers play a whole game of checkers without losing or doubling a move [OPS-09]", async () => {
  const seats = [takePlayer(), takePlayer()];
  const robots = seats.map((player, seat) =>
    startRobot(() => [first, second][seat]!.origin, PAGE, player, 41 + seat, 2),
  );
  const created = gameOf(await robots[0]!.send({ ...CREATE, game: "checkers", commandId: newId() }));
  await robots[1]!.send({ type: "join", sentAgoMs: 0, gameId: created, commandId: newId() });
  for (const robot of robots) robot.play(created);
  await until(() => robots.every(isOver));
  expect(
    await findLostMoves(
      database,
      created,
      robots.flatMap((robot) => [...robot.acknowledged]),
    ),
  ).toEqual([]);
  const [one, other] = robots.map((robot) => robot.state()!);
  expect([other!.version, other!.status, other!.position]).toEqual([one!.version, one!.status, one!.position]);
  for (const robot of robots) robot.stop();
});

// [OPS-10 §-] What staff do on one server, and "log out everywhere", takes effect on the others at once.
test("what staff and players do on one server takes effect on the other [OPS-10]", async () => {
  const white = await enter(first.origin);
  const black = await enter(second.origin);
  const owner = takePlayer();
  await sql`update players set email = 'owner@example.com', email_verified = true where id = ${owner.id}`.execute(
    database.kysely,
  );
  const post = async (cookie: string, route: string, body: object) =>
    await fetch(`${first.origin}/api/${route}`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: PAGE, cookie },
      body: JSON.stringify(body),
    });
  const gameId = await pair(white, black, "checkers");
  const cancelled = await post(owner.cookie, "admin/games/cancel", { gameId, reason: "a test" });
  expect(cancelled.status).toBe(200);
  await black.client.waitFor((frame) => frame.type === "notice" && frame.text.includes("a test"));
  await waitForEvent(black, gameId, "cancelled");
  await waitForHigherBalance(black);
  const notices = black.client.frames.filter(({ type }) => type === "notice");
  expect(notices).toHaveLength(1);

  expect((await post(owner.cookie, "admin/maintenance", { notice: "back soon", sinceAt: null })).status).toBe(200);
  const isBegun = (frame: ServerFrame) => frame.type === "maintenance" && frame.maintenance?.text === "back soon";
  await black.client.waitFor(isBegun);
  const begun = black.client.frames.find(isBegun);
  const sinceAt = begun?.type === "maintenance" ? begun.maintenance?.sinceAt : null;
  expect((await post(owner.cookie, "admin/maintenance", { notice: null, sinceAt })).status).toBe(200);
  await black.client.waitFor((frame) => frame.type === "maintenance" && frame.maintenance === null);

  const other = await connect(first.origin, black.player.cookie, PAGE);
  expect((await post(black.player.cookie, "account/sessions/end-all", {})).status).toBe(200);
  await black.client.waitFor((frame) => frame.type === "session_ended");
  other.close();
  white.client.close();
});

// [SERVERS-36 §- r26] A logout at one server ends the player's sockets at the other. Without NATS, or while it is
// frozen, that takes two seconds, and no coins can be staked meanwhile.
test("a logout at one server ends the player's sockets at the other, and without NATS none takes coins [SERVERS-36]", async () => {
  const [black, stays] = [await enter(second.origin), await enter(second.origin)];
  const frozen = await enter(second.origin);
  await nats.kill();
  const headers = { "content-type": "application/json", origin: PAGE, cookie: black.player.cookie };
  const logout = await fetch(`${first.origin}/api/logout`, { method: "POST", headers, body: "{}" });
  expect(logout.ok).toBe(true);
  const commandId = newId();
  black.client.send({ ...CREATE, game: "checkers", stake: 10, commandId });
  const isRefusal = (frame: ServerFrame): boolean => frame.type === "refused" && frame.commandId === commandId;
  const answer = await black.client.waitFor((frame) => isRefusal(frame) || frame.type === "session_ended");
  if (answer.type === "refused") expect(answer.refusal.code).toBe("create_login_required");
  await black.client.waitFor((frame) => frame.type === "session_ended");
  expect(await black.client.closed()).toBe(CLOSE.sessionEnded);
  const { rows } = await sql`select from games where player1_id = ${black.player.id}`.execute(database.kysely);
  expect(rows).toEqual([]);
  const again = await connect(second.origin, black.player.cookie, PAGE);
  expect(await again.waitFor((frame) => frame.type === "hello")).toMatchObject({ player: null });
  await nats.start();
  await until(async () => (await readMetric(first, "holo_nats_connected")) === 1);
  for (const [signal, { player, client }] of [
    ["SIGCONT", stays],
    // A frozen NATS keeps its connections.
    ["SIGSTOP", frozen],
  ] as const) {
    nats.signal(signal);
    const cookie = player.cookie;
    await fetch(`${first.origin}/api/logout`, { method: "POST", headers: { ...headers, cookie }, body: "{}" });
    await client.waitFor((frame) => frame.type === "session_ended");
  }
  nats.signal("SIGCONT");
  again.close();
});

// [OPS-11 §-] Without NATS games at one server are played on. One whose players are at two servers waits: its commands
// are sent again, and no one is charged for the time. `/readyz` stays ready.
test("without NATS games at one server go on, and one between two waits for it, uncharged [OPS-11]", async () => {
  const [here, there] = [await enter(first.origin), await enter(first.origin)];
  const [white, black] = [await enter(first.origin), await enter(second.origin)];
  const together = await pair(here, there, "chess");
  const startedMs = performance.now();
  const apart = await pair(white, black, "checkers");
  await playMoves(apart, [white, black], CHECKERS_OPENING.slice(0, 2));
  await nats.kill();
  await until(async () => (await readMetric(first, "holo_nats_connected")) === 0);
  await playMoves(together, [here, there], FOOLS_MATE);
  await waitForEvent(here, together, "ended");
  expect((await fetch(`${first.origin}/readyz`)).status).toBe(200);
  const commandId = newId();
  const moved = { type: "move", gameId: apart, atVersion: 4, path: CHECKERS_OPENING[2]!, commandId } as const;
  const sentMs = performance.now();
  white.client.send(moved);
  await white.client.waitFor((frame) => frame.type === "retry" && frame.commandId === commandId);
  await nats.start();
  await until(async () => (await readMetric(first, "holo_nats_connected")) === 1);
  await until(() => {
    white.client.send(moved);
    return white.client.frames.some(
      (frame) =>
        (frame.type === "done" && frame.commandId === commandId) ||
        (frame.type === "record" && frame.record.commandId === commandId),
    );
  });
  const waitedMs = performance.now() - sentMs;
  const { rows } = await sql<{ version: number }>`
    select max(version) as version from game_log where game_id = ${apart} and record like '%"moved"%'`.execute(
    database.kysely,
  );
  const { version } = rows[0]!;
  await waitForVersion(black, apart, version);
  await playMoves(apart, [black, white], CHECKERS_OPENING.slice(3), version);
  const charged = (await loadEvents(apart)).flatMap((event) => (event.type === "moved" ? [event.chargedMs] : []));
  const sumMs = charged.reduce((sum, chargedMs) => sum + chargedMs, 0);
  // A busy machine lengthens both sides.
  expect(sumMs).toBeLessThan(performance.now() - startedMs - waitedMs / 2);
  for (const { client } of [here, there, white, black]) client.close();
});

test("a server that alone lost NATS sends its players to the others, and serves again afterwards [OPS-11]", async () => {
  const link = await openSilentNetwork(nats.url);
  const apart = await openTestServer(database, { ...environment, NATS_URL: link.connectionString });
  const [white, black] = [await enter(first.origin), await enter(apart.origin)];
  const gameId = await pair(white, black, "checkers");
  const isReady = async () => (await fetch(`${apart.origin}/readyz`)).status === 200;
  await until(isReady);
  link.fallSilent();
  expect(await black.client.closed()).toBe(CLOSE.restarting);
  await until(async () => !(await isReady()));
  // The opponent's server may have missed the owner too, and then sends the opponent away as well.
  const back = await Promise.all(
    [white, black].map(async ({ player }, index) => {
      const client = await connect([first, second][index]!.origin, player.cookie, PAGE);
      client.send({ type: "watch", gameId, since: 0, chatSince: 0 });
      return { player, client };
    }),
  );
  for (const one of back) await waitForVersion(one, gameId, 2);
  await playMoves(gameId, [back[0]!, back[1]!], CHECKERS_OPENING);
  link.speak();
  await until(isReady);
  for (const { client } of [white, ...back]) client.close();
  await apart.close();
  await link.close();
});

async function readMetric({ origin }: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

// [OPS-12 §- r30] A player whose server is killed, or stops for a release, goes on at another one; nothing is lost
// and the clock is credited once.
const ENDS = [
  ["is killed", "SIGKILL", "[OPS-12]"],
  ["stops for a release", "SIGTERM", "[OPS-12]"],
] as const;

test.each(ENDS)("a player whose server %s (%s) goes on at another one, uncharged %s", async (_how, signal) => {
  await third.start();
  const white = await enter(first.origin);
  const black = await enter(third.origin);
  const gameId = await pair(white, black, "checkers");
  await playMoves(gameId, [white, black], CHECKERS_OPENING.slice(0, 3));
  const ended = third.end(signal);
  if (signal === "SIGTERM") {
    const told = await black.client.waitFor((frame) => frame.type === "restarting");
    expect(told).toEqual({ type: "restarting", reconnectInMs: expect.any(Number) });
    expect(await black.client.closed()).toBe(CLOSE.restarting);
  }
  const again = { player: black.player, client: await connect(second.origin, black.player.cookie, PAGE) };
  again.client.send({ type: "watch", gameId, since: 5, chatSince: 0 });
  // A server counts as gone 3 s after its last heartbeat, and the others look every second.
  await expect
    .poll(() => loadEvents(gameId), { interval: 200 })
    .toContainEqual(expect.objectContaining({ type: "clock_credited" }));
  const credited = await waitForEvent(again, gameId, "clock_credited");
  const credit = credited.events.find((event): event is ClockCredited => event.type === "clock_credited")!;
  // Ruling 30: a release is no outage, and takes nothing from a clock either.
  expect(credit).toMatchObject({ bonusMs: signal === "SIGKILL" ? 10_000 : 0, awaiting: false });
  await waitForEvent(white, gameId, "clock_credited");
  await playMoves(gameId, [again, white], CHECKERS_OPENING.slice(3), credited.version - 1);
  const events = await loadEvents(gameId);
  expect(events.filter(({ type }) => type === "clock_credited")).toHaveLength(1);
  expect(await audit(database.kysely, INVARIANTS)).toBeNull();
  await ended;
  for (const { client } of [white, again]) client.close();
});

test("a server that stops hands its tables over bit by bit, and all are played on [OPS-12]", async () => {
  await third.start();
  const seated = await Promise.all(Array.from({ length: 12 }, () => enter(third.origin)));
  const games: GameId[] = [];
  for (let index = 0; index < seated.length; index += 2)
    games.push(await pair(seated[index]!, seated[index + 1]!, "checkers"));
  const ended = third.end("SIGTERM");
  for (const { client } of seated) expect(await client.closed()).toBe(CLOSE.restarting);
  await ended;
  const again = await Promise.all(
    seated.map(async ({ player }) => ({ player, client: await connect(second.origin, player.cookie, PAGE) })),
  );
  for (const [index, gameId] of games.entries()) {
    const pair = [again[2 * index]!, again[2 * index + 1]!] as const;
    for (const { client } of pair) client.send({ type: "watch", gameId, since: 0, chatSince: 0 });
    for (const one of pair) await waitForVersion(one, gameId, 2);
    await playMoves(gameId, pair, CHECKERS_OPENING);
  }
  for (const { client } of again) client.close();
  expect(await audit(database.kysely, INVARIANTS)).toBeNull();
});
