import { expect, test } from "vitest";
import { loadMessages } from "../chat/chat-store.ts";
import { holdClaims } from "../testing/hold-claims.ts";
import {
  endServer,
  type LinkedServers,
  loadCredits,
  loadEvents,
  openLinkedForEach,
  shownBy,
  startAcross,
  versionsOf,
} from "../testing/linked-servers.ts";
import { C3, G5 } from "../testing/test-game.ts";
import { codeOf, makeWatcher, move, newId, type TestPlay } from "../testing/test-play.ts";

/** What players keep, see and are charged for when a server ends that they use. */
let on: LinkedServers;
let first: TestPlay;
let second: TestPlay;

openLinkedForEach((linked) => {
  on = linked;
  ({ first, second } = linked);
});

const [B4, H4] = [33, 39];
const BONUS_MS = 10_000;

/** A sequence is not rolled back with what fails. */
async function failNextCredit({ pool }: LinkedServers["database"]): Promise<void> {
  await pool.query(`create sequence failures;
    create function fail_credit() returns trigger language plpgsql as $$ begin
      if nextval('failures') = 1 then raise exception 'refused' using errcode = '23514'; end if;
      return new;
    end $$;
    create trigger fail_credit before insert on game_log for each row
      when (new.record like '%clock_credited%') execute function fail_credit()`);
}

const lastEventOf = async (gameId: Parameters<typeof loadEvents>[1]) => (await loadEvents(on.database, gameId)).at(-1);

// [SERVERS-54 §-] A server that was taken for dead but runs on stores nothing, shows nothing of what it still decides,
// and refuses nothing. Once it notices, its players go on at the new owner of their game.
test("stores and shows nothing of a server that was ended, which goes on after it notices [SERVERS-54]", async () => {
  const { gameId, white, black, atFirst, atSecond } = await startAcross(on);
  second.own.setLive(false);
  await endServer(second, 0, "stalled");
  await on.advance(0);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  const retryClaims = holdClaims();
  // The old owner has heard neither of that move nor of its end.
  const offered = second.games.offer("offer_draw", black.id, gameId, newId());
  const id = newId();
  expect(await move(second, black, gameId, 7, [G5, H4], id)).toEqual({ type: "unknown" });
  const message = { player: black.id, commandId: newId(), gameId, text: "Hello" };
  expect(await second.games.chat(message)).toEqual({ type: "unknown" });
  await expect.poll(() => second.own.fencedCount).toBeGreaterThan(0);
  expect(versionsOf(atSecond)).toEqual([3, 4, 5, 6]);
  expect(await loadMessages(on.database.kysely, gameId, 0, 1)).toEqual([]);
  await second.own.renew();
  second.own.setLive(true);
  retryClaims();
  expect(codeOf(await offered)).toBe("done");
  expect(codeOf(await second.games.chat(message))).toBe("done");
  expect(codeOf(await move(second, black, gameId, 7, [G5, H4], id))).toBe("done");
  await on.advance(0);
  expect((await loadEvents(on.database, gameId)).slice(-3)).toMatchObject([
    { type: "moved", path: [C3, B4] },
    { type: "draw_offered", seat: 2 },
    { type: "moved", path: [G5, H4] },
  ]);
  expect(versionsOf(atFirst)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  await expect.poll(() => shownBy(atSecond)).toBe(9);
});

test("plays on at one owner when two servers reach for the game of an ended one at once [SERVERS-54]", async () => {
  const third = await on.addThird();
  const { gameId, white, black, atFirst } = await startAcross(on);
  const atThird = makeWatcher(black);
  await third.games.watch(atThird, gameId, 0);
  await endServer(second, 0, "stopped");
  await on.advance(0);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(codeOf(await move(third, black, gameId, 7, [G5, H4]))).toBe("done");
  await on.advance(0);
  for (const watcher of [atFirst, atThird]) {
    expect(shownBy(watcher)).toBe(8);
    expect(versionsOf(watcher).slice(-2)).toEqual([7, 8]);
  }
});

// [SERVERS-34 §- r16,30] The time in which the server of a game, or the one that its mover uses, is dead is no
// player's. It is credited once, with the bonus, and at most ten seconds past the end of that server.
test("credits the player to move whose game's server died, once, with the bonus [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(5_000);
  await endServer(second, 3_000);
  await on.advance(0);
  // White was at the other server and is back at once; two of the five seconds were served.
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000], awaiting: false },
  ]);
  await on.advance(20_000);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(await lastEventOf(gameId)).toMatchObject({ type: "moved", chargedMs: 20_000 });
  expect(await loadCredits(on.database, gameId)).toHaveLength(1);
});

test("credits a death to a player whose offer was on its way before it [SERVERS-34]", async () => {
  const { gameId, white, atFirst } = await startAcross(on);
  first.games.dropWatcher(atFirst, gameId);
  await on.advance(2_000);
  on.network.isLosing = true;
  const offered = first.games.offer("offer_draw", white.id, gameId, newId());
  await on.advance(1_000);
  await endServer(second, 500);
  on.network.isLosing = false;
  await on.advance(0);
  expect(codeOf(await offered)).toBe("done");
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [306_500, 309_000] },
  ]);
});

test("adds the bonus for a death to a move that was on its way before it [SERVERS-34]", async () => {
  const { gameId, white, atFirst } = await startAcross(on);
  first.games.dropWatcher(atFirst, gameId);
  await on.advance(2_000);
  on.network.isLosing = true;
  const moved = move(first, white, gameId, 6, [C3, B4]);
  await on.advance(1_000);
  await endServer(second, 500);
  on.network.isLosing = false;
  await on.advance(0);
  expect(codeOf(await moved)).toBe("done");
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
  ]);
  expect(await lastEventOf(gameId)).toMatchObject({ type: "moved", chargedMs: 0, remainingMs: [307_000, 309_000] });
});

test("credits a death although the credit could not be stored at first [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(5_000);
  await endServer(second, 3_000);
  await failNextCredit(on.database);
  await on.advance(0);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
  ]);
});

test("credits the player to move whose own server died, until they are back [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(5_000);
  await endServer(first, 3_000);
  await on.advance(4_000);
  await second.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(0);
  // Seven of the nine seconds were not served.
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
  ]);
});

test("credits both deaths once if the game's server and the mover's died [SERVERS-34]", async () => {
  const third = await on.addThird();
  const { gameId, white, black } = await startAcross(on);
  await on.advance(5_000);
  await endServer(second, 3_000);
  await endServer(first, 1_000);
  await on.advance(4_000);
  for (const player of [white, black]) await third.games.watch(makeWatcher(player), gameId, 6);
  await on.advance(0);
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
  ]);
});

test("credits the time since the first death if the server that took the game over died too [SERVERS-34]", async () => {
  const third = await on.addThird();
  const { gameId, white, atFirst } = await startAcross(on);
  first.games.dropWatcher(atFirst, gameId);
  await on.advance(5_000);
  await endServer(second, 3_000);
  await first.games.watch(makeWatcher(null), gameId, 6);
  await on.advance(1_000);
  await endServer(first, 1_000);
  await on.advance(3_000);
  await third.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(0);
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
  ]);
});

test("credits no served time if the server that took the game over died after its credit [SERVERS-34]", async () => {
  const third = await on.addThird();
  const { gameId, white } = await startAcross(on);
  await on.advance(5_000);
  await endServer(second, 3_000);
  await on.advance(0);
  await on.advance(6_000);
  await endServer(first, 1_000);
  await on.advance(2_000);
  await third.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(0);
  // Two and five seconds of their own.
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [307_000, 309_000] },
    { bonusMs: BONUS_MS, remainingMs: [312_000, 319_000] },
  ]);
});

test("credits at most ten seconds past the end to a player who comes back later [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(2_000);
  await endServer(first, 0);
  await on.advance(25_000);
  await second.games.watch(makeWatcher(white), gameId, 6);
  expect(codeOf(await move(second, white, gameId, 6, [C3, B4]))).toBe("done");
  const events = await loadEvents(on.database, gameId);
  // Seventeen seconds of their own, in two records.
  expect(events.at(-1)).toMatchObject({ type: "moved", remainingMs: [299_000 - 17_000 + BONUS_MS, 309_000] });
});

test("adds no bonus for a server that stood still: its clients may have caused it [SERVERS-34]", async () => {
  const { gameId } = await startAcross(on);
  await on.advance(5_000);
  await endServer(second, 3_000, "stalled");
  await on.advance(0);
  expect(await loadCredits(on.database, gameId)).toMatchObject([{ bonusMs: 0, remainingMs: [297_000, 299_000] }]);
});

test("credits nothing for a death to a player who stayed at a living server of their game [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  await second.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(5_000);
  await endServer(first, 3_000);
  await on.advance(15_000);
  expect(await loadCredits(on.database, gameId)).toEqual([]);
  expect(codeOf(await move(second, white, gameId, 6, [C3, B4]))).toBe("done");
  expect(await lastEventOf(gameId)).toMatchObject({ type: "moved", chargedMs: 20_000 });
});

test("credits a silence of the database that one server measured in its own games only [SERVERS-34]", async () => {
  const { gameId, white } = await startAcross(on);
  second.time.advance(4_000);
  first.lose(4_000, "database");
  await on.advance(0);
  expect(await loadCredits(on.database, gameId)).toEqual([]);
  // Nor does it once the server that measured it takes the game over.
  await endServer(second, 0, "stopped");
  await on.advance(0);
  expect(await loadCredits(on.database, gameId)).toEqual([]);
  first.lose(4_000, "database");
  await on.advance(1_000);
  expect(await loadCredits(on.database, gameId)).toMatchObject([
    { bonusMs: BONUS_MS, remainingMs: [305_000, 309_000] },
  ]);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
});

test("shows a player as away who leaves while their table looks for its new server", async () => {
  const { gameId, black, atFirst } = await startAcross(on);
  await endServer(second, 0);
  first.games.dropWatcher(atFirst, gameId);
  await on.advance(0);
  const watcher = makeWatcher(black);
  await first.games.watch(watcher, gameId, 0);
  expect(watcher.frames.findLast(({ type }) => type === "table")).toMatchObject({
    awaySinceAt: [expect.any(Number), null],
  });
});

test("shows no one as away who stays while their table looks for its new server", async () => {
  const { gameId, black } = await startAcross(on);
  await endServer(second, 0);
  await on.advance(0);
  const watcher = makeWatcher(black);
  await first.games.watch(watcher, gameId, 0);
  expect(watcher.frames.findLast(({ type }) => type === "table")).toMatchObject({ awaySinceAt: [null, null] });
});

// [SERVERS-51 §- r16] A move that a page sends together with `watch` after its server was lost is not charged for the
// time without a server, whether or not someone watches the table at the new one.
test.each([
  { thoughtMs: 298_000, how: "where the opponent watches" },
  { thoughtMs: 2_000, how: "where the opponent watches" },
  { thoughtMs: 2_000, how: "where no one watches" },
])(
  "charges no outage to a move sent with `watch` to another server, $how, after $thoughtMs ms [SERVERS-51]",
  async ({ thoughtMs, how }) => {
    const { gameId, white, black, atFirst } = await startAcross(on);
    expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("done");
    if (how === "where no one watches") first.games.unwatch(atFirst, gameId);
    await on.advance(thoughtMs);
    first.time.advance(2_500);
    await endServer(second, 2_500, "gone", first);
    const watched = first.games.watch(makeWatcher(black), gameId, 7, 0);
    const moved = move(first, black, gameId, 7, [G5, H4]);
    expect(codeOf(await moved)).toBe("done");
    await watched;
    expect(await lastEventOf(gameId)).toMatchObject({ type: "moved", remainingMs: [309_000, 309_000 - thoughtMs] });
  },
);
