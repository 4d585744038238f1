import { type CommandId, type GameId, toGameId } from "@holo/kernel/ids.ts";
import { addMs, HOUR_MS } from "@holo/kernel/instant.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { ChatMessageView, ServerFrame } from "@holo/protocol/socket/server-frames.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import { chatInvariants } from "../audit/audit.ts";
import type { Answer } from "../game.ts";
import { openPlayForEach } from "../testing/play-hooks.ts";
import { createGame, playOpening, resignGame, startGame } from "../testing/test-game.ts";
import {
  addPlayer,
  codeOf,
  findBroken,
  gameOf,
  makeWatcher,
  newId,
  openTestPlay,
  openTestServers,
  type TestPlay,
  waitUntilIdle,
} from "../testing/test-play.ts";

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

function send(
  player: PlayerView,
  gameId: GameId,
  text: string,
  commandId: CommandId = newId(),
  node = at,
): Promise<Answer> {
  return node.games.chat({ player: player.id, gameId, commandId, text });
}

const messagesSentTo = ({ frames }: { readonly frames: readonly ServerFrame[] }): readonly ChatMessageView[] =>
  frames.flatMap((frame) => (frame.type === "chat" ? frame.messages : []));
const textsOf = (messages: readonly ChatMessageView[]): readonly string[] => messages.map(({ text }) => text);

async function countMessages(gameId: GameId): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from chat_messages where game_id = ${gameId}`.execute(database.kysely);
  return rows[0]?.count ?? 0;
}

describe("a message", () => {
  test("reaches both players' connections once, numbered, without links and phone numbers, and no other watcher [VALID-42]", async () => {
    const { white, black, gameId } = await startGame(database, at);
    const stranger = await addPlayer(database, at);
    const players = [makeWatcher(white), makeWatcher(white), makeWatcher(black)];
    const others = [makeWatcher(stranger), makeWatcher(null)];
    for (const watcher of [...players, ...others]) await at.games.watch(watcher, gameId, 0, 0);
    expect(await send(white, gameId, "how far, call 0803 123 4567 or www.coins.example/x")).toMatchObject({
      type: "done",
      gameId,
      version: 1,
      status: "active",
    });
    expect(await send(black, gameId, " I dey\n  o ")).toMatchObject({ type: "done", version: 2 });
    const sent = [
      { number: 1, seat: 1, text: "how far, call *** or ***", at: at.time.now() },
      { number: 2, seat: 2, text: "I dey o", at: at.time.now() },
    ];
    for (const player of players) expect(messagesSentTo(player)).toEqual(sent);
    for (const other of others) expect(other.frames.filter(({ type }) => type === "chat")).toEqual([]);
  });

  test("does not reach a connection at another table", async () => {
    const { white, black, gameId } = await startGame(database, at);
    const watcher = makeWatcher(black);
    await at.games.watch(watcher, gameId, 0, 0);
    await send(white, gameId, "one");
    at.games.unwatch(watcher, gameId);
    await send(white, gameId, "two");
    expect(textsOf(messagesSentTo(watcher))).toEqual(["one"]);
  });

  test("is saved once when sent again; other content under its id is refused", async () => {
    const { white, black, gameId } = await startGame(database, at);
    const { white: third, gameId: elsewhere } = await startGame(database, at);
    const watcher = makeWatcher(black);
    await at.games.watch(watcher, gameId, 0, 0);
    const id = newId();
    const [first, second] = await Promise.all([
      send(white, gameId, "e don do", id),
      send(white, gameId, "e don do", id),
    ]);
    expect([first, second]).toMatchObject([
      { type: "done", version: 1, isRepeat: false },
      { type: "done", version: 1, isRepeat: true },
    ]);
    expect(await send(white, gameId, "e never do", id)).toMatchObject({ code: "command_id_reused" });
    expect(await send(white, elsewhere, "e don do", id)).toMatchObject({ code: "not_a_player" });
    // The ids of different players are not compared.
    expect(await send(third, elsewhere, "e don do", id)).toMatchObject({ type: "done", version: 1 });
    expect(textsOf(messagesSentTo(watcher))).toEqual(["e don do"]);
  });

  test("gets its first answer again after the end and within a flood", async () => {
    const { white, gameId } = await startGame(database, at);
    const id = newId();
    await send(white, gameId, "first", id);
    for (let count = 0; count < 10; count += 1) {
      expect(await send(white, gameId, "first", id)).toMatchObject({ type: "done", version: 1, isRepeat: true });
    }
    for (let count = 2; count <= 5; count += 1)
      expect(await send(white, gameId, "more")).toMatchObject({ version: count });
    expect(await send(white, gameId, "more")).toMatchObject({ code: "chat_flood" });
    expect(await send(white, gameId, "first", id)).toMatchObject({ type: "done", version: 1, isRepeat: true });
    await at.games.cancel(white.id, gameId, newId());
    at.time.advance(3_600_001);
    expect(await send(white, gameId, "first", id)).toMatchObject({ type: "done", version: 1, isRepeat: true });
    expect(await countMessages(gameId)).toBe(5);
  });

  test("survives a restart, and numbers continue", async () => {
    const { white, black, gameId } = await startGame(database, at);
    const id = newId();
    await send(white, gameId, "before", id);
    const leftAt = at.time.now();
    await at.close();
    at = await openTestPlay(database, leftAt);
    expect(await send(white, gameId, "before", id)).toMatchObject({ type: "done", version: 1, isRepeat: true });
    expect(await send(black, gameId, "after")).toMatchObject({ type: "done", version: 2 });
    const watcher = makeWatcher(white);
    await at.games.watch(watcher, gameId, 0, 0);
    await waitUntilIdle(database);
    expect(textsOf(messagesSentTo(watcher))).toEqual(["before", "after"]);
  });

  test("dates no message before the game it belongs to, after a restart with an earlier clock", async () => {
    const { white, gameId } = await startGame(database, at);
    const leftAt = at.time.now();
    await at.close();
    at = await openTestPlay(database, addMs(leftAt, -HOUR_MS));
    expect(await send(white, gameId, "a clock was set back")).toMatchObject({ type: "done", version: 1 });
    expect(await findBroken(database)).toBeNull();
  });

  test("cannot be changed or deleted", async () => {
    const { white, gameId } = await startGame(database, at);
    await send(white, gameId, "it stands");
    for (const change of [sql`update chat_messages set message = 'x'`, sql`delete from chat_messages`]) {
      await expect(change.execute(database.kysely)).rejects.toThrow("append only");
    }
  });
});

describe("a returning player", () => {
  test("receives the missed messages after the table and before newer ones", async () => {
    const { white, black, gameId } = await startGame(database, at);
    for (const text of ["one", "two", "three"]) await send(white, gameId, text);
    const watcher = makeWatcher(black);
    // Messages sent during the read come after it, once.
    const watching = at.games.watch(watcher, gameId, 0, 1);
    await Promise.all([watching, send(white, gameId, "four"), send(black, gameId, "five")]);
    await waitUntilIdle(database);
    expect(messagesSentTo(watcher).map(({ number }) => number)).toEqual([2, 3, 4, 5]);
    expect(watcher.frames.map(({ type }) => type).slice(0, 3)).toEqual(["presence", "table", "chat"]);
  });

  test("receives at most the newest two hundred, and an empty answer without new ones", async () => {
    const { white, black, gameId } = await startGame(database, at);
    for (let count = 0; count < 205; count += 1) {
      at.time.advance(2_000);
      await send(white, gameId, `${count}`);
    }
    const [all, none, silent] = [makeWatcher(black), makeWatcher(black), makeWatcher(black)];
    await at.games.watch(all, gameId, 0, 0);
    await at.games.watch(none, gameId, 0, 205);
    await at.games.watch(silent, gameId, 0);
    await waitUntilIdle(database);
    await expect.poll(() => none.frames.at(-1)).toEqual({ type: "chat", gameId, messages: [], isRest: true });
    expect(messagesSentTo(all).map(({ number }) => number)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 6),
    );
    expect(silent.frames.filter(({ type }) => type === "chat")).toEqual([]);
  });

  test("receives the missed messages once the database is back", async () => {
    const { white, black, gameId } = await startGame(database, at);
    await send(white, gameId, "one");
    await sql`alter table chat_messages rename to chat_messages_away`.execute(database.kysely);
    const watcher = makeWatcher(black);
    expect(await at.games.watch(watcher, gameId, 0, 0)).not.toBeNull();
    await waitUntilIdle(database);
    await sql`alter table chat_messages_away rename to chat_messages`.execute(database.kysely);
    await send(white, gameId, "two");
    await expect.poll(() => textsOf(messagesSentTo(watcher))).toEqual(["one", "two"]);
  });
});

describe("is refused", () => {
  test("for strangers, a player alone, and an unknown game", async () => {
    const { white, gameId } = await startGame(database, at);
    const stranger = await addPlayer(database, at);
    const alone = gameOf(await createGame(at, stranger));
    expect(await send(stranger, gameId, "hello")).toMatchObject({ code: "not_a_player" });
    expect(await send(white, alone, "hello")).toMatchObject({ code: "not_a_player" });
    expect(await send(stranger, alone, "hello")).toMatchObject({ code: "not_started" });
    expect(await send(white, toGameId(newId()), "hello")).toMatchObject({ code: "unknown_game" });
    await at.games.cancel(stranger.id, alone, newId());
    expect(await send(stranger, alone, "hello")).toMatchObject({ code: "game_over" });
    expect(await countMessages(gameId)).toBe(0);
  });

  test("an hour after the end of a game, not earlier", async () => {
    const game = await startGame(database, at);
    const { black, gameId } = game;
    await playOpening(at, game);
    await resignGame(at, game);
    at.time.advance(3_600_000);
    expect(await send(black, gameId, "well played")).toMatchObject({ type: "done", version: 1, status: "ended" });
    at.time.advance(1);
    expect(await send(black, gameId, "still there?")).toMatchObject({ code: "game_over" });
  });

  // [ENT-12 §3] A chat message has at most 200 characters, its author and its time.
  test.each([
    ["nothing", "", "chat_empty"],
    ["blanks", " \n\t\u200b\u2800 ", "chat_empty"],
    ["201 characters", "a".repeat(201), "chat_too_long"],
    ["abuse", "you be m\u200bumu", "chat_blocked"],
  ])("%s [ENT-12]", async (_name, text, code) => {
    const { white, gameId } = await startGame(database, at);
    expect(await send(white, gameId, text)).toMatchObject({ type: "refused", code });
    expect(await countMessages(gameId)).toBe(0);
  });

  test("beyond five at once and one more every two seconds; abuse counts", async () => {
    const { white, black, gameId } = await startGame(database, at);
    for (let count = 0; count < 4; count += 1) await send(white, gameId, "olodo");
    expect(await send(white, gameId, "sorry")).toMatchObject({ type: "done" });
    expect(await send(white, gameId, "sorry")).toMatchObject({ code: "chat_flood" });
    expect(await send(black, gameId, "no vex")).toMatchObject({ type: "done" });
    at.time.advance(2_000);
    expect(await send(white, gameId, "sorry")).toMatchObject({ type: "done" });
    expect(await send(white, gameId, "sorry")).toMatchObject({ code: "chat_flood" });
  });

  test("for a player's five hundred and first message in a game", async () => {
    const { white, black, gameId } = await startGame(database, at);
    await sql`
      insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
      select ${gameId}, n, ${white.id}, ${gameId.slice(0, 18)} || n, 'again', ${at.time.now()}
      from generate_series(1, 500) n`.execute(database.kysely);
    expect(await send(white, gameId, "again")).toMatchObject({ code: "chat_flood" });
    expect(await send(black, gameId, "enough")).toMatchObject({ type: "done", version: 501 });
  });

  test("for a database fault; the same id is saved once it works again", async () => {
    const { white, gameId } = await startGame(database, at);
    const id = newId();
    await sql`alter table chat_messages rename to chat_messages_away`.execute(database.kysely);
    expect(await send(white, gameId, "hello", id)).toMatchObject({ code: "something_went_wrong" });
    await sql`alter table chat_messages_away rename to chat_messages`.execute(database.kysely);
    expect(await send(white, gameId, "hello", id)).toMatchObject({ type: "done", version: 1 });
  });
});

test("drops a finished game after a message", async () => {
  const game = await startGame(database, at);
  await playOpening(at, game);
  await resignGame(at, game);
  const before = await at.countTables();
  expect(await send(game.black, game.gameId, "well played")).toMatchObject({ type: "done", status: "ended" });
  expect(await at.countTables()).toBe(before);
});

test("numbers concurrent messages of two servers without a gap", async () => {
  const servers = await openTestServers(database);
  const { white, black, gameId } = await startGame(database, servers[0]);
  const all = servers.flatMap((node, server) =>
    [white, black].flatMap((player) =>
      Array.from({ length: 2 + server }, (_, index) => send(player, gameId, `${index}`, newId(), node)),
    ),
  );
  const numbers = (await Promise.all(all)).map((answer) => (answer.type === "done" ? answer.version : codeOf(answer)));
  expect(numbers.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  for (const server of servers) await server.close();
});

test("keeps five of a player's twenty concurrent messages, in order", async () => {
  const { white, black, gameId } = await startGame(database, at);
  const watcher = makeWatcher(black);
  await at.games.watch(watcher, gameId, 0, 0);
  const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => send(white, gameId, `${index}`)));
  expect(answers.map((answer) => (answer.type === "done" ? answer.version : codeOf(answer)))).toEqual([
    ...[1, 2, 3, 4, 5],
    ...Array.from({ length: 15 }, () => "chat_flood"),
  ]);
  expect(textsOf(messagesSentTo(watcher))).toEqual(["0", "1", "2", "3", "4"]);
});

test("sends a player's message while the opponent's flood waits", async () => {
  const { white, black, gameId } = await startGame(database, at);
  const flood = Array.from({ length: 60 }, (_, index) => send(white, gameId, `${index}`));
  expect(await send(black, gameId, "abeg")).toMatchObject({ type: "done", version: 6 });
  await Promise.all(flood);
});

test("answers every copy of a message that waits for the database with the first one", async () => {
  const { white, gameId } = await startGame(database, at);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const locking = transact(database, async (tx) => {
    await sql`lock table chat_messages in exclusive mode`.execute(tx);
    lock();
    await released;
  });
  await locked;
  const id = newId();
  // A page resends every 2.5 s: so many copies wait after two minutes.
  const copies = Array.from({ length: 51 }, () => send(white, gameId, "still there?", id));
  await untilOneWaits(database);
  release();
  expect(await Promise.all(copies)).toMatchObject(copies.map(() => ({ type: "done", version: 1 })));
  await locking;
});

test("refuses blank, long, unprintable and repeated messages in the database", async () => {
  const { white, gameId } = await startGame(database, at);
  const insert = (message: string, number = 1) =>
    sql`insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
      values (${gameId}, ${number}, ${white.id}, ${newId()}, ${message}, ${at.time.now()})`.execute(database.kysely);
  for (const message of ["", " padded ", "two\nlines", "x".repeat(201)]) {
    await expect(insert(message)).rejects.toThrow("check constraint");
  }
  await insert("x".repeat(200));
  await expect(insert("again")).rejects.toThrow("duplicate key");
  await insert("\u{1f600}".repeat(200), 2);
});

test("audits gaps, strangers, messages without an opponent, and missing triggers", async () => {
  const { white, gameId } = await startGame(database, at);
  const alone = await addPlayer(database, at);
  const waiting = gameOf(await createGame(at, alone));
  const row = (game: GameId, number: number, sender: PlayerView) =>
    sql`insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
      values (${game}, ${number}, ${sender.id}, ${newId()}, 'tampered', ${at.time.now()})`;
  const tampered = [
    [row(gameId, 2, white), /numbered/],
    [row(gameId, 1, alone), /is by a player/],
    [row(waiting, 1, alone), /after both players joined/],
    [sql`drop trigger chat_messages_append_only on chat_messages`, /triggers protect/],
  ] as const;
  for (const [statement, name] of tampered) {
    const tx = await database.kysely.startTransaction().execute();
    await statement.execute(tx);
    const found: string[] = [];
    for (const invariant of chatInvariants) if ((await invariant.check(tx)) !== null) found.push(invariant.name);
    await tx.rollback().execute();
    expect(found).toEqual([expect.stringMatching(name)]);
  }
  await at.games.cancel(alone.id, waiting, newId());
});
