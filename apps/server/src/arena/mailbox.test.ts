import { expect, test } from "vitest";
import type { Database } from "../platform/database.ts";
import { openMetrics } from "../platform/metrics.ts";
import type { Answer } from "./answer.ts";
import { openGroupCommit } from "./commit.ts";
import { openMailbox } from "./mailbox.ts";
import { openTables } from "./tables.ts";
import { openArenaForAll } from "./testing/arena-hooks.ts";
import type { TestArena } from "./testing/test-arena.ts";
import { beginGame } from "./testing/test-game.ts";

let database: Database;
let at: TestArena;

openArenaForAll((given) => {
  ({ database, at } = given);
});

test("whoever waits at a table that is given up hears so: for an answer, and for what is new there", async () => {
  const { gameId } = await beginGame(database, at);
  const { kysely: queries, log } = database;
  const table = await openTables({ queries, loadPlayers: async () => new Map(), onLoaded: () => {} }).load(gameId);
  if (table === null) throw new Error("there is no table");
  const mailbox = openMailbox({
    database,
    groupCommit: openGroupCommit(database, log, openMetrics({ process: false })),
    log,
    catchUp: () => Promise.reject(new Error("nobody asks for it")),
    publish: () => undefined,
    restart: () => undefined,
  });
  table.isBusy = true;
  const answered = new Promise<Answer>((answer) => {
    mailbox.deliver(table, { command: { type: "return", seat: 1 }, at: at.time.now(), answer });
  });
  const seen = mailbox.look(table);
  mailbox.giveUp(table);
  expect(await answered).toMatchObject({ code: "something_went_wrong" });
  await seen;
});
