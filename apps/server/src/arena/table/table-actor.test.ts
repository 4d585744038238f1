import { NO_DELIVERY } from "@holo/table/clock.ts";
import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import type { Answer } from "../answer.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import { newId, type TestArena } from "../testing/test-arena.ts";
import { C3, D4, startGame } from "../testing/test-game.ts";
import { openTestTables } from "../testing/test-tables.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

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
      table.enqueue({ command: move, at: at.time.now(), answer });
    });
  void send();
  const waiting = send();
  const resynced = table.resync();
  tables.drop(table);
  expect(await waiting).toEqual({ type: "unknown" });
  await resynced;
  expect(tables.find(gameId)).toBeNull();
});
