import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import { addMs } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/arena/games.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { toTimestamp } from "../../platform/database/timestamp.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { makeOnlyServer } from "../../platform/servers/servers.ts";
import { type Answer, refused } from "../answer.ts";
import { LifecycleCommit } from "../log/lifecycle-commit.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import {
  addPlayer,
  findBroken,
  idOf,
  makeWatcher,
  move,
  newId,
  openTestArena,
  type TestArena,
} from "../testing/test-arena.ts";
import { C3, D4, F6, G5, playOpening, startGame } from "../testing/test-game.ts";
import { openTestTables } from "../testing/test-tables.ts";
import { toSeatKey } from "./outage-store.ts";

const [E3, F4] = [44, 37];

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});
// Games of another test began at the same instant: they would be credited.
afterEach(async () => void (await database.pool.query("delete from outages")));

async function loadNewestEvents(gameId: GameId): Promise<LogRecord["events"]> {
  const { rows } = await sql<{ record: string }>`
    select record from game_log where game_id = ${gameId} order by version desc limit 1`.execute(database.kysely);
  return (JSON.parse(rows[0]!.record) as LogRecord).events;
}

test("asks for the queued commands of a dropped table again and releases its waiters", async () => {
  const { gameId, white } = await startGame(database, at);
  const tables = openTestTables(database, at, { groupCommit: { add: () => undefined } });
  const table = await tables.load(gameId);
  if (table === null) throw new Error("no such game");
  const send = (): Promise<Answer> =>
    new Promise((answer) => {
      const player = white.id;
      const move = {
        type: "move",
        id: newId(),
        player,
        atVersion: 2,
        path: [C3!, D4!],
        delivery: NO_DELIVERY,
      } as const;
      table.enqueue({ command: move, at: at.time.now(), lostMs: 0, lagMs: 0, answer });
    });
  void send();
  const waiting = send();
  const resynced = table.resync();
  tables.drop(table);
  expect(await waiting).toEqual({ type: "unknown" });
  await resynced;
  expect(tables.find(gameId)).toBeNull();
});

// [SEC-64 §-] At a table that waits for the database, people who do not play there are refused at once, and at most a
// hundred commands of each player wait. The page sends further ones again.
test("bounds the commands that wait at a busy table, and lets no stranger wait [SEC-64]", async () => {
  const { gameId, white, black } = await startGame(database, at);
  const tables = openTestTables(database, at, { groupCommit: { add: () => undefined } });
  const table = await tables.load(gameId);
  if (table === null) throw new Error("no such game");
  const answers: Answer[] = [];
  const send = (command: TableCommand): void =>
    table.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer: (answer) => answers.push(answer) });
  const resign = ({ id }: PlayerView) => ({ type: "resign", id: newId(), player: id }) as const;
  send({ type: "move", id: newId(), player: white.id, atVersion: 2, path: [C3!, D4!], delivery: NO_DELIVERY });
  expect(table.isBusy).toBe(true);
  const stranger = await addPlayer(database, at);
  const join = { type: "join", id: newId(), player: stranger.id, pairing: "address" } as const;
  for (const command of [resign(stranger), join]) send(command);
  tables.refusals.keep(gameId, join, refused("creator_away"));
  send(join);
  expect(answers.splice(0)).toMatchObject([{ code: "not_a_player" }, { code: "match_gone" }, { code: "creator_away" }]);
  for (let waiting = 1; waiting <= 100; waiting += 1) send(resign(white));
  expect(answers).toEqual([]);
  send(resign(white));
  expect(answers.splice(0)).toEqual([{ type: "unknown" }]);
  send(resign(black));
  expect(answers).toEqual([]);
  tables.drop(table);
  expect(answers).toHaveLength(101);
});

test("refuses a late copy of a refused command, although it would be allowed by then", async () => {
  const game = await startGame(database, at);
  const { gameId, white } = game;
  const id = newId();
  const resign = (): Promise<Answer> => at.arena.resign(idOf(white), gameId, id);
  expect(await resign()).toMatchObject({ code: "too_early_to_resign" });
  // As many refusals as a table remembers, of a person without a seat.
  const stranger = idOf(await addPlayer(database, at));
  for (let sent = 1; sent <= 64; sent += 1) await at.arena.resign(stranger, gameId, newId());
  await playOpening(at, game);
  expect(await resign()).toMatchObject({ code: "too_early_to_resign" });
  expect(await at.arena.resign(idOf(white), gameId, newId())).toMatchObject({ type: "done", status: "ended" });
});

test("answers a stored command as done, although a copy was refused before it was queued", async () => {
  const { gameId, white } = await startGame(database, at);
  const tables = openTestTables(database, at, {});
  const table = await tables.load(gameId);
  if (table === null) throw new Error("no such game");
  const command = { type: "cancel", id: newId(), player: idOf(white) } as const;
  const send = (): Promise<Answer> =>
    new Promise((answer) => table.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer }));
  expect(await send()).toMatchObject({ type: "done", isRepeat: false });
  tables.refusals.keep(gameId, command, refused("creator_away"));
  expect(await send()).toMatchObject({ type: "done", isRepeat: true });
});

test("answers a refused command although the other servers cannot be told", async () => {
  const { gameId, white } = await startGame(database, at);
  const publish = (): never => assert.fail("the connection is closed");
  const tables = openTestTables(database, at, { servers: { ...makeOnlyServer(), isShared: true, publish } });
  const table = await tables.load(gameId);
  const command = { type: "resign", id: newId(), player: idOf(white) } as const;
  const resigned = new Promise<Answer>((answer) =>
    table?.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer }),
  );
  expect(await resigned).toMatchObject({ code: "too_early_to_resign" });
  expect(table?.isBusy).toBe(false);
  await tables.close();
});

test("answers a caller that holds a table whose log is broken", async () => {
  const { gameId, white } = await startGame(database, at);
  const setHash = (hash: string) =>
    database.pool.query(`begin; set local session_replication_role = replica;
      update game_log set hash = ${hash} where game_id = '${gameId}' and version = 2; commit`);
  const tables = openTestTables(database, at, {});
  const table = await tables.load(gameId);
  if (table === null) throw new Error("no such game");
  await setHash("reverse(hash)");
  table.reread();
  await vi.waitFor(() => expect(tables.find(gameId)).toBeNull());
  const command = { type: "cancel", id: newId(), player: idOf(white) } as const;
  const send = (): Promise<Answer> =>
    new Promise((answer) => table.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer }));
  expect(await send()).toEqual({ type: "unknown" });
  await table.resync();
  await setHash("reverse(hash)");
  await tables.close();
});

test("appends nothing to a log whose newest record was lost in a failover", async () => {
  const game = await startGame(database, at);
  const { gameId, white, black } = game;
  const watcher = makeWatcher(white);
  await at.arena.watch(watcher, gameId, 0);
  await playOpening(at, game);
  await database.pool.query(`begin; set local session_replication_role = replica;
    delete from game_log where game_id = '${gameId}' and version = 6;
    update games set version = 5, move_count = 3, current_turn = 4 where id = '${gameId}'; commit`);
  const sent = newId();
  // Unknown, or refused if the sweeper has compared the table with its log just before.
  expect(await move(at, white, gameId, 6, [E3, F4], sent)).not.toMatchObject({ type: "done" });
  await vi.waitFor(() => expect(watcher.frames.at(-1)).toMatchObject({ type: "table", since: 0, version: 5 }));
  expect(await move(at, white, gameId, 6, [E3, F4], sent)).toMatchObject({ code: "stale_version" });
  expect(await move(at, black, gameId, 5, [F6!, G5!])).toMatchObject({ type: "done", version: 6 });
  expect(await move(at, white, gameId, 6, [E3, F4])).toMatchObject({ type: "done", version: 7 });
  at.arena.dropWatcher(watcher, gameId);
  expect(await findBroken(database)).toBeNull();
});

test("sends the new balances although the database failed between the records and the wallets", async () => {
  const { gameId, white } = await startGame(database, at);
  const tables = openTestTables(database, at, {});
  const table = await tables.load(gameId);
  await at.arena.cancel(idOf(white), gameId, newId());
  at.playerFrames.length = 0;
  await sql`alter table ledger_accounts rename to ledger_accounts_away`.execute(database.kysely);
  await table?.resync();
  await sql`alter table ledger_accounts_away rename to ledger_accounts`.execute(database.kysely);
  const readSent = () => at.playerFrames.filter(({ frame }) => frame.type === "wallet").map(({ playerId }) => playerId);
  await vi.waitFor(async () => {
    at.time.advance(1_000);
    await table?.resync();
    expect(new Set(readSent())).toEqual(new Set(table?.state.players));
  });
  await tables.close();
});

test("credits the outage of a lost server before the flag of a player who is already back", async () => {
  const lostId = randomUUID();
  const lost = new Set<string>([lostId]);
  const servers = {
    ...makeOnlyServer(),
    isShared: true,
    isHeldByLost: () => lost.size > 0,
    markOutageKnown: (serverId: string) => void lost.delete(serverId),
  };
  const here = await openTestArena(database, at.time.now(), [], 0, undefined, servers);
  const game = await startGame(database, here);
  const { gameId, white, black } = game;
  await playOpening(here, game);
  const watchers = [makeWatcher(white), makeWatcher(black)];
  for (const watcher of watchers) await here.arena.watch(watcher, gameId, 0);
  const loadStatus = async () => (await here.arena.loadMatch(gameId, null))?.status;
  const isFlagged = async () => (await loadStatus()) !== "active";
  await here.advance(298_000);
  const fromAt = here.time.now();
  await here.advance(2_000);
  expect(await isFlagged()).toBe(false);
  await sql`
    insert into outages (from_at, to_at, cause, server_id, served)
    values (${toTimestamp(fromAt)}, ${toTimestamp(here.time.now())}, 'restart', ${lostId}::uuid,
            ${[toSeatKey(gameId, white.id)]}::text[])`.execute(database.kysely);
  await here.arena.catchUp();
  await here.advance(500);
  expect(await isFlagged()).toBe(false);
  expect(watchers[0]!.frames.at(-1)).toMatchObject({
    record: { events: [{ type: "clock_credited", bonusMs: 10_000 }] },
  });
  await here.advance(12_000);
  expect(await isFlagged()).toBe(true);
  await here.close();
});

test("does not charge the time without a server to a move that comes before its outage is known", async () => {
  const here = await openTestArena(database, at.time.now(), [], 0, undefined, {
    ...makeOnlyServer(),
    isShared: true,
    findLossMs: (key) => (key.includes(lost.id) ? here.time.now() - lost.at : null),
  });
  const lost = { id: "", at: here.time.now() };
  const game = await startGame(database, here);
  const { gameId, white, black } = game;
  await playOpening(here, game);
  await here.advance(2_000);
  lost.at = here.time.now();
  lost.id = white.id;
  await here.advance(1_500);
  for (const player of [white, black]) await here.arena.watch(makeWatcher(player), gameId, 0);
  await here.advance(3_000);
  expect(await move(here, white, gameId, 6, [C3!, 33])).toMatchObject({ type: "done" });
  expect(await loadNewestEvents(gameId)).toMatchObject([{ type: "moved", chargedMs: 5_000 }]);
  await here.close();
});

// [SERVERS-51 §- r16] A move that a page sends together with `watch` after its server was lost is not charged for the
// time without a server, whether or not someone watches the table at the new one.
test.each([
  { thoughtMs: 298_000, how: "while the opponent watches there" },
  { thoughtMs: 2_000, how: "while the opponent watches there" },
  { thoughtMs: 2_000, how: "whose table no one watches there" },
])(
  "charges no outage to a move sent together with `watch` to another server, $how, after $thoughtMs ms [SERVERS-51]",
  async ({ thoughtMs, how }) => {
    const lost = { id: "-", at: at.time.now() };
    const here = await openTestArena(database, at.time.now(), [], 0, undefined, {
      ...makeOnlyServer(),
      isShared: true,
      findLossMs: (key) => (key.includes(lost.id) ? here.time.now() - lost.at : null),
      isHeldByLost: (key) => key.includes(lost.id),
    });
    const game = await startGame(database, here);
    const { gameId, white, black } = game;
    await playOpening(here, game);
    const isWatched = how === "while the opponent watches there";
    if (isWatched) await here.arena.watch(makeWatcher(black), gameId, 0);
    await here.advance(thoughtMs);
    lost.at = here.time.now();
    lost.id = white.id;
    await here.advance(2_500);
    const watched = here.arena.watch(makeWatcher(white), gameId, 6, 0);
    const moved = move(here, white, gameId, 6, [C3!, 33]);
    // A table that no one watches reads its log first, which takes a while.
    if (!isWatched) here.time.advance(100);
    expect(await moved).toMatchObject({ type: "done" });
    await watched;
    expect(await loadNewestEvents(gameId)).toMatchObject([{ type: "moved", chargedMs: thoughtMs }]);
    await here.close();
  },
);

test("waits with a move until it is known whether the mover's earlier server was lost", async () => {
  const lost = { id: "", at: at.time.now(), isKnown: false };
  const here = await openTestArena(database, at.time.now(), [], 0, undefined, {
    ...makeOnlyServer(),
    isShared: true,
    findLossMs: (key) => (lost.isKnown && key.includes(lost.id) ? here.time.now() - lost.at : null),
    isInDoubt: (key, silentMs) => !lost.isKnown && key.includes(lost.id) && here.time.now() - lost.at >= silentMs,
  });
  const game = await startGame(database, here);
  const { gameId, white, black } = game;
  await playOpening(here, game);
  await here.advance(2_000);
  lost.at = here.time.now();
  lost.id = white.id;
  await here.advance(300);
  for (const player of [white, black]) await here.arena.watch(makeWatcher(player), gameId, 0);
  await here.advance(100);
  const moved = move(here, white, gameId, 6, [C3!, 33]);
  here.time.advance(700);
  lost.isKnown = true;
  expect(await moved).toMatchObject({ type: "done" });
  expect(await loadNewestEvents(gameId)).toMatchObject([{ type: "moved", chargedMs: 2_100 }]);
  await here.close();
});

test.each([
  { how: "once", type: "expire", answer: refused("unavailable") },
  { how: "again from its beginning", type: "resign", answer: { type: "unknown" } },
] as const)(
  "counts a watching player as back if another server's credit is found by reading the log $how [CLOCK-09]",
  async ({ type, answer }) => {
    const other = await openTestArena(database, at.time.now());
    const game = await startGame(database, other);
    const { gameId, white, black } = game;
    await playOpening(other, game);
    let hasCredited = false;
    class LostCommit extends LifecycleCommit {
      override async commit(): Promise<never> {
        if (!hasCredited) other.lose(61_000, "database");
        hasCredited = true;
        await other.advance(0);
        throw new Error("Connection terminated unexpectedly");
      }
    }
    const here = openTestTables(database, other, {
      lifecycle: new LostCommit(database, openMetrics({ process: false })),
      servers: { ...makeOnlyServer(), isShared: true },
    });
    await here.watch(makeWatcher(white), gameId, 0);
    const table = await here.load(gameId);
    const command =
      type === "resign"
        ? ({ type, id: newId(), player: black.id } as const)
        : ({ type, delivery: NO_DELIVERY } as const);
    const answered = new Promise<Answer>((resolve) =>
      table?.enqueue({ command, at: addMs(other.time.now(), 300_000), lostMs: 0, lagMs: 0, answer: resolve }),
    );
    expect(await answered).toEqual(answer);
    await vi.waitFor(() => expect(table?.isStopped || table?.isBusy).toBe(false), { timeout: 5_000 });
    expect(table?.state.clock.awaited).toEqual([2]);
    await here.close();
    await other.close();
  },
);
