import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import { text as readText } from "node:stream/consumers";
import { type CommandId, type GameId, toCommandId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { ClientFrame } from "@holo/protocol/socket/client-frames.ts";
import type { ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { postOpening } from "../ledger/ledger.ts";
import type { Database } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import { openLog } from "../platform/log.ts";
import { createTestDatabase } from "../platform/testing/test-database.ts";
import { signUp } from "./testing/test-client.ts";
import { openTestServer, PAGE, type TestServer } from "./testing/test-server.ts";

/** Request and command ids in the log of a whole server, by HTTP and by socket. */
const PROXY = "127.0.0.2";
const STRANGER = "127.0.0.3";
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

type Line = Readonly<Record<string, unknown>>;

let database: Database;
let server: TestServer;
const lines: Line[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const log = openLog("info", { write: (line) => void lines.push(JSON.parse(line) as Line) });
  server = await openTestServer(database, { TRUSTED_PROXIES: PROXY }, log);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

async function get(path: string, from: string, id?: string): Promise<{ id: unknown; status: unknown; body: string }> {
  const headers = id === undefined ? {} : { "x-request-id": id };
  const sent = sendRequest(`${server.origin}${path}`, { localAddress: from, headers, agent: false }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return { id: answer.headers["x-request-id"], status: answer.statusCode, body: await readText(answer) };
}

/** Each query of this table fails meanwhile. */
async function whileBroken(table: string, work: () => Promise<void>): Promise<void> {
  await database.pool.query(`alter table ${table} rename to ${table}_away`);
  await work().finally(() => database.pool.query(`alter table ${table}_away rename to ${table}`));
}

// [OPS-33 §-] Every request and socket has an id, its proxy's if that is trusted. The answer names it, and so does
// each log line until the answer. Lines of a command name command and game too.
test("each request has an id: that of a trusted proxy if it is valid, else a new one [OPS-33]", async () => {
  expect((await get("/healthz", PROXY, "4bf92f3577b34da6a3ce929d0e0e4736")).id).toBe(
    "4bf92f3577b34da6a3ce929d0e0e4736",
  );
  for (const [from, id] of [
    [PROXY, undefined],
    [PROXY, "short"],
    [PROXY, 'forged","level":"60'],
    [PROXY, "x".repeat(129)],
    [STRANGER, "4bf92f3577b34da6a3ce929d0e0e4736"],
  ] as const) {
    expect((await get("/no-such-page", from, id)).id).toMatch(UUID);
  }
});

test("a request that fails is named in its answer and in its log lines, and in no others [OPS-33]", async () => {
  lines.length = 0;
  const ids = ["the-first-request", "the-second-request"];
  await whileBroken("profiles", async () => {
    const answers = await Promise.all(ids.map((id) => get(`/api/players/${id}`, PROXY, id)));
    for (const [index, { id, status, body }] of answers.entries()) {
      expect({ id, status }).toEqual({ id: ids[index], status: 500 });
      expect(JSON.parse(body)).toMatchObject({ code: "something_went_wrong", requestId: ids[index] });
    }
  });
  const failed = lines.filter(({ requestId }) => requestId !== undefined);
  expect(failed.map(({ requestId, msg, path }) => `${requestId}: ${msg} ${path}`).sort()).toEqual(
    ids.map((id) => `${id}: a request failed /api/players/${id}`),
  );
});

interface Client {
  readonly requestId: unknown;
  /** Resolves with the answer to the command, or with the record that it has made. */
  send(frame: Extract<ClientFrame, { readonly commandId: string }>): Promise<ServerFrame>;
  close(): void;
}

async function enter(id?: string): Promise<Client> {
  const { id: playerId, cookie } = await signUp(server.origin, PAGE);
  await transact(database, (tx) => postOpening(tx, { playerId, amount: wholeCoins(100), at: toInstant(Date.now()) }));
  const headers = { origin: PAGE, cookie, ...(id !== undefined && { "x-request-id": id }) };
  const socket = new WebSocket(`${server.origin.replace("http", "ws")}/socket`, { headers, localAddress: PROXY });
  const [opened] = (await once(socket, "upgrade")) as [IncomingMessage];
  return {
    requestId: opened.headers["x-request-id"],
    send: (frame) =>
      new Promise((resolve) => {
        socket.on("message", (data) => {
          const received = JSON.parse(String(data)) as ServerFrame;
          if ("commandId" in received && received.commandId === frame.commandId) resolve(received);
        });
        socket.send(JSON.stringify(frame));
      }),
    close: () => socket.close(),
  };
}

const newId = (): CommandId => toCommandId(randomUUID());

async function beginGame(white: Client, black: Client, stake: 1 | 2): Promise<GameId> {
  const terms = { game: "checkers", stake, limitMinutes: 5, feeBps: 740 } as const;
  const created = await white.send({ type: "create", sentAgoMs: 0, byInvitation: false, commandId: newId(), ...terms });
  if (created.type !== "done") throw new Error(JSON.stringify(created));
  const { gameId } = created;
  expect(await black.send({ type: "join", sentAgoMs: 0, commandId: newId(), gameId })).toMatchObject({ type: "done" });
  return gameId;
}

test("a command that fails is named in its log lines with its game and its socket's request [OPS-33]", async () => {
  const clients = [await enter("the-socket-of-white"), await enter(), await enter(), await enter()] as const;
  expect(clients[0].requestId).toBe("the-socket-of-white");
  expect(clients[1].requestId).toMatch(UUID);
  const games = [await beginGame(clients[0], clients[1], 1), await beginGame(clients[2], clients[3], 2)] as const;
  await database.pool.query(
    `create function refuse_moves() returns trigger language plpgsql as 'begin raise check_violation; end';
     create trigger refuse_moves before insert on game_log for each row execute function refuse_moves()`,
  );
  lines.length = 0;
  const sent = games.map((gameId, i) => {
    const commandId = newId();
    const client = clients[2 * i]!;
    const answer = client.send({ type: "move", commandId, gameId, atVersion: 2, path: [42, 35] });
    return { answer, line: { requestId: client.requestId, commandId, gameId } };
  });
  for (const { answer, line } of sent)
    expect(await answer).toMatchObject({
      type: "refused",
      commandId: line.commandId,
      refusal: { code: "something_went_wrong" },
    });
  const stopped = lines.filter(({ msg }) => msg === "a table stopped");
  expect(stopped).toHaveLength(2);
  expect(stopped).toEqual(expect.arrayContaining(sent.map(({ line }) => expect.objectContaining(line))));
  await database.pool.query("drop trigger refuse_moves on game_log");
  for (const client of clients) client.close();
});
