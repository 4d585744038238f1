import { expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { openMetrics } from "../../platform/metrics/metrics.ts";
import type { Answer } from "../answer.ts";
import { openGroupCommit } from "../log/group-commit.ts";
import { openArenaForAll } from "../testing/arena-hooks.ts";
import type { TestArena } from "../testing/test-arena.ts";
import { startGame } from "../testing/test-game.ts";
import { openTableRegistry } from "./registry.ts";
import { openTableActors } from "./table-actor.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

test("whoever waits at a table that is given up hears so: for an answer, and for what is new there", async () => {
  const { gameId } = await startGame(database, at);
  const { kysely: queries, log } = database;
  const table = await openTableRegistry({ queries, loadPlayers: async () => new Map(), onLoaded: () => {} }).load(
    gameId,
  );
  if (table === null) throw new Error("there is no table");
  const actors = openTableActors({
    database,
    groupCommit: openGroupCommit(database, log, openMetrics({ process: false })),
    log,
    resync: () => Promise.reject(new Error("nobody asks for it")),
    broadcast: () => undefined,
    restart: () => undefined,
  });
  table.isBusy = true;
  const answered = new Promise<Answer>((answer) => {
    actors.enqueue(table, { command: { type: "return", seat: 1 }, at: at.time.now(), answer });
  });
  const seen = actors.resync(table);
  actors.abandon(table);
  expect(await answered).toMatchObject({ code: "something_went_wrong" });
  await seen;
});
