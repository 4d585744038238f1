import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { C3, D4, startGame, type TestGame } from "../testing/test-game.ts";
import { addPlayer, makeWatcher, move, openTestPlay, type TestPlay } from "../testing/test-play.ts";

/** With a tick of the wheel. */
const ABOUT_A_SECOND_MS = 1_020;

let database: Database;
let at: TestPlay;

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestPlay(database);
});

afterAll(async () => {
  await at.close();
  await database.close();
});

type TestWatcher = ReturnType<typeof makeWatcher>;

async function watch({ gameId }: TestGame, ...watchers: readonly TestWatcher[]): Promise<void> {
  for (const watcher of watchers) expect(await at.games.watch(watcher, gameId, 0)).not.toBeNull();
}

const countsOf = ({ frames }: TestWatcher): readonly number[] =>
  frames.flatMap((frame) => (frame.type === "watchers" ? [frame.count] : []));

// [WATCH-02 §2] Players and watchers see how many others watch a table, at most once a second, and never who.
describe("how many watch [WATCH-02]", () => {
  it("is told to everyone at the table once a second, however many come", async () => {
    const game = await startGame(database, at);
    const [white, visitor] = [makeWatcher(game.white), makeWatcher(null)];
    const crowd = [makeWatcher(null), makeWatcher(await addPlayer(database, at))];
    await watch(game, white, makeWatcher(game.black), visitor, ...crowd);
    expect(countsOf(white)).toEqual([]);
    await at.advance(ABOUT_A_SECOND_MS);
    expect([white, visitor, crowd[1]!].map(countsOf)).toEqual([[3], [3], [3]]);
    for (const one of crowd) at.games.unwatch(one, game.gameId);
    expect(countsOf(white)).toEqual([3]);
    await at.advance(ABOUT_A_SECOND_MS);
    expect(countsOf(white)).toEqual([3, 1]);
  });

  it("counts a person with several pages once, and neither player", async () => {
    const game = await startGame(database, at);
    const chidi = await addPlayer(database, at);
    const white = makeWatcher(game.white);
    await watch(game, white, makeWatcher(game.white), makeWatcher(chidi), makeWatcher(chidi));
    await at.advance(ABOUT_A_SECOND_MS);
    expect(countsOf(white)).toEqual([1]);
    const late = makeWatcher(game.black);
    await watch(game, late);
    expect(late.frames.find(({ type }) => type === "table")).toMatchObject({ watchers: 1 });
  });

  it("is not told again while it stays the same", async () => {
    const game = await startGame(database, at);
    const [white, visitor] = [makeWatcher(game.white), makeWatcher(null)];
    await watch(game, white, visitor);
    await at.advance(ABOUT_A_SECOND_MS);
    at.games.unwatch(visitor, game.gameId);
    await watch(game, makeWatcher(null));
    await at.advance(ABOUT_A_SECOND_MS);
    expect(countsOf(white)).toEqual([1]);
  });
});

it("sends a move to the players before the crowd, and to all of the crowd once", async () => {
  const game = await startGame(database, at);
  const order: string[] = [];
  const note = (name: string, watcher: TestWatcher): TestWatcher => ({
    ...watcher,
    send(frame) {
      watcher.send(frame);
      if (watcher.frames.at(-1)?.type === "record") order.push(name);
    },
  });
  const crowd = Array.from({ length: 100 }, () => note("crowd", makeWatcher(null)));
  await watch(game, ...crowd, note("white", makeWatcher(game.white)), note("black", makeWatcher(game.black)));
  await move(at, game.white, game.gameId, 2, [C3, D4]);
  expect(order.slice(0, 2)).toEqual(["white", "black"]);
  await expect.poll(() => order.length).toBe(102);
  const left = crowd[99]!;
  at.games.unwatch(left, game.gameId);
  expect(left.frames.filter(({ type }) => type === "record")).toHaveLength(1);
});
