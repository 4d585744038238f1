import { expect, test } from "vitest";
import { untilOneWaits } from "../../platform/testing/lock-waits.ts";
import {
  endServer,
  type LinkedServers,
  loadEvents,
  openLinkedForEach,
  startAcross,
} from "../testing/linked-servers.ts";
import { C3 } from "../testing/test-game.ts";
import { codeOf, move } from "../testing/test-play.ts";

/** Games that change their server without anyone's asking. */
let on: LinkedServers;

openLinkedForEach((linked) => {
  on = linked;
});

const B4 = 33;

async function loadOwner(gameId: string): Promise<string | null> {
  const { rows } = await on.database.pool.query("select owner from games where id = $1", [gameId]);
  return rows[0].owner;
}

test("another server takes over all games that nobody watches, so that their clocks run out", async () => {
  const { first, second } = on;
  const games = [await startAcross(on), await startAcross(on)];
  for (const { gameId, atFirst, atSecond } of games) {
    first.games.unwatch(atFirst, gameId);
    second.games.unwatch(atSecond, gameId);
  }
  await on.advance(0);
  await endServer(second, 0);
  for (let waited = 0; waited < 12; waited += 1) await on.advance(500);
  for (const { gameId } of games) await expect.poll(() => loadOwner(gameId)).toBe(first.own.id);
});

test("a server that hands its tables over stores first what they are storing", async () => {
  const { first, second, database } = on;
  const { gameId, white, black } = await startAcross(on);
  const locking = await database.pool.connect();
  await locking.query("begin");
  await locking.query("lock table game_log in exclusive mode");
  const moving = move(first, white, gameId, 6, [C3, B4]);
  await untilOneWaits(database);
  const handing = second.games.handOver(new Set([white.id, black.id]));
  await locking.query("select pg_sleep(0.1)");
  expect(await loadOwner(gameId)).toBe(second.own.id);
  await locking.query("commit");
  locking.release();
  await handing;
  expect((await loadEvents(database, gameId)).at(-1)).toMatchObject({ type: "moved", path: [C3, B4] });
  expect(codeOf(await moving)).toBe("done");
});
