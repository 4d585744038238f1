import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type GameId, type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import type { RefusalCode } from "@holo/protocol/refusals/refusals.ts";
import type { ClientFrame, CommandFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE } from "@holo/protocol/socket/socket-terms.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { openTestLog } from "../../platform/testing/test-log.ts";
import { type Fingerprint, makeFingerprint } from "../../platform/testing/test-rows.ts";
import { makeTestTime } from "../../platform/testing/test-time.ts";
import { openTimerWheel, type TimerWheel } from "../../platform/time/timer-wheel.ts";
import { createHttpServer } from "../http/http-server.ts";
import { openTestAdmission } from "../testing/test-admission.ts";
import { connect, type TestClient } from "../testing/test-client.ts";
import {
  beginGame,
  cancelGame,
  findBroken,
  newId,
  openGame,
  type PlayedGame,
  playOpening,
  waitUntilIdle,
} from "../testing/test-games.ts";
import { ORIGIN, openTestHttp, send, type TestHttp, type TestPerson } from "../testing/test-http.ts";
import { logInAgain, makeTestPeople, TEST_ROLES, type TestRole } from "../testing/test-roles.ts";
import { emailOf, openTestStaff } from "../testing/test-staff.ts";
import { openSocket, type SocketServer } from "./socket.ts";

/**
 * Every message over the socket, sent by every role, at other players' tables and at their own. The
 * sockets open before their players are banned, excluded or removed.
 */

let database: Database;
let http: TestHttp;
let server: Server;
let door: SocketServer;
let wheel: TimerWheel;
let fingerprint: () => Promise<Fingerprint>;
const clients = new Map<TestRole, TestClient>();
/** The game that each role plays as white. A closing player has none. */
const games = new Map<TestRole, PlayedGame>();
let ended: TestClient;
let endedCookie: string;
let active: PlayedGame;
let waitingId: GameId;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  const { at, app, accounts } = http;
  server = createHttpServer(app);
  const log = openTestLog();
  // A separate clock: the games' clock jumps by seconds, which would time connections out.
  const time = makeTestTime();
  wheel = openTimerWheel({ time, log });
  door = openSocket({
    server,
    ...at,
    accounts,
    bus: at.bus,
    time,
    wheel,
    stalls: { lateMs: () => 0, stalledMs: () => 0, stop: () => undefined },
    log,
    metrics: openMetrics({ process: false }),
    tracing: null,
    origins: [ORIGIN],
    connectionsPerPlayerMax: 12,
    enteringMax: 1_000,
    admission: openTestAdmission(),
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  fingerprint = await makeFingerprint(database, ["sessions", "account_devices", "account_traces"]);
  active = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  waitingId = await openGame(http.at, await http.addPlayer(), "chess");
  await makeTestPeople(http, await openTestStaff(http, database), meet);
  clients.set("visitor", await open(null));
});
afterAll(async () => {
  await door.close();
  await new Promise((resolve) => server.close(resolve));
  wheel.stop();
  const broken = await findBroken(database);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

async function open(cookie: string | null): Promise<TestClient> {
  const { port } = server.address() as AddressInfo;
  const client = await connect(`http://127.0.0.1:${port}`, cookie, ORIGIN);
  await client.waitFor(({ type }) => type === "hello");
  return client;
}

async function meet(role: TestRole, person: TestPerson): Promise<void> {
  const client = await open(person.cookie);
  if (role === "who was logged in as the CEO") {
    ended = client;
    endedCookie = person.cookie;
    return;
  }
  clients.set(role, client);
  if (role === "closing player") return;
  const game = await beginGame(http.at, { white: person, black: await http.addPlayer() });
  await playOpening(http.at, game);
  games.set(role, game);
}

type Outcome = RefusalCode | ServerFrame["type"] | "nothing";

const NAMED: ReadonlySet<ServerFrame["type"]> = new Set([
  "table",
  "no_table",
  "alive",
  "lobby",
  "availability",
  "stats",
  "bad_frame",
]);

function idOf(frame: ClientFrame): string | null {
  return "commandId" in frame ? frame.commandId : null;
}

/** The answer. A second message follows those that get none, so that its answer ends the wait. */
/** These are answered in any case. */
const ANSWERED: ReadonlySet<ClientFrame["type"]> = new Set(["watch", "watch_lobby", "watch_availability"]);

async function answerTo(client: TestClient, frame: ClientFrame): Promise<Outcome> {
  const id = idOf(frame);
  const from = client.frames.length;
  client.send(frame);
  const isAnswered = ANSWERED.has(frame.type);
  if (id === null && !isAnswered) client.send({ type: "watch_stats" });
  const received = await client.waitFor((one) => {
    if (client.frames.indexOf(one) < from) return false;
    if (id === null) return NAMED.has(one.type) && (!isAnswered || one.type !== "stats");
    return ("commandId" in one && one.commandId === id) || (one.type === "record" && one.record.commandId === id);
  });
  if (received.type === "refused") return received.refusal.code;
  if (received.type === "stats" && frame.type !== "watch_stats") return "nothing";
  return received.type;
}

const NO_PLAY = {
  "blocked player": "banned",
  "excluded player": "self_excluded",
  "closing player": "account_closing",
} as const;

interface Row {
  readonly frame: (gameId: GameId) => ClientFrame;
  readonly toVisitor: Outcome;
  /** The answer to every player without a seat at the table. */
  readonly toStranger: Outcome;
  readonly but?: Partial<Readonly<Record<TestRole, RefusalCode>>>;
}

/** At other players' tables, and without a table. No message here changes anything. */
const MESSAGES: Readonly<Record<ClientFrame["type"], Row>> = {
  create: {
    frame: () => ({
      type: "create",
      sentAgoMs: 0,
      byInvitation: false,
      commandId: newId(),
      game: "chess",
      stake: 2,
      limitMinutes: 10,
      feeBps: 740,
    }),
    toVisitor: "create_login_required",
    toStranger: "active_game_exists",
    but: NO_PLAY,
  },
  join: {
    frame: () => ({ type: "join", sentAgoMs: 0, commandId: newId(), gameId: waitingId }),
    toVisitor: "join_login_required",
    toStranger: "active_game_exists",
    but: NO_PLAY,
  },
  cancel: {
    frame: (gameId) => ({ type: "cancel", whileWaiting: false, commandId: newId(), gameId }),
    toVisitor: "cancel_login_required",
    toStranger: "not_a_player",
  },
  resign: {
    frame: (gameId) => ({ type: "resign", commandId: newId(), gameId }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  offer_draw: {
    frame: (gameId) => ({ type: "offer_draw", commandId: newId(), gameId, opponentMoves: 2 }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  request_takeback: {
    frame: (gameId) => ({ type: "request_takeback", commandId: newId(), gameId, opponentMoves: 2 }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  offer_rematch: {
    frame: (gameId) => ({ type: "offer_rematch", sentAgoMs: 0, commandId: newId(), gameId, feeBps: 740 }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  answer_draw: {
    frame: (gameId) => ({ type: "answer_draw", commandId: newId(), gameId, offer: 2, answer: "accept", atVersion: 2 }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  answer_takeback: {
    frame: (gameId) => ({
      type: "answer_takeback",
      commandId: newId(),
      gameId,
      offer: 2,
      answer: "accept",
      atVersion: 2,
    }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  answer_rematch: {
    frame: (gameId) => ({
      type: "answer_rematch",
      sentAgoMs: 0,
      commandId: newId(),
      gameId,
      offer: 2,
      answer: "accept",
    }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  chat: {
    frame: (gameId) => ({ type: "chat", commandId: newId(), gameId, text: "how far" }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  move: {
    frame: (gameId) => ({ type: "move", commandId: newId(), gameId, atVersion: 2, path: [42, 35] }),
    toVisitor: "login_required",
    toStranger: "not_a_player",
  },
  watch: {
    frame: (gameId) => ({ type: "watch", gameId, since: 0, chatSince: 0 }),
    toVisitor: "table",
    toStranger: "table",
  },
  unwatch: { frame: (gameId) => ({ type: "unwatch", gameId }), toVisitor: "nothing", toStranger: "nothing" },
  watch_stats: { frame: () => ({ type: "watch_stats" }), toVisitor: "stats", toStranger: "stats" },
  unwatch_stats: { frame: () => ({ type: "unwatch_stats" }), toVisitor: "nothing", toStranger: "nothing" },
  watch_lobby: {
    frame: () => ({ type: "watch_lobby", filter: EVERY_MATCH, count: 30, request: 1 }),
    toVisitor: "lobby",
    toStranger: "lobby",
  },
  unwatch_lobby: { frame: () => ({ type: "unwatch_lobby" }), toVisitor: "nothing", toStranger: "nothing" },
  watch_availability: {
    frame: () => ({ type: "watch_availability" }),
    toVisitor: "availability",
    toStranger: "availability",
  },
  unwatch_availability: {
    frame: () => ({ type: "unwatch_availability" }),
    toVisitor: "nothing",
    toStranger: "nothing",
  },
  probe: { frame: () => ({ type: "probe" }), toVisitor: "alive", toStranger: "alive" },
};

describe("at a table of others", () => {
  test.each(Object.entries(MESSAGES))("answers %s by its access and changes nothing [ROLE-14]", async (_type, row) => {
    const before = await fingerprint();
    const answers: Record<string, Outcome> = {};
    const expected: Record<string, Outcome> = {};
    for (const [role, client] of clients) {
      answers[role] = await answerTo(client, row.frame(active.gameId));
      expected[role] = row.but?.[role] ?? (role === "visitor" ? row.toVisitor : row.toStranger);
    }
    expect(answers).toEqual(expected);
    expect(await fingerprint()).toEqual(before);
  });

  test("does not reveal to a visitor whether a game exists", async () => {
    const visitor = clients.get("visitor")!;
    for (const { frame, toVisitor } of Object.values(MESSAGES).filter((row) => idOf(row.frame(active.gameId)) !== null))
      expect(await answerTo(visitor, frame(toGameId(randomUUID())))).toBe(toVisitor);
  });

  test("shows a waiting game to anyone who has its address, though lists show it to players only", async () => {
    const watch: ClientFrame = { type: "watch", gameId: waitingId, since: 0 };
    for (const role of ["visitor", "player"] as const)
      expect(await answerTo(clients.get(role)!, watch), role).toBe("table");
  });
});

const [C3, B4] = [42, 33];

interface OwnRow {
  readonly frame: (gameId: GameId) => ClientFrame;
  readonly outcome: Outcome;
  readonly but?: Partial<Readonly<Record<TestRole, RefusalCode>>>;
}

/** At the player's own table, in a game's order: after the opening, past the end, to the next. */
const OWN_MESSAGES: Readonly<Record<CommandFrame["type"], OwnRow>> = {
  chat: { frame: MESSAGES.chat.frame, outcome: "done", but: { "blocked player": "banned" } },
  offer_draw: { frame: MESSAGES.offer_draw.frame, outcome: "done" },
  answer_draw: { frame: MESSAGES.answer_draw.frame, outcome: "no_offer" },
  request_takeback: { frame: MESSAGES.request_takeback.frame, outcome: "done" },
  answer_takeback: { frame: MESSAGES.answer_takeback.frame, outcome: "no_offer" },
  move: {
    frame: (gameId) => ({ type: "move", commandId: newId(), gameId, atVersion: 6, path: [C3, B4] }),
    outcome: "done",
  },
  cancel: { frame: MESSAGES.cancel.frame, outcome: "too_late_to_cancel" },
  resign: { frame: MESSAGES.resign.frame, outcome: "done" },
  offer_rematch: { frame: MESSAGES.offer_rematch.frame, outcome: "done", but: NO_PLAY },
  answer_rematch: { frame: MESSAGES.answer_rematch.frame, outcome: "no_offer" },
  create: { frame: MESSAGES.create.frame, outcome: "done", but: NO_PLAY },
  join: { frame: MESSAGES.join.frame, outcome: "done", but: NO_PLAY },
};

describe("at the player's own table", () => {
  const seated = TEST_ROLES.filter(
    (role) => !["visitor", "closing player", "who was logged in as the CEO"].includes(role),
  );

  // [ROLE-14 §6 r25,27] A banned, self-excluded or closing player cannot start a game or a deposit, also in pages
  // that were already open, and can finish what was started.
  test.each(seated)("lets the %s finish a game and start what the role allows [ROLE-14]", async (role) => {
    const { white, gameId } = games.get(role)!;
    const answers: Record<string, Outcome> = {};
    for (const [type, { frame }] of Object.entries(OWN_MESSAGES)) {
      answers[type] = await answerTo(clients.get(role)!, frame(gameId));
      const began =
        type === "create" || type === "join" ? await http.at.games.loadOpenGame(white.id as PlayerId) : null;
      if (began !== null) await cancelGame(http.at, white, began.gameId);
    }
    if (answers.join === "done") waitingId = await openGame(http.at, await http.addPlayer(), "chess");
    const expected = Object.entries(OWN_MESSAGES).map(([type, { outcome, but }]) => [type, but?.[role] ?? outcome]);
    expect(answers).toEqual(Object.fromEntries(expected));
  });
});

describe("the id of another player's command", () => {
  test("gets an answer of its own, like a new id", async () => {
    const [somebody, other] = [await http.addPlayer(), await http.addPlayer()];
    const [theirs, own] = [await open(somebody.cookie), await open(other.cookie)];
    const create = { ...MESSAGES.create.frame(waitingId), commandId: newId() } as const;
    expect(await answerTo(theirs, create)).toBe("done");
    await cancelGame(http.at, somebody, await gameOpenTo(somebody));
    expect(await answerTo(own, create)).toBe("done");
    const gameId = await gameOpenTo(other);
    expect(own.frames.find(({ type }) => type === "done")).toMatchObject({ gameId });
    await cancelGame(http.at, other, gameId);

    const game = await beginGame(http.at, { white: somebody, black: other });
    for (const message of ["chat", "move"] as const) {
      const frame = MESSAGES[message].frame(game.gameId);
      expect(await answerTo(theirs, frame), message).toBe("done");
      // The opponent's command is their own; a player without a seat learns of no command.
      expect(await answerTo(own, frame), message).toBe(message === "chat" ? "done" : "command_id_reused");
      expect(await answerTo(clients.get("player")!, frame), message).toBe("not_a_player");
    }
    await http.at.games.cancel(somebody.id as PlayerId, game.gameId, newId());
    for (const client of [theirs, own]) client.close();
  });

  async function gameOpenTo({ id }: TestPerson): Promise<GameId> {
    const found = await http.at.games.loadOpenGame(id as PlayerId);
    if (found === null) throw new Error("there is no open game");
    return found.gameId;
  }
});

describe("an ended session", () => {
  test("closes its open socket and opens a new one as a visitor's [ROLE-15]", async () => {
    expect(await ended.closed()).toBe(CLOSE.sessionEnded);
    const again = await open(endedCookie);
    expect(again.frames[0]).toMatchObject({ type: "hello", player: null });
    again.close();
  });

  // [ROLE-15 §6 r26] An ended session can do nothing as soon as its end is confirmed, by request or over an open
  // socket.
  test("does nothing more once its end is answered, whatever its sockets send [ROLE-15]", async () => {
    const game = await beginGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
    await playOpening(http.at, game);
    const before = await fingerprint();
    const closed: Promise<number>[] = [];
    for (const { frame } of Object.values(OWN_MESSAGES)) {
      const cookie = await logInAgain(http, emailOf(game.white));
      const client = await open(cookie);
      expect((await send(http.app, "POST", "/api/logout", {}, { cookie })).status).toBe(200);
      client.send(frame(game.gameId));
      closed.push(client.closed());
    }
    expect(new Set(await Promise.all(closed))).toEqual(new Set([CLOSE.sessionEnded]));
    await waitUntilIdle(database);
    expect(await fingerprint()).toEqual(before);
  });

  test("closes its socket at once too if other servers may have ended it unheard [ROLE-15]", async () => {
    const { id, cookie } = await http.addPlayer();
    const [client, other] = [await open(cookie), await open((await http.addPlayer()).cookie)];
    await sql`delete from sessions where player_id = ${id}`.execute(database.kysely);
    http.at.bus.publish("sessions_ended", { playerId: null });
    expect(await client.closed()).toBe(CLOSE.sessionEnded);
    other.send({ type: "watch_stats" });
    await other.waitFor(({ type }) => type === "stats");
    other.close();
  });

  test("leaves another session of the player open, with its messages in order", async () => {
    const person = await http.addPlayer();
    const client = await open(person.cookie);
    const elsewhere = await logInAgain(http, emailOf(person));
    await send(http.app, "POST", "/api/logout", {}, { cookie: elsewhere });
    client.send({ type: "watch_stats" });
    const commandId = newId();
    client.send({ type: "cancel", whileWaiting: false, commandId, gameId: waitingId });
    client.send("unknown");
    await client.waitFor((frame) => frame.type === "refused" && frame.refusal.code === "not_a_player");
    const asked = client.frames.map(({ type }) => type).filter((type) => type === "bad_frame" || type === "stats");
    expect(asked).toEqual(["stats", "bad_frame"]);
    client.close();
  });

  test("closes the sockets of a player whose sessions cannot be checked", async () => {
    const { id, cookie } = await http.addPlayer();
    const client = await open(cookie);
    const before = await fingerprint();
    await sql`alter table sessions rename to sessions_away`.execute(database.kysely);
    try {
      http.at.bus.publish("sessions_ended", { playerId: id as PlayerId });
      client.send(MESSAGES.create.frame(waitingId));
      expect(await client.closed()).toBe(CLOSE.faulty);
    } finally {
      await sql`alter table sessions_away rename to sessions`.execute(database.kysely);
    }
    await waitUntilIdle(database);
    expect(await fingerprint()).toEqual(before);
  });

  test("may have been replaced by another in the same browser", async () => {
    const person = await http.addPlayer();
    const client = await open(person.cookie);
    await logInAgain(http, emailOf(person), person.cookie);
    expect(await client.closed()).toBe(CLOSE.sessionEnded);
  });
});
