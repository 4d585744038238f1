import { MINUTE_MS } from "@holo/kernel/instant.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { expect, test, vi } from "vitest";
import {
  joinAcross,
  type LinkedServers,
  loadCredits,
  loadEvents,
  openLinkedForEach,
  type SharedGame,
  startAcross,
  versionsOf,
} from "../testing/linked-servers.ts";
import { C3, createGame, D4, F6, G5, resignGame } from "../testing/test-game.ts";
import { addPlayer, balanceOf, codeOf, gameOf, makeWatcher, move, newId, type TestPlay } from "../testing/test-play.ts";

/** A game that one server owns, with players and spectators at others. */
let on: LinkedServers;
let first: TestPlay;
let second: TestPlay;

openLinkedForEach((linked) => {
  on = linked;
  ({ first, second } = linked);
});

const [B4, H4] = [33, 39];

/** The chat follows each table that is sent again. */
const newestOf = ({ frames }: ReturnType<typeof makeWatcher>) => frames.findLast(({ type }) => type !== "chat");

async function statusOf({ gameId }: Pick<SharedGame, "gameId">): Promise<string | undefined> {
  return (await first.games.loadMatch(gameId, null))?.status;
}

test("shows the creator of a waiting game, at once, that someone joined at another server", async () => {
  const { gameId, black, atFirst } = await joinAcross(on);
  const table = atFirst.frames.findLast(({ type }) => type === "table");
  expect(table).toMatchObject({ version: 2, players: [{}, { username: black.username }] });
  expect(first.playerFrames.findLast(({ frame }) => frame.type === "open_game")).toMatchObject({
    frame: { openGame: { gameId, status: "active" } },
  });
});

test("shows it within seconds if the message about it was lost", async () => {
  const [white, black] = [await addPlayer(on.database, first), await addPlayer(on.database, second)];
  const gameId = gameOf(await createGame(first, white));
  const creator = makeWatcher(white);
  await first.games.watch(creator, gameId, 0);
  on.network.isLosing = true;
  expect(codeOf(await second.matches.join(black, gameId, newId()))).toBe("done");
  on.network.isLosing = false;
  await on.advance(5_050);
  expect(newestOf(creator)).toMatchObject({ type: "table", version: 2 });
  expect(codeOf(await move(first, white, gameId, 2, [C3, D4]))).toBe("done");
});

test("shows each record once, in order, to players and spectators at both servers", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  const spectators = [makeWatcher(null), makeWatcher(null)] as const;
  for (const [index, server] of [first, second].entries()) await server.games.watch(spectators[index]!, gameId, 0);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(codeOf(await move(second, black, gameId, 7, [G5, H4]))).toBe("done");
  await on.advance(0);
  for (const watcher of [atFirst, atSecond]) expect(versionsOf(watcher)).toEqual([3, 4, 5, 6, 7, 8]);
  for (const watcher of spectators) expect(versionsOf(watcher)).toEqual([7, 8]);
});

test("carries offers, answers, chat and the end to the owner and back", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  const chatting = makeWatcher(white);
  await first.games.watch(chatting, gameId, 0, 0);
  const said = { gameId, commandId: newId(), text: "well played" };
  expect(await first.games.chat({ ...said, player: white.id })).toMatchObject({ type: "done", version: 1 });
  expect(await first.games.chat({ ...said, player: white.id })).toMatchObject({ type: "done", isRepeat: true });
  await on.advance(0);
  for (const watcher of [chatting, atSecond])
    expect(watcher.frames.at(-1)).toMatchObject({ type: "chat", messages: [{ text: said.text, seat: 1 }] });
  expect(codeOf(await first.games.offer("offer_draw", white.id, gameId, newId()))).toBe("done");
  expect(codeOf(await second.games.offer("offer_draw", black.id, gameId, newId()))).toBe("done");
  await on.advance(0);
  for (const watcher of [atFirst, atSecond])
    expect(newestOf(watcher)).toMatchObject({ record: { events: [{}, { type: "ended" }] } });
});

test("tells a player with too few coins how many they have, whose server does not own the game", async () => {
  const game = await startAcross(on, 65);
  const { gameId, white, black } = game;
  await resignGame(first, game);
  const offered = await second.games.offer("offer_rematch", black.id, gameId, newId());
  const accepted = await first.games.answerOffer({
    type: "answer_rematch",
    player: white.id,
    commandId: newId(),
    gameId,
    offer: offered.type === "done" ? offered.version : 0,
    answer: "accept",
  });
  const have = await balanceOf(on.database, white);
  expect(accepted).toMatchObject({ code: "insufficient_to_join", figures: { have } });
});

test("shows the opponent at another server as away and back", async () => {
  const { gameId, white, atFirst, atSecond } = await startAcross(on);
  first.games.dropWatcher(atFirst, gameId);
  await on.advance(0);
  expect(newestOf(atSecond)).toMatchObject({ type: "presence", seat: 1, sinceAt: second.time.now() });
  await first.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(0);
  expect(newestOf(atSecond)).toMatchObject({ type: "presence", seat: 1, sinceAt: null });
});

test("ends a rematch offer of a player who sits down at another server", async () => {
  const game = await startAcross(on);
  const { gameId, white, black, atSecond } = game;
  await resignGame(first, game);
  expect(codeOf(await second.games.offer("offer_rematch", black.id, gameId, newId()))).toBe("done");
  expect(codeOf(await createGame(first, white, "chess"))).toBe("done");
  await on.advance(0);
  expect(newestOf(atSecond)).toMatchObject({
    record: { events: [{ type: "rematch_lapsed", reason: "other_game", seat: 1 }] },
  });
});

test("either joins or cancels a game when each is asked at another server at once", async () => {
  for (let round = 0; round < 4; round += 1) {
    const [white, black] = [await addPlayer(on.database, first), await addPlayer(on.database, second)];
    const gameId = gameOf(await createGame(first, white));
    const join = () => second.matches.join(black, gameId, newId());
    const cancel = () => first.games.cancel(white.id, gameId, newId(), true);
    const asked = round % 2 === 0 ? [join(), cancel()] : [cancel(), join()];
    const codes = (await Promise.all(asked)).map(codeOf).sort();
    expect([
      ["already_started", "done"],
      ["done", "match_gone"],
    ]).toContainEqual(codes);
    const isActive = (await first.games.loadMatch(gameId, null))?.status === "active";
    expect(isActive).toBe(codes.includes("already_started"));
    if (isActive) await second.games.cancel(black.id, gameId, newId());
    for (const player of [white, black]) expect(await balanceOf(on.database, player)).toBe(wholeCoins(500));
  }
});

test("cancels a game once that no one joined, although both servers have it in memory", async () => {
  const white = await addPlayer(on.database, first);
  const gameId = gameOf(await createGame(first, white));
  for (const { games } of [first, second]) await games.watch(makeWatcher(white), gameId, 0);
  await on.advance(30 * MINUTE_MS + 50);
  expect(await balanceOf(on.database, white)).toBe(wholeCoins(500));
  for (const at of [first, second])
    expect(at.playerFrames.filter(({ frame }) => frame.type === "notice")).toHaveLength(1);
});

// [SERVERS-39 §-] A table's records are sent once to each server on which a player or spectator watches it, however
// many do, and to no other.
test("sends a table's records once to a server that follows it, and to no other [SERVERS-39]", async () => {
  const third = await on.addThird();
  const { gameId, white, black } = await startAcross(on);
  const spectators = [makeWatcher(null), makeWatcher(null)];
  for (const spectator of spectators) await third.games.watch(spectator, gameId, 0);
  const countSent = (version: number): number =>
    on.network.published.filter(({ subject, text }) => {
      return subject.endsWith(third.own.id) && text.includes(`\\"record\\":{\\"version\\":${version},`);
    }).length;
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  await on.advance(0);
  expect(countSent(7)).toBe(1);
  for (const spectator of spectators) expect(versionsOf(spectator)).toEqual([7]);
  for (const spectator of spectators) third.games.unwatch(spectator, gameId);
  await on.advance(0);
  expect(codeOf(await move(second, black, gameId, 7, [G5, H4]))).toBe("done");
  await on.advance(0);
  expect(countSent(8)).toBe(0);
});

// [SERVERS-40 §- r18] A copy of a stored command that reaches another server is answered like the first one, also
// after the deadline. Offers that cross do so at any server.
test("answers a copy that reaches another server after the deadline like the first one [SERVERS-40]", async () => {
  const { gameId, white } = await startAcross(on);
  const id = newId();
  expect(await move(first, white, gameId, 6, [C3, B4], id)).toMatchObject({ type: "done", version: 7 });
  await on.advance(310_000);
  expect(await move(second, white, gameId, 6, [C3, B4], id)).toMatchObject({ version: 7, isRepeat: true });
  expect(await statusOf({ gameId })).toBe("completed");
});

test("repairs within a second what was lost between two servers, also the last record [SERVERS-40]", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  const id = newId();
  on.network.isLosing = true;
  const unanswered = move(first, white, gameId, 6, [C3, B4], id);
  await on.advance(0);
  on.network.isLosing = false;
  await on.advance(500);
  await on.advance(500);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4], id))).toBe("done");
  on.network.isLosing = true;
  expect(codeOf(await move(second, black, gameId, 7, [G5, H4]))).toBe("done");
  await on.advance(0);
  on.network.isLosing = false;
  expect(versionsOf(atFirst).at(-1)).toBe(7);
  await on.advance(500);
  await on.advance(500);
  expect(newestOf(atFirst)).toMatchObject({ type: "table", version: 8 });
  expect(versionsOf(atSecond)).toEqual([3, 4, 5, 6, 7, 8]);
  for (let waited = 0; waited < 8; waited += 1) await on.advance(500);
  await unanswered;
});

// [SERVERS-33 §- r16,30] A move that reaches another server than the position is charged for the whole thought,
// whether or not its player watches there: reconnecting never lowers a charge.
test.each(["without watching there", "after watching there again"])(
  "charges a thought at one server to a move at another, %s [SERVERS-33]",
  async (how) => {
    const { gameId, white, atFirst } = await startAcross(on);
    const third = await on.addThird();
    await on.advance(19_000);
    first.games.dropWatcher(atFirst, gameId);
    if (how !== "without watching there") await third.games.watch(makeWatcher(white), gameId, 6);
    await on.advance(1_000);
    expect(codeOf(await move(third, white, gameId, 6, [C3, B4]))).toBe("done");
    expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 20_000 });
  },
);

test("charges no one for the way between two servers, nor for a copy that had to be sent [SERVERS-33]", async () => {
  const { gameId, white } = await startAcross(on);
  const id = newId();
  await on.advance(2_000);
  on.network.isLosing = true;
  const lost = move(first, white, gameId, 6, [C3, B4], id);
  for (let waited = 0; waited < 5; waited += 1) await on.advance(500);
  on.network.isLosing = false;
  await on.advance(500);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4], id))).toBe("done");
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({
    type: "moved",
    remainingMs: [297_000, 299_000],
  });
  for (let waited = 0; waited < 4; waited += 1) await on.advance(500);
  expect(codeOf(await lost)).toBe("done");
});

test("sends the page of a player to another server if it does not reach the owner for three seconds", async () => {
  const { atFirst } = await startAcross(on);
  const reconnect = vi.spyOn(atFirst, "reconnect");
  on.network.isLosing = true;
  for (let waited = 0; waited < 6; waited += 1) await on.advance(500);
  expect(reconnect).not.toHaveBeenCalled();
  for (let waited = 0; waited < 2; waited += 1) await on.advance(500);
  expect(reconnect).toHaveBeenCalledOnce();
});

test("hands its tables over at a release: play goes on at the other server, without a bonus", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  const reconnect = vi.spyOn(atSecond, "reconnect");
  await second.games.handOver(new Set([white.id, black.id]));
  await on.advance(0);
  expect(reconnect).toHaveBeenCalledOnce();
  second.games.dropWatcher(atSecond, gameId);
  const again = makeWatcher(black);
  await first.games.watch(again, gameId, 6);
  await on.advance(1_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(codeOf(await move(first, black, gameId, 7, [G5, H4]))).toBe("done");
  for (const watcher of [atFirst, again]) expect(newestOf(watcher)).toMatchObject({ record: { version: 8 } });
  expect(await loadCredits(on.database, gameId)).toEqual([]);
});

// [SERVERS-55 §-] Once another server may take a table over, the one before appends nothing to it.
test("appends nothing to a table whose owner is being changed [SERVERS-55]", async () => {
  const { gameId, white, black } = await startAcross(on);
  const other = await startAcross(on);
  const client = await on.database.pool.connect();
  await client.query("begin");
  await client.query("select from games where id = $1 for no key update", [gameId]);
  const handedOver = second.games.handOver(new Set([white.id, black.id]));
  const id = newId();
  const late = move(second, white, gameId, 6, [C3, B4], id);
  // One that follows it at the same server is stored.
  expect(codeOf(await move(second, other.white, other.gameId, 6, [C3, B4]))).toBe("done");
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({ type: "moved", path: [F6, G5] });
  await client.query("rollback");
  client.release();
  await handedOver;
  await late;
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4], id))).toBe("done");
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({ type: "moved", path: [C3, B4] });
});

test("staff at any server cancel a game that another owns; both players see it", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  let asked = 0;
  const cancelled = await first.games.cancelByStaff(gameId, "The board froze", async () => {
    asked += 1;
    return null;
  });
  expect(cancelled).toMatchObject({ type: "done", status: "ended" });
  expect(asked).toBe(1);
  await on.advance(0);
  for (const watcher of [atFirst, atSecond])
    expect(newestOf(watcher)).toMatchObject({ record: { events: [{ type: "cancelled", reason: "staff" }] } });
  const told = first.playerFrames.filter(({ frame }) => frame.type === "notice").map(({ playerId }) => playerId);
  expect(told).toEqual([white.id, black.id]);
});

test("starts a rematch that both agree to at the server of the game, and shows it at both", async () => {
  const game = await startAcross(on);
  const { gameId, white, black } = game;
  await resignGame(first, game);
  expect(codeOf(await first.games.offer("offer_rematch", white.id, gameId, newId()))).toBe("done");
  expect(codeOf(await second.games.offer("offer_rematch", black.id, gameId, newId()))).toBe("done");
  await on.advance(0);
  const rematch = await first.games.loadOpenGame(white.id);
  for (const at of [first, second])
    expect(at.playerFrames.findLast(({ frame }) => frame.type === "open_game")).toMatchObject({
      frame: { openGame: { gameId: rematch?.gameId, status: "active" } },
    });
  // The seats are changed over.
  expect(codeOf(await move(second, black, rematch!.gameId, 2, [C3, D4]))).toBe("done");
});
