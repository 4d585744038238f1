import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import type { TableEvent } from "@holo/table/log-record.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { runtime } from "../../platform/runtime.ts";
import { openPlayForEach } from "../testing/play-hooks.ts";
import { playOpening, resignGame, startGame, type TestGame } from "../testing/test-game.ts";
import { idOf, makeWatcher, newId, openTestPlay, type TestPlay, waitUntilIdle } from "../testing/test-play.ts";

let database: Database;
let at: TestPlay;

openPlayForEach(
  (given) => {
    ({ database, at } = given);
  },
  () => at,
);

type TestWatcher = ReturnType<typeof makeWatcher>;

async function playToEnd(): Promise<TestGame> {
  const game = await startGame(database, at);
  await playOpening(at, game);
  await resignGame(at, game);
  return game;
}

async function watch(player: PlayerView, gameId: GameId): Promise<TestWatcher> {
  const watcher = makeWatcher(player);
  await at.games.watch(watcher, gameId, 0);
  return watcher;
}

async function offerRematch({ white, gameId }: TestGame): Promise<number> {
  const offered = await at.games.offer("offer_rematch", idOf(white), gameId, newId());
  if (offered.type !== "done") throw new Error(offered.type);
  return offered.version;
}

function lastEventOf(watcher: TestWatcher): TableEvent | undefined {
  const records = watcher.frames.flatMap((frame) =>
    frame.type === "table" ? frame.records : frame.type === "record" ? [frame.record] : [],
  );
  return records.flatMap(({ events }) => events).at(-1);
}

test("keeps an offer while both players are briefly away", async () => {
  const game = await playToEnd();
  const watchers = [await watch(game.white, game.gameId), await watch(game.black, game.gameId)];
  const offered = await offerRematch(game);
  for (const watcher of watchers) at.games.dropWatcher(watcher, game.gameId);
  await at.advance(3_000);
  const back = await watch(game.white, game.gameId);
  await watch(game.black, game.gameId);
  await at.advance(20_000);
  expect(lastEventOf(back)).toMatchObject({ type: "rematch_offered" });
  expect(
    await at.games.answerOffer({
      type: "answer_rematch",
      player: idOf(game.black),
      commandId: newId(),
      gameId: game.gameId,
      offer: offered,
      answer: "accept",
    }),
  ).toMatchObject({ type: "done" });
});

test("expires an offer on time at a table without watchers, which is then dropped", async () => {
  const game = await playToEnd();
  await offerRematch(game);
  expect(at.games.isServed(game.gameId)).toBe(true);
  await at.advance(60_050);
  expect(at.games.isServed(game.gameId)).toBe(false);
  expect(lastEventOf(await watch(game.black, game.gameId))).toEqual({
    type: "rematch_lapsed",
    reason: "time",
    seat: null,
  });
});

test("measures absence from its newest start: a flapping connection keeps the offer", async () => {
  const game = await playToEnd();
  const watcher = await watch(game.white, game.gameId);
  let other = await watch(game.black, game.gameId);
  await offerRematch(game);
  at.games.dropWatcher(other, game.gameId);
  await at.advance(10_000);
  other = await watch(game.black, game.gameId);
  await at.advance(4_000);
  at.games.dropWatcher(other, game.gameId);
  await at.advance(2_000);
  expect(lastEventOf(watcher)).toMatchObject({ type: "rematch_offered" });
  await at.advance(13_050);
  expect(lastEventOf(watcher)).toEqual({ type: "rematch_lapsed", reason: "left", seat: 2 });
});

test("restarts a table with growing delays if its clock cannot be written, and drops it at shutdown", async () => {
  const game = await playToEnd();
  const watcher = await watch(game.white, game.gameId);
  await offerRematch(game);
  await sql`alter table game_log add constraint no_lapses check (record not like '%rematch_lapsed%') not valid`.execute(
    database.kysely,
  );
  const countReads = () => watcher.frames.filter(({ type }) => type === "table").length;
  const setTimer = vi.spyOn(runtime.current, "setTimeout");
  onTestFinished(() => setTimer.mockRestore());
  const growing = [500, 1_000, 2_000, 4_000, 8_000, 10_000];
  const listDelays = () => setTimer.mock.calls.map(([, ms]) => ms).filter((ms) => growing.includes(ms));
  await at.advance(60_050);
  while (listDelays().length < 3) await at.advance(20);
  const delays = listDelays();
  expect(delays).toEqual(growing.slice(0, delays.length));
  expect(countReads()).toBeLessThanOrEqual(delays.length + 2);
  await at.close();
  await sql`alter table game_log drop constraint no_lapses`.execute(database.kysely);
  at = await openTestPlay(database, at.time.now());
  expect(lastEventOf(await watch(game.white, game.gameId))).toMatchObject({ type: "rematch_offered" });
});

test("does not extend a rematch's first move by earlier stalls of the server", async () => {
  await at.close();
  at = await openTestPlay(database, undefined, [], 40_000);
  const game = await playToEnd();
  const watcher = await watch(game.white, game.gameId);
  await at.games.offer("offer_rematch", idOf(game.white), game.gameId, newId());
  await at.games.offer("offer_rematch", idOf(game.black), game.gameId, newId());
  const started = lastEventOf(watcher);
  if (started?.type !== "rematch_started") throw new Error("no rematch has started");
  await at.advance(60_050);
  await waitUntilIdle(database);
  expect(await at.games.loadMatch(started.gameId, null)).toMatchObject({ status: "cancelled" });
});

test("refuses a rematch at another fee than was shown, also when offers cross", async () => {
  await at.close();
  let feeBps = 740;
  at = await openTestPlay(database, undefined, [], 0, () => feeBps);
  const game = await playToEnd();
  const offer = (player: PlayerView, shownBps: number) =>
    at.games.offer("offer_rematch", idOf(player), game.gameId, newId(), shownBps);
  expect(await offer(game.white, 700)).toMatchObject({ type: "refused", code: "fee_changed" });
  expect(await offer(game.white, 740)).toMatchObject({ type: "done" });
  feeBps = 800;
  expect(await offer(game.black, 800)).toMatchObject({ type: "refused", code: "fee_changed" });
  const watcher = await watch(game.black, game.gameId);
  expect(await offer(game.black, 740)).toMatchObject({ type: "done" });
  const started = lastEventOf(watcher);
  if (started?.type !== "rematch_started") throw new Error("no rematch has started");
  expect(await at.games.loadMatch(started.gameId, null)).toMatchObject({ feeBps: 740 });
});
