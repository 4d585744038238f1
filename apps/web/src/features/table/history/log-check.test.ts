import type { GameId } from "@holo/kernel/ids.ts";
import type { LogView } from "@holo/protocol/game/games.ts";
import type { LogRecord } from "@holo/table/log-record.ts";
import { describe, expect, it } from "vitest";
import { checkLog, findHash } from "./log-check.ts";

const GAME = "00000000-0000-4000-8000-000000000001" as GameId;

/**
 * A short game with an offer after its end. Its hashes are from `printf '%s\n%s' BEFORE ROW |
 * sha256sum`.
 */
const LOG: LogView = {
  before: GAME,
  rows: [
    {
      text: '{"version":1,"at":1000000,"by":1,"events":[{"type":"created","game":"checkers","stake":5,"limitMs":300000,"feeBps":740,"player":"player-ada"}],"commandId":"command-1"}',
      hash: "b09a011a74315be1aa33637eeddb0a0b03d646009148789526fc47dc085935eb",
    },
    {
      text: '{"version":2,"at":1001000,"by":2,"events":[{"type":"joined","player":"player-bola"}],"commandId":"command-2"}',
      hash: "6b959de4b5fb199a1cdef70eb93a1908dc400426bb1123ea3456dc5c141d593e",
    },
    {
      text: '{"version":3,"at":1002000,"by":1,"events":[{"type":"ended","winner":2,"reason":"resignation","remainingMs":[300000,300000]}],"commandId":"command-3","lagMs":40}',
      hash: "ccc5d760f64a4785884c82db7dbd21b93ec26fb3860f9b618aae97cb2d1251ba",
    },
    {
      text: '{"version":4,"at":1003000,"by":1,"events":[{"type":"rematch_offered","seat":1,"feeBps":740}],"commandId":"command-4"}',
      hash: "47eefcef4e49e683b3b7b9f86e09fd43c3ab43a9ed05e9b2441d59088cf23b59",
    },
  ],
  finalHash: "ccc5d760f64a4785884c82db7dbd21b93ec26fb3860f9b618aae97cb2d1251ba",
};

/** What the page receives: no command ids and no network figures of others. */
const SHOWN = LOG.rows.map(({ text }) => {
  const { version, at, by, events } = JSON.parse(text) as LogRecord;
  return { version, at, by, events };
});

async function check(change: Partial<LogView> = {}, shown: readonly LogRecord[] = SHOWN) {
  const hash = findHash();
  if (hash === null) throw new Error("no cryptography here");
  return await checkLog(GAME, { ...LOG, ...change }, shown, hash);
}

function changeRow(index: number, change: Partial<LogView["rows"][number]>): LogView["rows"] {
  return LOG.rows.map((row, at) => (at === index ? { ...row, ...change } : row));
}

describe("checkLog", () => {
  it("accepts a log with matching hashes and the settled end", async () => {
    expect(await check()).toEqual({ type: "sound", count: 4 });
  });

  it("rejects a changed, removed or moved row", async () => {
    const forged = LOG.rows[1]!.text.replace("bola", "cole");
    expect(await check({ rows: changeRow(1, { text: forged }) })).toEqual({ type: "broken", version: 2 });
    expect(await check({ rows: LOG.rows.slice(1) })).toEqual({ type: "broken", version: 1 });
    const [first, second, ...rest] = LOG.rows;
    expect(await check({ rows: [second!, first!, ...rest] })).toEqual({ type: "broken", version: 1 });
  });

  it("rejects another game's start and another final hash", async () => {
    expect(await check({ before: "00000000-0000-4000-8000-000000000002" })).toEqual({ type: "broken", version: 0 });
    expect(await check({ finalHash: LOG.rows[3]!.hash })).toEqual({ type: "broken", version: 4 });
    expect(await check({ rows: LOG.rows.slice(0, 2) })).toEqual({ type: "broken", version: 2 });
  });

  it("detects rows that differ from what the page received", async () => {
    const [first, joined, ...rest] = SHOWN;
    const other = { ...joined!, by: 0 as const };
    expect(await check({}, [first!, other, ...rest])).toEqual({ type: "different", version: 2 });
  });

  it("accepts a log that is ahead of or behind the page", async () => {
    expect(await check({}, SHOWN.slice(0, 3))).toEqual({ type: "sound", count: 4 });
    expect(await check({ rows: LOG.rows.slice(0, 3) })).toEqual({ type: "sound", count: 3 });
  });
});
