import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { NO_DELIVERY } from "@holo/table/clock.ts";
import type { TableCommand } from "@holo/table/command.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import { type Answer, refused } from "../answer.ts";
import { GroupCommit } from "../log/group-commit.ts";
import { LifecycleCommit } from "../log/lifecycle-commit.ts";
import type { LifecycleJob } from "../log/lifecycle-job.ts";
import { openPlayForAll } from "../testing/play-hooks.ts";
import { C3, D4, playOpening, startGame } from "../testing/test-game.ts";
import { addPlayer, idOf, makeWatcher, newId, type TestPlay } from "../testing/test-play.ts";
import { locateTable, openTestTables } from "../testing/test-tables.ts";
import type { Table } from "./table.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

/** Null: the command is to be routed again. */
function send(table: Table, command: TableCommand): Promise<Answer | null> {
  return new Promise((answer) => table.enqueue({ command, at: at.time.now(), lostMs: 0, lagMs: 0, answer }));
}

const openingBy = ({ id: player }: PlayerView): TableCommand => ({
  type: "move",
  id: newId(),
  player,
  atVersion: 2,
  path: [C3, D4],
  delivery: NO_DELIVERY,
});
const resignBy = ({ id: player }: PlayerView) => ({ type: "resign", id: newId(), player }) as const;

test("routes the commands that wait at a dropped table again", async () => {
  const { gameId, white } = await startGame(database, at);
  const tables = openTestTables(database, at, { groupCommit: { add: () => undefined } });
  const table = await locateTable(tables, gameId);
  void send(table, openingBy(white));
  const waiting = send(table, openingBy(white));
  tables.drop(table);
  expect(await waiting).toBeNull();
  expect(await send(table, openingBy(white))).toBeNull();
  expect(tables.find(gameId)).toBeNull();
});

// [SEC-64 §-] At a table that waits for the database, people who do not play there are refused at once, and at most a
// hundred commands of each player wait. The page sends further ones again.
test("bounds the commands that wait at a busy table, and lets no stranger wait [SEC-64]", async () => {
  const { gameId, white, black } = await startGame(database, at);
  const tables = openTestTables(database, at, { groupCommit: { add: () => undefined } });
  const table = await locateTable(tables, gameId);
  const answers: (Answer | null)[] = [];
  const note = (command: TableCommand): void => void send(table, command).then((answer) => answers.push(answer));
  note(openingBy(white));
  expect(table.isBusy).toBe(true);
  const stranger = await addPlayer(database, at);
  const join = { type: "join", id: newId(), player: stranger.id, pairing: "address" } as const;
  expect(await send(table, resignBy(stranger))).toMatchObject({ code: "not_a_player" });
  expect(await send(table, join)).toMatchObject({ code: "match_gone" });
  for (let waiting = 1; waiting <= 100; waiting += 1) note(resignBy(white));
  expect(await send(table, resignBy(white))).toEqual({ type: "unknown" });
  note(resignBy(black));
  await new Promise(setImmediate);
  expect(answers).toEqual([]);
  tables.drop(table);
  await new Promise(setImmediate);
  expect(answers).toEqual(Array.from({ length: 101 }, () => null));
});

test("refuses a late copy of a refused command, although it would be allowed by then", async () => {
  const game = await startGame(database, at);
  const { gameId, white } = game;
  const id = newId();
  const resign = (): Promise<Answer> => at.games.resign(idOf(white), gameId, id);
  expect(await resign()).toMatchObject({ code: "too_early_to_resign" });
  // As many refusals as a table remembers, of a person without a seat.
  const stranger = idOf(await addPlayer(database, at));
  for (let sent = 1; sent <= 64; sent += 1) await at.games.resign(stranger, gameId, newId());
  await playOpening(at, game);
  expect(await resign()).toMatchObject({ code: "too_early_to_resign" });
  expect(await at.games.resign(idOf(white), gameId, newId())).toMatchObject({ type: "done", status: "ended" });
});

test("answers a stored command as done, although a copy was refused before it was queued", async () => {
  const { gameId, white } = await startGame(database, at);
  const tables = openTestTables(database, at, {});
  const table = await locateTable(tables, gameId);
  tables.watch(table, makeWatcher(white), { gameId, since: 0, isInvited: false }, true);
  const command = { type: "cancel", id: newId(), player: idOf(white) } as const;
  expect(await send(table, command)).toMatchObject({ type: "done", isRepeat: false });
  tables.refusals.keep(gameId, command, refused("creator_away"));
  expect(await send(table, command)).toMatchObject({ type: "done", isRepeat: true });
});

test("sends the new balances although the database failed between the records and the wallets", async () => {
  const { gameId, white, black } = await startGame(database, at);
  const rename = (from: string, to: string) => database.pool.query(`alter table ${from} rename to ${to}`);
  class LosingCommit extends LifecycleCommit {
    override async commit(job: LifecycleJob): Promise<never> {
      await super.commit(job);
      await rename("ledger_accounts", "ledger_accounts_away");
      throw new Error("Connection terminated unexpectedly");
    }
  }
  const lifecycle = new LosingCommit(database, openMetrics({ process: false }), at.own);
  const tables = openTestTables(database, at, { lifecycle });
  const table = await locateTable(tables, gameId);
  at.playerFrames.length = 0;
  expect(await send(table, { type: "cancel", id: newId(), player: idOf(white) })).toEqual({ type: "unknown" });
  await rename("ledger_accounts_away", "ledger_accounts");
  const readSent = () => at.playerFrames.filter(({ frame }) => frame.type === "wallet").map(({ playerId }) => playerId);
  await expect.poll(() => new Set(readSent())).toEqual(new Set([white.id, black.id]));
  await tables.close();
});

test("counts a watching player as back if the credit is found by reading the log again [CLOCK-09]", async () => {
  const game = await startGame(database, at);
  const { gameId, white } = game;
  await playOpening(at, game);
  const fromAt = at.time.now();
  at.time.advance(61_000);
  const real = new GroupCommit(database, database.log, openMetrics({ process: false }), at.own);
  let isLost = true;
  const groupCommit: Pick<GroupCommit, "add"> = {
    add: (write, answer) =>
      real.add(write, (outcome) => {
        const error = new Error("Connection terminated unexpectedly");
        answer(isLost ? { type: "fault", error } : outcome);
        isLost = false;
      }),
  };
  const tables = openTestTables(database, at, { groupCommit });
  const table = await locateTable(tables, gameId);
  tables.watch(table, makeWatcher(white), { gameId, since: 0, isInvited: false }, true);
  tables.creditOutage({ fromAt, toAt: at.time.now(), cause: "database" });
  await expect.poll(() => table.state.clock.awaited).toEqual([2]);
  expect(await loadEventTypes(gameId)).toEqual(["clock_credited", "returned"]);
  await tables.close();
});

async function loadEventTypes(gameId: GameId): Promise<readonly string[]> {
  const { rows } = await sql<{ type: string }>`
    select record::json -> 'events' -> 0 ->> 'type' as type from game_log
    where game_id = ${gameId} and version > 6 order by version`.execute(database.kysely);
  return rows.map(({ type }) => type);
}
