import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/arena/games.ts";
import type { LogRecord, TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { makeCarriers, type TestCarriers } from "../../platform/testing/test-carriers.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import type { Watcher } from "../arena.ts";
import {
  addPlayer,
  codeOf,
  findBroken,
  gameOf,
  makeWatcher,
  move,
  newId,
  openTestServers,
  type TestArena,
} from "../testing/test-arena.ts";
import { B2, C3, C5, createGame, D4, D6, F6, G5, type TestGame } from "../testing/test-game.ts";

/** One game on two servers: the clocks of players who use either, or both. */
let database: Database;
let first: TestArena;
let second: TestArena;
let carriers: TestCarriers;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  carriers = makeCarriers();
  [first, second] = await openTestServers(database, carriers);
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  expect(await findBroken(database)).toBeNull();
  await database.pool.query("delete from outages");
  await database.pool.query("delete from servers");
});
afterAll(() => database.close());

async function advance(ms: number): Promise<void> {
  for (const at of [first, second]) await at.advance(ms);
}

interface WatchedGame extends TestGame {
  readonly whiteWatcher: Watcher;
  readonly blackWatcher: Watcher;
}

/** White plays at the first server, black at that one; white is to move at version 6. */
async function startAt(other: TestArena): Promise<WatchedGame> {
  const white = await addPlayer(database, first);
  const black = await addPlayer(database, other);
  const gameId = gameOf(await createGame(first, white));
  expect(codeOf(await other.arena.join(black, gameId, newId()))).toBe("done");
  const whiteWatcher = makeWatcher(white);
  await first.arena.watch(whiteWatcher, gameId, 0);
  const blackWatcher = makeWatcher(black);
  await other.arena.watch(blackWatcher, gameId, 0);
  const paths = [
    [C3!, D4!],
    [D6!, C5!],
    [B2!, C3!],
    [F6!, G5!],
  ];
  for (const [ply, path] of paths.entries()) {
    await advance(1_000);
    const [at, mover] = ply % 2 === 0 ? [first, white] : [other, black];
    expect(codeOf(await move(at, mover, gameId, ply + 2, path))).toBe("done");
  }
  return { white, black, gameId, whiteWatcher, blackWatcher };
}

const startAcross = (): Promise<WatchedGame> => startAt(second);

/** What both do every second. */
async function catchUp(): Promise<void> {
  await advance(0);
  for (const at of [first, second, first]) await at.arena.catchUp();
  await advance(0);
}

async function loadEvents(gameId: GameId): Promise<readonly TableEvent[]> {
  const { rows } = await sql<{ record: string }>`
    select record from game_log where game_id = ${gameId} order by version`.execute(database.kysely);
  return rows.flatMap(({ record }) => (JSON.parse(record) as LogRecord).events);
}

async function loadCredits(gameId: GameId): Promise<readonly TableEvent[]> {
  return (await loadEvents(gameId)).filter(({ type }) => type === "clock_credited");
}

// [SERVERS-33 §- r16,30] A move that reaches another server than the position is charged for the whole thought,
// whether or not its player watches there. So is a move whose thought another server credited for an outage.
test.each(["without watching there", "after watching there again"])(
  "charges a thought at one server to a move at another that has an older state in memory, %s [SERVERS-33]",
  async (how) => {
    const white = await addPlayer(database, first);
    const black = await addPlayer(database, first);
    const gameId = gameOf(await createGame(first, white));
    expect(codeOf(await first.arena.join(black, gameId, newId()))).toBe("done");
    const thinking = makeWatcher(white);
    await first.arena.watch(thinking, gameId, 0);
    const paths = [
      [C3!, D4!],
      [D6!, C5!],
      [B2!, C3!],
    ];
    for (const [ply, path] of paths.entries()) {
      await advance(1_000);
      expect(codeOf(await move(first, ply % 2 === 0 ? white : black, gameId, ply + 2, path))).toBe("done");
    }
    const again = makeWatcher(white);
    await second.arena.watch(again, gameId, 0);
    second.arena.unwatch(again, gameId);
    expect(second.arena.isServed(gameId)).toBe(true);
    await advance(1_000);
    expect(codeOf(await move(first, black, gameId, 5, [F6!, G5!]))).toBe("done");
    await advance(19_000);
    if (how !== "without watching there") await second.arena.watch(again, gameId, 0);
    await advance(1_000);
    expect(codeOf(await move(second, white, gameId, 6, [C3!, 33]))).toBe("done");
    expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 20_000 });
  },
);

// [SERVERS-39 §-] A table's records are sent to servers on which a player or spectator watches it, and to no other.
test("sends a table's records to a server that follows it, and to no other [SERVERS-39]", async () => {
  const { gameId, white, black } = await startAt(first);
  const countSent = (): number => carriers.joined.filter((text) => JSON.parse(text).gameId === gameId).length;
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect(countSent()).toBe(0);
  const spectator = makeWatcher(null);
  await second.arena.watch(spectator, gameId, 0);
  await advance(0);
  expect(codeOf(await move(first, black, gameId, 7, [G5!, 39]))).toBe("done");
  expect(countSent()).toBe(1);
  expect(spectator.frames.at(-1)).toMatchObject({ type: "record", record: { version: 8 } });
  second.arena.unwatch(spectator, gameId);
  await advance(0);
  expect(codeOf(await move(first, white, gameId, 8, [33, D6!]))).toBe("done");
  expect(countSent()).toBe(1);
});

test("sends them further to spectators whose server the player has left [SERVERS-39]", async () => {
  const { gameId, white, blackWatcher } = await startAcross();
  const spectator = makeWatcher(null);
  await second.arena.watch(spectator, gameId, 0);
  second.arena.unwatch(blackWatcher, gameId);
  await advance(0);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect(spectator.frames.at(-1)).toMatchObject({ type: "record", record: { version: 7 } });
});

// [SERVERS-40 §- r18] A copy of a stored command that reaches another server is answered like the first one, also
// after the deadline. Offers that cross do so at any server.
test("answers a copy by the record of the command that arrived while the log was read [SERVERS-40]", async () => {
  let noteRead = (): void => undefined;
  let release = (): void => undefined;
  let held: Promise<void> | null = null;
  const slow = database.kysely.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      noteRead();
      await held;
      return result;
    },
  });
  await Promise.all([first.close(), second.close()]);
  [first, second] = await openTestServers(database, carriers, { ...database, kysely: slow });
  const { gameId, white, black } = await startAcross();
  held = new Promise((resolve) => {
    release = resolve;
  });
  const isRead = new Promise<void>((resolve) => {
    noteRead = resolve;
  });
  const id = newId();
  // Refused for an older board, so the log is read: white has not moved yet.
  const copy = move(second, black, gameId, 7, [G5!, 39], id);
  await isRead;
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect(codeOf(await move(first, black, gameId, 7, [G5!, 39], id))).toBe("done");
  release();
  expect(await copy).toMatchObject({ type: "done", version: 8 });
});

// [SERVERS-37 §- r16] A clock runs out at once at the server of the player to move; another waits three seconds. If
// the player seems connected to both, each waits one second.
test("lets a clock run out at once at the mover's server, and three seconds later at another [SERVERS-37]", async () => {
  const loadStatus = async ({ gameId }: TestGame) => (await first.arena.loadMatch(gameId, null))?.status;
  const game = await startAcross();
  await second.advance(299_500);
  await second.advance(2_000);
  expect(await loadStatus(game)).toBe("active");
  await second.advance(2_000);
  expect(await loadStatus(game)).toBe("completed");
  await first.advance(303_500);
  const other = await startAcross();
  await first.advance(299_500);
  expect(await loadStatus(other)).toBe("completed");
});

test("answers a copy that arrives after the deadline by the record that the server lacks [SERVERS-40]", async () => {
  const { gameId, white, whiteWatcher } = await startAt(second);
  await second.arena.watch(whiteWatcher, gameId, 0);
  second.time.advance(298_900);
  const id = newId();
  // The other server stores the move and ends before it sends the record.
  carriers.isLosing = true;
  expect(codeOf(await move(second, white, gameId, 6, [C3!, 33], id))).toBe("done");
  first.time.advance(299_100);
  expect(await move(first, white, gameId, 6, [C3!, 33], id)).toMatchObject({ type: "done", isRepeat: true });
});

test("lets an offer cross one of the opponent that the server lacks [SERVERS-40]", async () => {
  const { gameId, white, black } = await startAcross();
  const offerDraw = (at: TestArena, { id }: PlayerView) => at.arena.offer("offer_draw", id, gameId, newId());
  expect(codeOf(await offerDraw(first, white))).toBe("done");
  const order = { player: black.id, commandId: newId(), gameId, offer: 7, atVersion: 6 };
  const refused = second.arena.answerOffer({ ...order, type: "answer_draw", answer: "decline_all" });
  expect(codeOf(await refused)).toBe("done");
  expect(codeOf(await offerDraw(first, white))).toBe("offers_refused");
  carriers.isLosing = true;
  expect(codeOf(await offerDraw(second, black))).toBe("done");
  expect(await offerDraw(first, white)).toMatchObject({ type: "done", status: "ended" });
});

test("waits with a flag for the network time of the mover's connection at the other server [SERVERS-37]", async () => {
  const { gameId, white, whiteWatcher } = await startAt(first);
  // The first server does not know yet that this connection is dead.
  await second.arena.watch({ ...whiteWatcher, lagMs: () => 400 }, gameId, 0);
  await advance(0);
  for (const at of [first, second]) at.time.advance(299_200);
  await first.advance(0);
  expect((await first.arena.loadMatch(gameId, null))?.status).toBe("active");
  const id = newId();
  expect(codeOf(await move(second, white, gameId, 6, [C3!, 33], id, 400))).toBe("done");
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33], id))).toBe("done");
});

test("lets the clock of a mover at two servers run out a second later [SERVERS-37]", async () => {
  const { gameId, white } = await startAt(first);
  await second.arena.watch(makeWatcher(white), gameId, 0);
  await advance(0);
  await first.advance(299_500);
  expect((await first.arena.loadMatch(gameId, null))?.status).toBe("active");
  await first.advance(1_000);
  expect((await first.arena.loadMatch(gameId, null))?.status).toBe("completed");
});

// [SERVERS-34 §- r30] An outage that only one server measured is credited once in the games of players whom it
// served, and in no others. A restart of all and a silence that all measured are credited in every game.
test("credits an outage that only the server of the opponent measured [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross();
  first.time.advance(4_000);
  second.lose(4_000, "database");
  await advance(0);
  expect(await loadCredits(gameId)).toEqual([]);
  await catchUp();
  // The mover's own server has lost nothing: the time counts, and the bonus is both players'.
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [305_000, 309_000] }]);
  await advance(2_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 2_000 });
});

test("credits it also if the mover's server stores their move only then [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross();
  first.time.advance(4_000);
  second.lose(4_000, "database");
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [305_000, 309_000] }]);
});

test("credits an outage once that both servers measured, with what it took from the mover [SERVERS-34]", async () => {
  const { gameId } = await startAcross();
  for (const at of [second, first]) at.lose(4_000, "database");
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [309_000, 309_000] }]);
});

test("credits nothing to a game without a player on the server that alone lost the database [SERVERS-34]", async () => {
  const { gameId } = await startAcross();
  const alone = { white: await addPlayer(database, first), black: await addPlayer(database, first) };
  const other = gameOf(await createGame(first, alone.white, "chess"));
  expect(codeOf(await first.arena.join(alone.black, other, newId()))).toBe("done");
  first.time.advance(61_000);
  second.lose(61_000, "database");
  await catchUp();
  expect(await loadCredits(other)).toEqual([]);
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, awaiting: true }]);
});

test("credits nothing to a game that the server that alone lost the database loads later [SERVERS-34]", async () => {
  const { gameId, white } = await startAt(first);
  first.time.advance(10_000);
  second.lose(10_000, "database");
  await catchUp();
  await advance(50_000);
  await second.arena.watch(makeWatcher(null), gameId, 0);
  await advance(2_000);
  expect(await loadCredits(gameId)).toEqual([]);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 62_000 });
});

async function noteRunning(): Promise<void> {
  await advance(0);
  await database.pool.query(
    `insert into servers (server_id, name, started_at, last_seen_at, is_shared, serving_at)
     select distinct server_id, 'test', now(), now(), true, now() from outages`,
  );
}

test("waits with a flag until it is known whether all servers lost the database [SERVERS-34]", async () => {
  const { gameId, whiteWatcher, blackWatcher } = await startAt(first);
  for (const watcher of [whiteWatcher, blackWatcher]) first.arena.dropWatcher(watcher, gameId);
  await advance(1_000);
  for (const at of [first, second]) at.lose(310_000, "database");
  await second.arena.watch(makeWatcher(null), gameId, 0);
  await second.advance(100);
  await second.advance(100);
  expect((await second.arena.loadMatch(gameId, null))?.status).toBe("active");
  await noteRunning();
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ awaiting: true, remainingMs: [308_000, 309_000] }]);
});

test.each(["has it in memory", "loads it later"])(
  "credits an outage that all servers measured to a game whose players none served, once one %s [SERVERS-34]",
  async (how) => {
    const { gameId, whiteWatcher, blackWatcher } = await startAt(first);
    for (const watcher of [whiteWatcher, blackWatcher]) first.arena.dropWatcher(watcher, gameId);
    await advance(1_000);
    first.lose(9_000, "database");
    second.lose(10_000, "database");
    await noteRunning();
    const one = how === "has it in memory" ? first : second;
    await one.arena.catchUp();
    await one.arena.watch(makeWatcher(null), gameId, 0);
    await catchUp();
    expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [308_000, 309_000] }]);
  },
);

test("credits a silence that all servers measured alike to a game whose players none served [SERVERS-34]", async () => {
  const { gameId, whiteWatcher, blackWatcher } = await startAt(first);
  for (const watcher of [whiteWatcher, blackWatcher]) first.arena.dropWatcher(watcher, gameId);
  await advance(1_000);
  first.lose(10_000, "database");
  await first.advance(0);
  // It is known before the other server has stored its own.
  await first.arena.catchUp();
  second.lose(10_000, "database");
  await noteRunning();
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000 }]);
});

test("credits a restart of all servers to a game that is loaded later [SERVERS-34]", async () => {
  const { gameId } = await startAt(first);
  first.time.advance(4_000);
  second.lose(4_000, "restart");
  await second.arena.watch(makeWatcher(null), gameId, 0);
  await advance(0);
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [309_000, 309_000] }]);
});

test("credits a player who left the server during the outage with what it took [SERVERS-34]", async () => {
  const { gameId, white, black, blackWatcher } = await startAcross();
  const fromAt = second.time.now();
  await advance(5_000);
  second.outages.setServed(false);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await advance(3_000);
  second.arena.unwatch(blackWatcher, gameId);
  await first.arena.watch(makeWatcher(black), gameId, 0);
  await advance(2_000);
  second.outages.setServed(true);
  second.outages.lose(10_000);
  second.arena.creditOutage({ fromAt, toAt: second.time.now(), cause: "database" });
  await catchUp();
  // Black's turn began in the outage. Three of its five seconds passed without a server.
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [304_000, 307_000] }]);
});

test("credits the outage of a server that others took for lost, before a later one [SERVERS-34]", async () => {
  const { gameId, black } = await startAcross();
  const startedAt = first.time.now();
  await advance(10_000);
  for (const [serverId, fromMs] of [
    [second.serverId, 1_000],
    [randomUUID(), 6_000],
  ] as const)
    await database.pool.query(
      "insert into outages (from_at, to_at, cause, server_id, served) values ($1, $2, 'restart', $3, $4)",
      [
        new Date(addMs(startedAt, fromMs)),
        new Date(addMs(startedAt, fromMs + 3_000)),
        serverId,
        [`${gameId} ${black.id}`],
      ],
    );
  await second.arena.catchUp();
  await second.advance(0);
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000 }, { bonusMs: 10_000 }]);
});

test("credits the outage of a lost server without known players to a game that went on [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross();
  const startedAt = first.time.now();
  await advance(5_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await database.pool.query(
    "insert into outages (from_at, to_at, cause, server_id) values ($1, $2, 'restart', gen_random_uuid())",
    [new Date(addMs(startedAt, 1_000)), new Date(addMs(startedAt, 4_000))],
  );
  await catchUp();
  // White, who was here all the time, is charged for the whole thought.
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [304_000, 309_000] }]);
});

test("charges nothing for the time until a position was sent, when it credits an outage [SERVERS-34]", async () => {
  const { gameId, white, black } = await startAcross();
  await advance(1_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await advance(1_000);
  // The server of black ends before the other one hears of the move.
  carriers.isLosing = true;
  expect(codeOf(await move(second, black, gameId, 7, [G5!, 39]))).toBe("done");
  await advance(900);
  await first.arena.catchUp();
  await first.advance(0);
  const fromAt = first.time.now();
  await advance(3_000);
  await database.pool.query(
    "insert into outages (from_at, to_at, cause, server_id, served) values ($1, $2, 'restart', gen_random_uuid(), $3)",
    [new Date(fromAt), new Date(first.time.now()), [`${gameId} ${black.id}`]],
  );
  await first.arena.catchUp();
  await first.advance(0);
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000, remainingMs: [305_000, 308_000] }]);
});

test("credits two outages of the opponent's server in one thought [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross();
  for (let outage = 0; outage < 2; outage += 1) {
    first.time.advance(4_000);
    second.lose(4_000, "database");
    await advance(1_000);
  }
  expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
  await catchUp();
  expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000 }, { bonusMs: 10_000 }]);
});

test.each(["a message", "the database"])(
  "charges a thought in which another server credited an outage, which %s announced [SERVERS-33]",
  async (source) => {
    const { gameId, white, black } = await startAcross();
    const [fromAt, toAt] = [1_000, 5_000].map((ms) => new Date(addMs(first.time.now(), ms)));
    await advance(50_000);
    const { pool } = database;
    await pool.query(
      "insert into outages (from_at, to_at, cause, server_id, served) values ($1, $2, 'restart', gen_random_uuid(), $3)",
      [fromAt, toAt, [`${gameId} ${black.id}`]],
    );
    carriers.isLosing = source === "the database";
    await second.arena.catchUp();
    await second.advance(0);
    carriers.isLosing = false;
    await first.arena.catchUp();
    await advance(0);
    expect(await loadCredits(gameId)).toMatchObject([{ bonusMs: 10_000 }]);
    expect(codeOf(await move(first, white, gameId, 6, [C3!, 33]))).toBe("done");
    expect((await loadEvents(gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 45_000 });
  },
);
