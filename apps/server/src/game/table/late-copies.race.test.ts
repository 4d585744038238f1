import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { createTestDatabase, RACE_CONNECTIONS } from "../../platform/testing/test-database.ts";
import type { Answer } from "../answer.ts";
import { LifecycleCommit } from "../log/lifecycle-commit.ts";
import type { LifecycleJob } from "../log/lifecycle-job.ts";
import { C3, C5, D4, D6, playOpening, resignGame, startGame } from "../testing/test-game.ts";
import {
  addPlayer,
  findBroken,
  idOf,
  makeWatcher,
  move,
  newId,
  openTestPlay,
  type TestPlay,
  waitUntilIdle,
} from "../testing/test-play.ts";
import { locateTable, openTestTables } from "../testing/test-tables.ts";

/** Copies of a command that arrive after its answer, or after one of unknown outcome. */
let database: Database;

beforeAll(async () => {
  database = await createTestDatabase(RACE_CONNECTIONS);
});
afterAll(() => database.close());

/** A rematch offer that was refused; when the copies arrive it would be allowed. */
async function refuseOffer(at: TestPlay): Promise<(id?: ReturnType<typeof newId>) => Promise<Answer>> {
  const game = await startGame(database, at);
  const { gameId, white, black } = game;
  await playOpening(at, game);
  await resignGame(at, game);
  const watcher = makeWatcher(white);
  await at.games.watch(watcher, gameId, 0);
  const refusedId = newId();
  const offer = (id = refusedId): Promise<Answer> => at.games.offer("offer_rematch", idOf(black), gameId, id);
  expect(await offer(newId())).toMatchObject({ type: "done" });
  expect(await offer()).toMatchObject({ code: "offer_stands" });
  at.games.unwatch(watcher, gameId);
  await waitUntilIdle(database);
  expect(at.games.isServed(gameId)).toBe(false);
  return offer;
}

test("refuses a late copy of a refused command after the table was dropped", async () => {
  const at = await openTestPlay(database);
  const offer = await refuseOffer(at);
  // As many refusals as are remembered of one player, by another player.
  const [stranger, other] = [await addPlayer(database, at), await startGame(database, at)];
  for (let sent = 1; sent <= 64; sent += 1) await at.games.resign(idOf(stranger), other.gameId, newId());
  expect(await offer()).toMatchObject({ code: "offer_stands" });
  expect(await offer(newId())).toMatchObject({ type: "done" });
  // Whatever else speaks against it by then.
  await at.advance(60_000);
  expect(await offer(newId())).toMatchObject({ code: "opponent_away" });
  expect(await offer()).toMatchObject({ code: "offer_stands" });
  await at.games.cancel(idOf(other.white), other.gameId, newId());
  await at.close();
});

test("refuses a waiting copy of a refused command after many other refusals", async () => {
  const at = await openTestPlay(database);
  const { white, black, gameId } = await startGame(database, at);
  const refusedId = newId();
  const reply = (): Promise<Answer> => move(at, black, gameId, 3, [D6, C5], refusedId);
  const refused = reply();
  const others = Array.from({ length: 64 }, () => move(at, black, gameId, 3, [D6, C5]));
  const opening = move(at, white, gameId, 2, [C3, D4]);
  const copy = reply();
  expect(await refused).toMatchObject({ code: "stale_version" });
  for (const other of others) expect(await other).toMatchObject({ code: "stale_version" });
  expect(await opening).toMatchObject({ type: "done" });
  // The board is the one that it was meant for by now.
  expect(await copy).toMatchObject({ code: "stale_version" });
  expect(await move(at, black, gameId, 3, [D6, C5])).toMatchObject({ type: "done" });
  await at.games.resign(idOf(white), gameId, newId());
  await at.close();
});

test("answers that the outcome is unknown while the log cannot be read after a lost commit", async () => {
  const at = await openTestPlay(database);
  const { gameId, white } = await startGame(database, at);
  const setHash = (sql: string) =>
    database.pool.query(`begin; set local session_replication_role = replica;
      update game_log set hash = ${sql} where game_id = '${gameId}' and version = 3; commit`);
  class LosingCommit extends LifecycleCommit {
    override async commit(job: LifecycleJob): Promise<never> {
      await super.commit(job);
      await setHash("reverse(hash)");
      throw new Error("Connection terminated unexpectedly");
    }
  }
  const lifecycle = new LosingCommit(database, openMetrics({ process: false }), at.own);
  const losing = openTestTables(database, at, { lifecycle });
  const command = { type: "cancel", id: newId(), player: idOf(white) } as const;
  const table = await locateTable(losing, gameId);
  const cancelled = new Promise<Answer | null>((answer) =>
    table.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer }),
  );
  expect(await cancelled).toEqual({ type: "unknown" });
  await Promise.all([losing.close(), at.close()]);
  // The table is read again for the copy.
  const other = await openTestPlay(database);
  expect(await other.games.cancel(idOf(white), gameId, command.id)).toEqual({ type: "unknown" });
  await setHash("reverse(hash)");
  expect(await other.games.cancel(idOf(white), gameId, command.id)).toMatchObject({ type: "done", isRepeat: true });
  await other.close();
  expect(await findBroken(database)).toBeNull();
});
