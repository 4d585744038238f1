import { expect, test } from "vitest";
import {
  endServer,
  type LinkedServers,
  loadEvents,
  openLinkedForEach,
  startAcross,
} from "../testing/linked-servers.ts";
import { C3 } from "../testing/test-game.ts";
import { codeOf, makeWatcher, move, newId, type TestPlay } from "../testing/test-play.ts";

/** When a clock runs out whose player is connected to another server than the game's. */
let on: LinkedServers;
let first: TestPlay;
let second: TestPlay;

openLinkedForEach((linked) => {
  on = linked;
  ({ first, second } = linked);
});

const B4 = 33;

type GameId = Parameters<typeof loadEvents>[1];

async function isFlagged(gameId: GameId): Promise<boolean> {
  return (await first.games.loadMatch(gameId, null))?.status !== "active";
}

// [SERVERS-37 §- r16] A clock runs out at its deadline wherever its player is connected, unless a command of theirs has
// reached a server in time: the game's server asks theirs first, until that answers or has ended.
test("lets a clock run out at once after the mover's server has answered [SERVERS-37]", async () => {
  const { gameId } = await startAcross(on);
  await on.advance(298_900);
  expect(await isFlagged(gameId)).toBe(false);
  await on.advance(200);
  expect(await isFlagged(gameId)).toBe(true);
});

test("plays a move that reached the mover's server in time, however late it arrives [SERVERS-37]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(298_900);
  on.network.isHolding = true;
  const moved = move(first, white, gameId, 6, [C3, B4]);
  await on.advance(1_000);
  await on.advance(500);
  expect(await isFlagged(gameId)).toBe(false);
  on.network.deliver();
  expect(codeOf(await moved)).toBe("done");
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 298_900 });
});

test("plays a copy that arrives after the deadline of a move that was lost before [SERVERS-37]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(298_000);
  on.network.isLosing = true;
  const id = newId();
  const lost = move(first, white, gameId, 6, [C3, B4], id);
  await on.advance(500);
  await on.advance(1_000);
  expect(await isFlagged(gameId)).toBe(false);
  on.network.isLosing = false;
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4], id))).toBe("done");
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({ type: "moved", chargedMs: 298_000 });
  for (let waited = 0; waited < 8; waited += 1) await on.advance(500);
  expect(codeOf(await lost)).toBe("done");
});

test("refuses a move that reaches the mover's server after the deadline [SERVERS-37]", async () => {
  const { gameId, white } = await startAcross(on);
  on.pass(299_100);
  expect(codeOf(await move(first, white, gameId, 6, [C3, B4]))).toBe("time_up");
});

test("waits with a flag while the mover's server is silent, until that has ended [SERVERS-37]", async () => {
  const { gameId } = await startAcross(on);
  on.network.isLosing = true;
  await on.advance(299_100);
  for (let waited = 0; waited < 6; waited += 1) await on.advance(500);
  expect(await isFlagged(gameId)).toBe(false);
  // It served until now, as far as anyone knows; the player has ten seconds to reach another.
  await endServer(first, 0, "stalled");
  for (let waited = 0; waited < 18; waited += 1) await on.advance(500);
  expect(await isFlagged(gameId)).toBe(false);
  for (let waited = 0; waited < 4; waited += 1) await on.advance(500);
  expect((await second.games.loadMatch(gameId, null))?.status).toBe("completed");
});

test("credits the death of the mover's server before their flag, once they are back or ten seconds later [SERVERS-37]", async () => {
  const { gameId, white } = await startAcross(on);
  await on.advance(298_000);
  on.network.isLosing = true;
  second.time.advance(3_000);
  await endServer(first, 3_000, "gone", second);
  await on.advance(0);
  await on.advance(1_000);
  expect(await isFlagged(gameId)).toBe(false);
  await second.games.watch(makeWatcher(white), gameId, 6);
  await on.advance(500);
  expect((await loadEvents(on.database, gameId)).at(-1)).toMatchObject({
    type: "clock_credited",
    bonusMs: 10_000,
    remainingMs: [11_000, 309_000],
  });
  await on.advance(10_000);
  expect(await isFlagged(gameId)).toBe(false);
  await on.advance(1_000);
  expect(await isFlagged(gameId)).toBe(true);
});
