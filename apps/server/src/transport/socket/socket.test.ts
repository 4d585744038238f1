import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { IncomingMessage } from "node:http";
import { connect as connectRaw } from "node:net";
import { type CommandId, type GameId, toCommandId, toGameId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame, TableFrame } from "@holo/protocol/socket/server-frames.ts";
import { CLOSE, PROTOCOL_VERSION } from "@holo/protocol/socket/socket-terms.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminInvariants } from "../../admin/audit.ts";
import { gameInvariants } from "../../game/audit/audit.ts";
import { ledgerInvariants } from "../../ledger/audit/audit.ts";
import { postOpening } from "../../ledger/ledger.ts";
import type { Database } from "../../platform/database/database.ts";
import { audit } from "../../platform/database/invariant.ts";
import { transact } from "../../platform/database/transaction.ts";
import { countInstances } from "../../platform/testing/count-instances.ts";
import { openTestCollector, type TestCollector } from "../../platform/testing/test-collector.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { sendUntilClosed } from "../testing/raw-connection.ts";
import { connect, signUp, type TestClient, type TestPlayer } from "../testing/test-client.ts";
import { openTestServer, PAGE, type TestServer } from "../testing/test-server.ts";

let database: Database;
let collector: TestCollector;
let server: TestServer;
let somebody: TestPlayer;

beforeAll(async () => {
  database = await createTestDatabase();
  collector = await openTestCollector();
  server = await openTestServer(database, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
  somebody = await enterAs();
});
afterAll(async () => {
  await server.close();
  await collector.close();
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants, ...adminInvariants]);
  await database.close();
  expect(broken).toBeNull();
});

const newId = (): CommandId => toCommandId(randomUUID());

async function enterWithCoins(coins = 500): Promise<TestPlayer> {
  const player = await enterAs();
  await transact(database, (tx) =>
    postOpening(tx, { playerId: player.id, amount: wholeCoins(coins), at: toInstant(Date.now()) }),
  );
  return player;
}

const enterAs = (): Promise<TestPlayer> => signUp(server.origin, PAGE);
const open = (player: TestPlayer | null): Promise<TestClient> => connect(server.origin, player?.cookie ?? null, PAGE);

const answerTo = (client: TestClient, id: string) =>
  client.waitFor(
    (frame) =>
      ("commandId" in frame && frame.commandId === id) || (frame.type === "record" && frame.record.commandId === id),
  );

/** The regular check may find the ended session before the command is answered. */
async function refusalOrEnd(client: TestClient, id: string): Promise<string> {
  const isEnd = (frame: ServerFrame) => frame.type === "session_ended";
  const frame = await client.waitFor((one) => isEnd(one) || ("commandId" in one && one.commandId === id));
  return frame.type === "refused" ? frame.refusal.code : frame.type;
}

async function createGame(client: TestClient): Promise<GameId> {
  const commandId = newId();
  client.send({
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId,
    game: "checkers",
    stake: 1,
    limitMinutes: 5,
    feeBps: 740,
  });
  const answer = await answerTo(client, commandId);
  if (answer.type !== "done") throw new Error(JSON.stringify(answer));
  return answer.gameId;
}

function toKnock(line: string, from: string): string {
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  return [`${line} HTTP/1.1`, "Host: arena.test", `Origin: ${from}`, ...upgrade, "", ""].join("\r\n");
}

async function knock(line: string): Promise<string> {
  const raw = connectRaw(server.port, "127.0.0.1");
  raw.write(toKnock(line, PAGE));
  const [answer] = (await once(raw, "data")) as [Buffer];
  raw.destroy();
  return answer.toString("utf8");
}

async function sendCommand(client: TestClient, frame: Extract<ClientFrame, { readonly commandId: string }>) {
  client.send(frame);
  const answer = await answerTo(client, frame.commandId);
  if (answer.type !== "done") throw new Error(JSON.stringify(answer));
  return answer;
}

/** White resigns after two moves of each; black offers a rematch. */
async function playToRematchOffer(white: TestClient, black: TestClient) {
  const gameId = await createGame(white);
  await sendCommand(black, { type: "join", sentAgoMs: 0, commandId: newId(), gameId });
  const paths = [
    [42, 35],
    [19, 26],
    [49, 42],
    [21, 30],
  ] as const;
  for (const [ply, path] of paths.entries()) {
    const mover = ply % 2 === 0 ? white : black;
    await sendCommand(mover, { type: "move", commandId: newId(), gameId, atVersion: ply + 2, path: [...path] });
  }
  await sendCommand(white, { type: "resign", commandId: newId(), gameId });
  const offered = await sendCommand(black, {
    type: "offer_rematch",
    sentAgoMs: 0,
    commandId: newId(),
    gameId,
    feeBps: 740,
  });
  return { gameId, offer: offered.version };
}

async function prepare(
  type: "create" | "join" | "answer_rematch",
  commandId: CommandId,
  client: TestClient,
  other: TestClient,
): Promise<{ readonly frame: ClientFrame; readonly lock: RawBuilder<unknown> }> {
  const toRowLock = (gameId: GameId) => sql`select from games where id = ${gameId} for update`;
  switch (type) {
    case "create": {
      const TERMS = { limitMinutes: 10, feeBps: 740, sentAgoMs: 0, byInvitation: false } as const;
      const lock = sql`select pg_advisory_xact_lock(hashtext('chess 5 600000'))`;
      return { frame: { type, commandId, ...TERMS, game: "chess", stake: 5 }, lock };
    }
    case "join": {
      const gameId = await createGame(other);
      return { frame: { type, commandId, gameId, sentAgoMs: 0 }, lock: toRowLock(gameId) };
    }
    case "answer_rematch": {
      const { gameId, offer } = await playToRematchOffer(client, other);
      return { frame: { type, commandId, gameId, offer, answer: "accept", sentAgoMs: 0 }, lock: toRowLock(gameId) };
    }
  }
}

async function waitForBlocked(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        database.kysely,
      );
      return rows.length;
    })
    .toBeGreaterThan(0);
}

async function countRows(): Promise<readonly unknown[]> {
  const { rows } = await sql`
    select (select count(*) from games) as games, (select count(*) from game_log) as records, (select count(*) from seats) as seats,
      (select count(*) from ledger_postings) as postings, (select count(*) from game_commands) as commands,
      (select count(*) from chat_messages) as messages`.execute(database.kysely);
  return rows;
}

describe("the upgrade", () => {
  test.each([
    ["a foreign page", "https://arena.test.evil"],
    ["no origin", null],
    ["a null origin", "null"],
    ["another port", "http://arena.test:81"],
  ])("is refused to %s [ROLE-12]", async (_name, claimed) => {
    await expect(connect(server.origin, null, claimed)).rejects.toThrow("403");
  });

  test("is refused on another path", async () => {
    await expect(connect(`${server.origin}/other`, null, PAGE)).rejects.toThrow("404");
  });

  test("of an invalid URL is refused like another path", async () => {
    expect(await knock("GET //")).toMatch(/^HTTP\/1\.1 404 /);
  });

  test("that was refused closes the connection", async () => {
    const raw = connectRaw({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    const lost = new Promise<string>((resolve) => raw.on("error", ({ message }) => resolve(message)));
    raw.write(toKnock("GET /socket", "https://arena.test.evil"));
    raw.resume();
    await once(raw, "end");
    const saying = setInterval(() => raw.write("still here"), 20);
    expect(await lost).toMatch(/ECONNRESET|EPIPE/);
    clearInterval(saying);
  });

  test("greets visitors and players", async () => {
    const [visitor, player] = [await open(null), await open(somebody)];
    expect(await visitor.waitFor(({ type }) => type === "hello")).toMatchObject({
      player: null,
      protocol: PROTOCOL_VERSION,
    });
    expect(await player.waitFor(({ type }) => type === "hello")).toMatchObject({
      player: { username: expect.any(String) },
    });
    visitor.close();
    player.close();
  });

  // [SEC-61 §-] A socket's handshake with a body, of a length or in chunks, opens no socket and passes no bytes into
  // another visitor's request.
  test.each([
    ["Content-Length: 5", "hello"],
    ["Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"],
  ])("with a body (%s) passes no bytes into another connection's request [SEC-61]", async (header, body) => {
    const [attacker, other] = [connectRaw(server.port, "127.0.0.1"), connectRaw(server.port, "127.0.0.1")];
    attacker.on("error", () => undefined);
    await Promise.all([once(attacker, "connect"), once(other, "connect")]);
    const key = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    attacker.write(toKnock("GET /socket", PAGE).replace("\r\n\r\n", `\r\n${key}\r\n${header}\r\n\r\n${body}`));
    await once(attacker, "data");
    const victim = connectRaw(server.port, "127.0.0.1");
    await once(victim, "connect");
    // Its answer comes after the server has accepted the victim and read what the attacker sent.
    const request = "GET /healthz HTTP/1.1\r\nHost: arena.test\r\n\r\n";
    other.write(request);
    await once(other, "data");
    attacker.write("POST /api/forged HTTP/1.1\r\nHost: arena.test\r\nX-Rest: ");
    other.write(request);
    await once(other, "data");
    victim.write(request);
    const [answer] = (await once(victim, "data")) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
    for (const socket of [attacker, other, victim]) socket.destroy();
  });

  test("leaves nothing of its request in memory while the socket is open", async () => {
    const before = await countInstances(IncomingMessage);
    const head = toKnock("GET /socket", PAGE).replace(
      "\r\n\r\n",
      "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
    );
    const sockets = Array.from({ length: 20 }, () => connectRaw(server.port, "127.0.0.1"));
    for (const socket of sockets) socket.write(head);
    await Promise.all(sockets.map((socket) => once(socket, "data")));
    expect(await countInstances(IncomingMessage)).toBeLessThan(before + sockets.length);
    expect(sockets.every(({ readable }) => readable)).toBe(true);
    for (const socket of sockets) socket.destroy();
  });

  test("of a player's thirteenth connection closes the oldest", async () => {
    const clients: TestClient[] = [];
    for (let i = 0; i < 13; i += 1) clients.push(await open(somebody));
    expect(await clients[0]!.closed()).toBe(CLOSE.tooMany);
    const newest = clients.at(-1)!;
    newest.send({ type: "watch_availability" });
    await newest.waitFor(({ type }) => type === "availability");
    for (const client of clients) client.close();
  });

  test("above the limit with invalid data does not stop the server", async () => {
    const clients = await Promise.all(Array.from({ length: 12 }, () => open(somebody)));
    const raw = connectRaw(server.port, "127.0.0.1");
    raw.on("error", () => undefined);
    const unmasked = Buffer.from([0x81, 0x01, 0x61]);
    raw.write(Buffer.concat([Buffer.from(toHandshake(somebody.cookie)), unmasked]));
    raw.resume();
    await once(raw, "close");
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    for (const client of clients) client.close();
  });
});

describe("invalid frames", () => {
  test("are ignored after the connection was closed", async () => {
    const client = await open(await enterWithCoins());
    await client.waitFor(({ type }) => type === "hello");
    const next = await open(await enterWithCoins());
    const before = await countRows();
    const create = {
      type: "create",
      sentAgoMs: 0,
      byInvitation: false,
      game: "checkers",
      stake: 1,
      limitMinutes: 5,
      feeBps: 740,
    } as const;
    client.send(Buffer.from([1]));
    client.send({ ...create, commandId: newId() });
    expect(await client.closed()).toBe(CLOSE.flooding);
    // Seekers on the same terms are served in order: this refusal comes after the ignored command.
    const commandId = newId();
    next.send({ ...create, commandId, feeBps: 741 });
    expect(await answerTo(next, commandId)).toMatchObject({ refusal: { code: "fee_changed" } });
    expect(await countRows()).toEqual(before);
  });

  // [CALL-04 §7 r1] A board, a time, a count or a balance sent by a client is refused.
  test.each([
    ["no JSON", "{"],
    ["an unknown type", '{"type":"win"}'],
    ["an unknown field", '{"type":"watch_lobby","balance":1}'],
    ["a list", "[]"],
    [
      "a forged board",
      `{"type":"move","commandId":"move-0001","gameId":"${randomUUID()}","atVersion":2,"path":[42,35],"board":"W:Wa1"}`,
    ],
    [
      "a forged time",
      `{"type":"move","commandId":"move-0001","gameId":"${randomUUID()}","atVersion":2,"path":[42,35],"remainingMs":1}`,
    ],
    [
      "a forged count",
      `{"type":"move","commandId":"move-0001","gameId":"${randomUUID()}","atVersion":2,"path":[42,35],"captured":3}`,
    ],
  ])("%s: is reported, and the connection continues [CLOCK-02 CALL-04 DRAUGHT-07]", async (_name, text) => {
    const before = await countRows();
    const client = await open(somebody);
    client.send(text);
    expect(await client.waitFor(({ type }) => type === "bad_frame")).toMatchObject({
      refusal: { code: "bad_request" },
    });
    client.send({ type: "watch_availability" });
    await client.waitFor(({ type }) => type === "availability");
    expect(await countRows()).toEqual(before);
    client.close();
  });

  test("more than 4 KiB closes the connection", async () => {
    const client = await open(null);
    client.send(JSON.stringify({ type: "watch_lobby", filling: "x".repeat(5_000) }));
    expect(await client.closed()).toBe(1009);
  });

  test("binary closes the connection", async () => {
    const client = await open(null);
    client.send(Buffer.from([1, 2, 3]));
    expect(await client.closed()).toBe(CLOSE.flooding);
  });

  test("a flood closes the connection", async () => {
    const client = await open(null);
    for (let i = 0; i < 40_000; i += 1) client.send({ type: "unwatch_lobby" });
    expect(await client.closed()).toBe(CLOSE.flooding);
  });

  test.each([
    ["pongs", "", [0x8a]],
    ["pings", "", [0x89]],
    ["empty texts", "", [0x81]],
    ["empty fragments", "\x01\x80\0\0\0\0", [0x00]],
    ["a close frame and more", "", [0x88]],
  ])("closes a socket that sends only %s [OPS-60]", async (_what, opening, [first]) => {
    const raw = connectRaw(server.port, "127.0.0.1");
    raw.write(toHandshake(somebody.cookie));
    await once(raw, "data");
    raw.write(opening, "latin1");
    await sendUntilClosed(raw, Buffer.from([first!, 0x80, 0, 0, 0, 0]));
  });

  test("closes a connection that reads many stored tables, but not one that watches active ones", async () => {
    const player = await enterAs();
    const [client, reader] = [await open(player), await open(player)];
    const creator = await open(await enterWithCoins());
    const gameId = await createGame(creator);
    for (let i = 0; i < 100; i += 1) {
      client.send({ type: "watch", gameId, since: 0 });
      client.send({ type: "unwatch", gameId });
    }
    for (let i = 0; i < 3_000; i += 1) reader.send({ type: "watch", gameId: toGameId(randomUUID()), since: 0 });
    expect(await reader.closed()).toBe(CLOSE.flooding);
    client.send({ type: "watch_availability" });
    await client.waitFor(({ type }) => type === "availability");
    creator.send({ type: "cancel", whileWaiting: false, commandId: toCommandId("tidy-up-0"), gameId });
    await answerTo(creator, "tidy-up-0");
    for (const { close } of [client, creator]) close();
  });
});

describe("commands without permission", () => {
  const gameId = toGameId(randomUUID());
  const commands: readonly (readonly [ClientFrame, string, string])[] = [
    [
      {
        type: "create",
        sentAgoMs: 0,
        byInvitation: false,
        commandId: newId(),
        game: "chess",
        stake: 1,
        limitMinutes: 5,
        feeBps: 740,
      },
      "create_login_required",
      "insufficient_to_create",
    ],
    [{ type: "join", sentAgoMs: 0, commandId: newId(), gameId }, "join_login_required", "unknown_game"],
    [{ type: "cancel", whileWaiting: false, commandId: newId(), gameId }, "cancel_login_required", "unknown_game"],
    [{ type: "resign", commandId: newId(), gameId }, "login_required", "unknown_game"],
    [{ type: "chat", commandId: newId(), gameId, text: "how far" }, "login_required", "unknown_game"],
    [{ type: "move", commandId: newId(), gameId, atVersion: 1, path: [42, 35] }, "login_required", "unknown_game"],
  ];

  // [VALID-06 §5,8 r22] Joining requires a login: 'You must be logged in to join a match'.
  // [VALID-09 §5,8] Creating requires a login: 'You must be logged in to create a match'.
  // [VALID-13 §5,8 r26] Cancelling a match requires a session: 'You must be logged in to cancel a match'.
  // [ROLE-02 §6] Visitors cannot create, join, move or chat, whatever they send.
  test.each(commands)(
    "$type: refused to a visitor, and for an unknown game or an empty wallet [VALID-06 VALID-09 VALID-13 ROLE-02]",
    async (frame, toVisitor, toPlayer) => {
      const before = await countRows();
      const [visitor, player] = [await open(null), await open(somebody)];
      for (const [client, code] of [
        [visitor, toVisitor],
        [player, toPlayer],
      ] as const) {
        client.send(frame);
        const id = "commandId" in frame ? frame.commandId : "";
        expect(await answerTo(client, id)).toMatchObject({
          type: "refused",
          refusal: { code, text: expect.stringMatching(/\w/) },
        });
        client.close();
      }
      const after = await countRows();
      expect(after).toEqual(before);
    },
  );

  // [ROLE-05 §6] Other players cannot act in a game.
  test("another player can watch a game but not act in it [ROLE-05 ROLE-06]", async () => {
    const [white, black, stranger] = [
      await open(await enterWithCoins()),
      await open(await enterWithCoins()),
      await open(await enterWithCoins()),
    ];
    const id = await createGame(white);
    const joinId = newId();
    black.send({ type: "join", sentAgoMs: 0, commandId: joinId, gameId: id });
    await answerTo(black, joinId);
    const before = await countRows();
    stranger.send({ type: "watch", gameId: id, since: 0 });
    await stranger.waitFor(({ type }) => type === "table");
    const tries: readonly [ClientFrame, string][] = [
      [
        { type: "move", commandId: toCommandId("stranger-1"), gameId: id, atVersion: 2, path: [42, 35] },
        "not_a_player",
      ],
      [{ type: "cancel", whileWaiting: false, commandId: toCommandId("stranger-2"), gameId: id }, "not_a_player"],
      [{ type: "resign", commandId: toCommandId("stranger-3"), gameId: id }, "not_a_player"],
      [{ type: "join", sentAgoMs: 0, commandId: toCommandId("stranger-4"), gameId: id }, "match_gone"],
      [{ type: "chat", commandId: toCommandId("stranger-5"), gameId: id, text: "how far" }, "not_a_player"],
    ];
    for (const [index, [frame, code]] of tries.entries()) {
      stranger.send(frame);
      expect(await answerTo(stranger, `stranger-${index + 1}`)).toMatchObject({ refusal: { code } });
    }
    black.send({ type: "move", commandId: toCommandId("out-of-turn"), gameId: id, atVersion: 2, path: [19, 26] });
    expect(await answerTo(black, "out-of-turn")).toMatchObject({ refusal: { code: "not_your_turn" } });
    white.send({ type: "move", commandId: toCommandId("impossible-1"), gameId: id, atVersion: 2, path: [42, 28] });
    expect(await answerTo(white, "impossible-1")).toMatchObject({ refusal: { code: "illegal_move" } });
    white.send({ type: "cancel", commandId: toCommandId("too-late-1"), gameId: id, whileWaiting: true });
    expect(await answerTo(white, "too-late-1")).toMatchObject({ refusal: { code: "already_started" } });
    expect(await countRows()).toEqual(before);
    white.send({ type: "cancel", whileWaiting: false, commandId: toCommandId("tidy-up-1"), gameId: id });
    await answerTo(white, "tidy-up-1");
    for (const client of [white, black, stranger]) client.close();
  });

  test("an unknown game is not found", async () => {
    const client = await open(null);
    client.send({ type: "watch", gameId, since: 0 });
    expect(await client.waitFor(({ type }) => type === "no_table")).toMatchObject({ gameId });
    client.close();
  });
});

describe("a game over sockets", () => {
  // [CALL-08 §7 r2] Spectators see each move at once.
  test("starts for both, pushes balances, and acknowledges a move by its log record only [CALL-08]", async () => {
    const [first, second] = [await enterWithCoins(), await enterWithCoins()];
    const [white, black] = [await open(first), await open(second)];
    const gameId = await createGame(white);
    const joinId = newId();
    black.send({ type: "join", sentAgoMs: 0, commandId: joinId, gameId });
    expect(await answerTo(black, joinId)).toMatchObject({ type: "done", status: "active" });
    await white.waitFor((frame) => frame.type === "open_game" && frame.openGame?.status === "active");
    expect(await black.waitFor(({ type }) => type === "wallet")).toMatchObject({ balance: "487112000" });
    for (const client of [white, black]) client.send({ type: "watch", gameId, since: 0 });
    await white.waitFor(({ type }) => type === "table");
    await black.waitFor(({ type }) => type === "table");
    white.send({ type: "move", commandId: toCommandId("white-move-1"), gameId, atVersion: 2, path: [42, 35] });
    await answerTo(white, "white-move-1");
    const seen = await black.waitFor(({ type }) => type === "record");
    expect(seen).toMatchObject({ record: { version: 3, by: 1 } });
    expect(JSON.stringify(seen)).not.toContain("white-move-1");
    expect(white.frames.filter((frame) => "commandId" in frame && frame.commandId === "white-move-1")).toEqual([]);
    white.close();
    expect(await black.waitFor((frame) => frame.type === "presence" && frame.sinceAt !== null)).toMatchObject({
      seat: 1,
    });
    black.send({ type: "cancel", whileWaiting: false, commandId: toCommandId("tidy-up-2"), gameId });
    await answerTo(black, "tidy-up-2");
    black.close();
  });

  // [OPS-19 §-] With a collector, a command is traced from its frame to its broadcast: how long it waited in the
  // queue of its table, for its commit and for its broadcast, and its outcome.
  test("is traced from a move's frame to its broadcast, and a refusal up to the queue [OPS-19]", async () => {
    const [white, black] = [await open(await enterWithCoins()), await open(await enterWithCoins())];
    const gameId = await createGame(white);
    await sendCommand(black, { type: "join", sentAgoMs: 0, commandId: newId(), gameId });
    await sendCommand(white, { type: "move", commandId: newId(), gameId, atVersion: 2, path: [42, 35] });
    white.send({ type: "resign", commandId: toCommandId("resign-early"), gameId });
    await answerTo(white, "resign-early");
    const move = await collector.waitForTrace("command move", { "holo.game_id": gameId });
    expect(move.root).toMatchObject({ "holo.command": "move", "holo.outcome": "done" });
    expect(move.stages).toEqual(["queue", "commit", "broadcast"]);
    const resign = await collector.waitForTrace("command resign", { "holo.game_id": gameId });
    expect(resign.root).toMatchObject({ "holo.outcome": "too_early_to_resign" });
    expect(resign.stages).toEqual(["queue"]);
    await sendCommand(black, { type: "cancel", whileWaiting: false, commandId: newId(), gameId });
    for (const client of [white, black]) client.close();
  });

  test("sends chat to the two players only, and missed messages after a reconnect", async () => {
    const [first, second] = [await enterWithCoins(), await enterWithCoins()];
    const [white, black, stranger, visitor] = [
      await open(first),
      await open(second),
      await open(somebody),
      await open(null),
    ];
    const gameId = await createGame(white);
    const joinId = newId();
    black.send({ type: "join", sentAgoMs: 0, commandId: joinId, gameId });
    await answerTo(black, joinId);
    for (const client of [white, black, stranger, visitor]) {
      client.send({ type: "watch", gameId, since: 0, chatSince: 0 });
      await client.waitFor(({ type }) => type === "table");
    }
    const say = async (client: TestClient, text: string) => {
      const commandId = newId();
      client.send({ type: "chat", commandId, gameId, text });
      return await answerTo(client, commandId);
    };
    expect(await say(white, "how far")).toMatchObject({ type: "done", gameId, version: 1 });
    expect(await say(black, "i d i o t")).toMatchObject({
      refusal: {
        code: "chat_blocked",
        title: "Message Blocked",
        text: "Please avoid using abusive or inappropriate language.",
      },
    });
    expect(await say(black, "no vex")).toMatchObject({ type: "done", version: 2 });
    const messages = [
      { number: 1, seat: 1, text: "how far", at: expect.any(Number) },
      { number: 2, seat: 2, text: "no vex", at: expect.any(Number) },
    ];
    for (const client of [white, black]) {
      for (const message of messages)
        await client.waitFor((frame) => frame.type === "chat" && frame.messages[0]?.number === message.number);
      expect(client.frames.filter(({ type }) => type === "chat")).toEqual([
        { type: "chat", gameId, messages: [], isRest: true },
        ...messages.map((message) => ({ type: "chat", gameId, messages: [message] })),
      ]);
    }
    white.close();
    const back = await open(first);
    back.send({ type: "watch", gameId, since: 0, chatSince: 1 });
    expect(await back.waitFor(({ type }) => type === "chat")).toEqual({
      type: "chat",
      gameId,
      messages: messages.slice(1),
      isRest: true,
    });
    // A later frame shows that no chat was sent before it.
    back.send({ type: "cancel", whileWaiting: false, commandId: toCommandId("tidy-up-3"), gameId });
    for (const client of [stranger, visitor]) {
      await client.waitFor(({ type }) => type === "record");
      expect(client.frames.filter(({ type }) => type === "chat")).toEqual([]);
    }
    for (const client of [black, back, stranger, visitor]) client.close();
  });

  test("does not count a player as present who leaves while the table is loading", async () => {
    const [white, other] = [await open(await enterWithCoins()), await open(null)];
    const gameId = await createGame(white);
    const commandId = newId();
    white.send({ type: "cancel", whileWaiting: false, commandId, gameId });
    await answerTo(white, commandId);
    white.send({ type: "watch", gameId, since: 0 });
    white.send({ type: "unwatch", gameId });
    await white.waitFor(({ type }) => type === "table");
    other.send({ type: "watch", gameId, since: 0 });
    const table = await other.waitFor<TableFrame>(({ type }) => type === "table");
    expect(table.awaySinceAt[0]).not.toBeNull();
    for (const client of [white, other]) client.close();
  });

  test("a session that has just ended can take no coins", async () => {
    const player = await enterWithCoins();
    const client = await open(player);
    await client.waitFor(({ type }) => type === "hello");
    const before = await countRows();
    // Not rate limited at the upgrade.
    await sql`delete from sessions where player_id = ${player.id}`.execute(database.kysely);
    const commandId = newId();
    client.send({
      type: "create",
      sentAgoMs: 0,
      byInvitation: false,
      commandId,
      game: "checkers",
      stake: 1,
      limitMinutes: 5,
      feeBps: 740,
    });
    expect(await refusalOrEnd(client, commandId)).toBeOneOf(["create_login_required", "session_ended"]);
    expect(await countRows()).toEqual(before);
    client.close();
  });

  test.each([
    ["create", "create_login_required"],
    ["join", "join_login_required"],
    ["answer_rematch", "login_required"],
  ] as const)("a session that ends while its %s waits for a lock can take no coins", async (type, code) => {
    const [player, opponent] = [await enterWithCoins(), await enterWithCoins()];
    const [client, other] = [await open(player), await open(opponent)];
    const commandId = newId();
    const { frame, lock } = await prepare(type, commandId, client, other);
    const before = await countRows();
    await transact(database, async (tx) => {
      await lock.execute(tx);
      client.send(frame);
      await waitForBlocked();
      // A logout whose event has not reached the socket yet.
      await sql`delete from sessions where player_id = ${player.id}`.execute(database.kysely);
    });
    expect(await refusalOrEnd(client, commandId)).toBeOneOf([code, "session_ended"]);
    expect(await countRows()).toEqual(before);
    for (const socket of [client, other]) socket.close();
  });

  test.each(["create", "join", "answer_rematch"] as const)(
    "looks a %s up that comes over 30 seconds after its click, and refuses it and its copies otherwise [ERR-44]",
    async (type) => {
      const [client, other] = [await open(await enterWithCoins()), await open(await enterWithCoins())];
      const { frame } = await prepare(type, newId(), client, other);
      const send = async (one: object): Promise<ServerFrame> => {
        const known = client.frames.length;
        client.send({ ...frame, ...one } as ClientFrame);
        return await client.waitFor((given) => client.frames.indexOf(given) >= known && "commandId" in given);
      };
      const before = await countRows();
      expect(await send({ sentAgoMs: 30_001 })).toMatchObject({ type: "refused", refusal: { code: "too_late" } });
      // The first copy of the frame finally leaves the dead connection.
      expect(await send({})).toMatchObject({ type: "refused", refusal: { code: "too_late" } });
      expect(await countRows()).toEqual(before);
      const commandId = newId();
      const done = await send({ commandId, sentAgoMs: 30_000 });
      expect(done).toMatchObject({ type: "done" });
      expect(await send({ commandId, sentAgoMs: 600_000 })).toEqual(done);
      for (const socket of [client, other]) socket.close();
    },
  );

  test("asks for a command again whose outcome is unknown, and answers it then [ERR-38]", async () => {
    const client = await open(await enterWithCoins());
    const { frame, lock } = await prepare("create", newId(), client, client);
    const cutBlocked = sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    await transact(database, async (tx) => {
      await lock.execute(tx);
      client.send(frame);
      await expect
        .poll(async () => {
          await cutBlocked.execute(database.kysely);
          return client.frames.some(({ type }) => type === "retry");
        })
        .toBe(true);
    });
    expect(client.frames.filter(({ type }) => type === "refused")).toEqual([]);
    client.send(frame);
    const created = await client.waitFor<Extract<ServerFrame, { type: "done" }>>(({ type }) => type === "done");
    await sendCommand(client, { type: "cancel", whileWaiting: false, commandId: newId(), gameId: created.gameId });
    client.close();
  });

  test("closes the sockets of a session, however it ends", async () => {
    const client = await open(await enterAs());
    await client.waitFor(({ type }) => type === "hello");
    await sql`update sessions set expires_at = to_timestamp(0) where token = any(
      select token from sessions order by started_at desc limit 1)`.execute(database.kysely);
    expect(await client.closed()).toBe(CLOSE.sessionEnded);
    expect(client.frames.at(-1)).toEqual({ type: "session_ended" });
  });

  test.each([
    ["logout", {}],
    ["account/sessions/end-all", {}],
  ])("%s closes its sockets, and they come back as visitors [ROLE-15]", async (path, body) => {
    const player = await enterAs();
    const client = await open(player);
    await client.waitFor(({ type }) => type === "hello");
    expect((await post(player, path, body)).status).toBe(200);
    expect(await client.closed()).toBe(CLOSE.sessionEnded);
    expect(client.frames.at(-1)).toEqual({ type: "session_ended" });
    const back = await open(player);
    expect(await back.waitFor(({ type }) => type === "hello")).toMatchObject({ player: null });
    back.close();
  });

  test("a new password closes the sockets of other browsers at once", async () => {
    const player = await enterAs();
    const here = await open(player);
    await here.waitFor(({ type }) => type === "hello");
    const { email } = ((await (await get(player, "session")).json()) as SessionView).player!;
    const elsewhere = await logInAgain(email);
    const there = await open({ id: player.id, cookie: elsewhere });
    await there.waitFor(({ type }) => type === "hello");
    const changed = { password: "a long passphrase", newPassword: "a longer passphrase" };
    expect((await post(player, "account/password", changed)).status).toBe(200);
    expect(await there.closed()).toBe(CLOSE.sessionEnded);
    here.send({ type: "watch_availability" });
    await here.waitFor(({ type }) => type === "availability");
    here.close();
  });
});

const get = (player: TestPlayer, path: string) =>
  fetch(`${server.origin}/api/${path}`, { headers: { cookie: player.cookie } });
const post = (player: TestPlayer | null, path: string, body: object) =>
  fetch(`${server.origin}/api/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: PAGE, ...(player !== null && { cookie: player.cookie }) },
    body: JSON.stringify(body),
  });

async function logInAgain(email: string): Promise<string> {
  const answer = await post(null, "login", { email, password: "a long passphrase" });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

test("pushes new settings to every connection and refuses old figures", async () => {
  const [ceo, player] = [await enterAs(), await enterWithCoins()];
  await sql`
    update players set email = 'owner@example.com', email_verified = true where id = ${ceo.id}`.execute(
    database.kysely,
  );
  const clients = [await open(null), await open(player)];
  const [before, after] = [
    { rateKobo: 30_600, feeBps: 740 },
    { rateKobo: 30_700, feeBps: 750 },
  ];
  const change = (from: object, to: object) =>
    fetch(`${server.origin}/api/admin/settings`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: PAGE, cookie: ceo.cookie },
      body: JSON.stringify({ ...to, expected: from, commandId: newId(), password: "a long passphrase" }),
    });
  expect((await change(before, after)).status).toBe(200);
  for (const client of clients) await client.waitFor(({ type }) => type === "settings");
  expect(clients[0]!.frames.at(-1)).toEqual({ type: "settings", ...after });
  const commandId = newId();
  clients[1]!.send({
    type: "create",
    sentAgoMs: 0,
    byInvitation: false,
    commandId,
    game: "chess",
    stake: 1,
    limitMinutes: 5,
    feeBps: before.feeBps,
  });
  expect(await answerTo(clients[1]!, commandId)).toMatchObject({ refusal: { code: "fee_changed" } });
  expect((await change(after, before)).status).toBe(200);
  for (const client of clients) client.close();
});

function toHandshake(cookie: string): string {
  const head = ["GET /socket HTTP/1.1", "Host: arena.test", `Origin: ${PAGE}`, `Cookie: ${cookie}`];
  const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  return `${[...head, ...upgrade, key].join("\r\n")}\r\n\r\n`;
}
