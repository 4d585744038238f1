import type { GameId } from "@holo/kernel/ids.ts";
import { type RawBuilder, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Tx } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { loadLog } from "../log/game-store.ts";
import { toChainedHash, toFirstHash } from "../log/log-record.ts";
import { insertLog } from "../testing/stored-logs.ts";
import { B2, C3, C5, createGame, D4, D6, F6, G5, playOpening, resignGame, startGame } from "../testing/test-game.ts";
import { addPlayer, gameOf, idOf, newId, openTestPlay, type TestPlay } from "../testing/test-play.ts";
import { chatInvariants, gameInvariants } from "./audit.ts";
import { checkLogs } from "./check-logs.ts";

let database: Database;
let at: TestPlay;
let games: Readonly<Record<"waiting" | "active" | "won" | "drawn" | "cancelled" | "free", GameId>>;

beforeAll(async () => {
  database = await createTestDatabase();
  at = await openTestPlay(database);
  const won = await startGame(database, at);
  await playOpening(at, won);
  await resignGame(at, won);
  await at.games.offer("offer_rematch", idOf(won.white), won.gameId, newId());
  await at.games.offer("offer_rematch", idOf(won.black), won.gameId, newId());
  const rematch = await at.games.loadOpenGame(idOf(won.white));
  if (rematch === null) throw new Error("no rematch has started");
  await playOpening(at, { gameId: rematch.gameId, white: won.black, black: won.white });
  const drawn = await startGame(database, at);
  await playOpening(at, drawn);
  await at.games.offer("offer_draw", idOf(drawn.white), drawn.gameId, newId());
  await at.games.offer("offer_draw", idOf(drawn.black), drawn.gameId, newId());
  const cancelled = await startGame(database, at);
  await at.games.cancel(idOf(cancelled.white), cancelled.gameId, newId());
  const free = { white: await addPlayer(database, at, 0), black: await addPlayer(database, at, 0) };
  const gameId = gameOf(await createGame(at, free.white, "checkers", 0));
  gameOf(await at.matches.join(free.black, gameId, newId()));
  await playOpening(at, { ...free, gameId });
  await resignGame(at, { ...free, gameId });
  const waiting = gameOf(await createGame(at, await addPlayer(database, at)));
  games = {
    waiting,
    active: rematch.gameId,
    won: won.gameId,
    drawn: drawn.gameId,
    cancelled: cancelled.gameId,
    free: gameId,
  };
});
afterAll(async () => {
  await at.close();
  await database.close();
});

async function findAllBroken(tx: Tx): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const { name, check } of gameInvariants) if ((await check(tx)) !== null) broken.push(name);
  return broken;
}

/** The invariants that break after a manipulation by a superuser; it is rolled back. */
async function findAfter(tamper: (tx: Tx) => Promise<unknown>): Promise<readonly string[]> {
  const tx = await database.kysely.startTransaction().execute();
  try {
    await sql`set local session_replication_role = replica`.execute(tx);
    await tamper(tx);
    return await findAllBroken(tx);
  } finally {
    await tx.rollback().execute();
  }
}

async function forgeRecord(tx: Tx, gameId: GameId, version: number, forge: (text: string) => string): Promise<void> {
  let hash = toFirstHash(gameId);
  for (const row of await loadLog(tx, gameId, 0)) {
    const text = row.version === version ? forge(row.text) : row.text;
    hash = toChainedHash(hash, text);
    await sql`update game_log set record = ${text}, hash = ${hash} where game_id = ${gameId} and version = ${row.version}`.execute(
      tx,
    );
  }
}

const change = (game: keyof typeof games, set: RawBuilder<unknown>) => (tx: Tx) =>
  sql`update games set ${set} where id = ${games[game]}`.execute(tx);
const changeNewest = (game: keyof typeof games, set: RawBuilder<unknown>) => (tx: Tx) =>
  sql`update game_log set ${set} where game_id = ${games[game]} and version = (
    select max(version) from game_log where game_id = ${games[game]})`.execute(tx);
const run = (statement: () => RawBuilder<unknown>) => (tx: Tx) => statement().execute(tx);
const forge = (game: keyof typeof games, version: number, from: string, to: string) => (tx: Tx) =>
  forgeRecord(tx, games[game], version, (text) => {
    if (!text.includes(from)) throw new Error(`there is no ${from} in ${text}`);
    return text.replace(from, to);
  });

const FEE = /platform fee of a game/;
const ESCROW = /holds one buy-in in escrow/;
const SETTLED = /settled once, according to its result/;
const WINNER = /only the winner received/;
const FINAL_HASH = /carries the hash of the record that ended/;
const REMATCH = /each rematch in a log/;
const FREE = /a free game has no fee and moved nothing/;
const STAKES = /every stake in the ledger/;
const SEATS = /has one seat/;
const OUTCOMES = /stored outcomes of each player/;
const SHARED = /already shared a bank account/;
const GUARD = /protect the log of games/;
const LOG = /log has no gap/;

const CASES: readonly (readonly [string, RegExp, (tx: Tx) => Promise<unknown>])[] = [
  ["a win that nobody won", OUTCOMES, run(() => sql`update player_outcomes set wins = wins + 1`)],
  ["a player who has lost and is not counted", OUTCOMES, run(() => sql`delete from player_outcomes where losses = 1`)],
  ["a platform's fee made higher", FEE, change("active", sql`platform_fee = platform_fee + 2`)],
  ["a fee in basis points made lower", FEE, change("won", sql`fee_bps = fee_bps - 1`)],
  ["a stake made higher", ESCROW, change("waiting", sql`stake_amount = 10`)],
  [
    "an escrow emptied",
    ESCROW,
    run(() => sql`update ledger_accounts set balance = 0 where kind = 'escrow' and owner = ${games.active as string}`),
  ],
  [
    "coins left behind by a game that ended",
    ESCROW,
    run(
      () => sql`update ledger_accounts set balance = 1 where kind = 'escrow' and owner = ${games.cancelled as string}`,
    ),
  ],
  [
    "a settlement that is gone",
    SETTLED,
    run(() => sql`delete from ledger_entries where settled_game = ${games.won as string}`),
  ],
  [
    "a settlement of a game that goes on",
    SETTLED,
    run(
      () =>
        sql`update ledger_entries set settled_game = ${games.active as string} where settled_game = ${games.won as string}`,
    ),
  ],
  ["a win that was settled as a draw", SETTLED, change("won", sql`winner_id = null`)],
  ["a cancelled game that was won", SETTLED, change("cancelled", sql`status = 'completed', winner_id = player1_id`)],
  ["another winner than the one who was paid", WINNER, change("won", sql`winner_id = player1_id`)],
  [
    "a win that paid less",
    WINNER,
    run(
      () => sql`update ledger_postings set amount = amount - 1 where amount > 0 and entry_id =
        (select id from ledger_entries where settled_game = ${games.won as string})`,
    ),
  ],
  [
    "a draw without a fee",
    WINNER,
    run(
      () => sql`delete from ledger_postings p using ledger_accounts a where a.id = p.account_id and a.kind = 'revenue'
        and p.entry_id = (select id from ledger_entries where settled_game = ${games.drawn as string})`,
    ),
  ],
  ["a staked game made free", FREE, change("won", sql`stake_amount = 0, fee_bps = 0, platform_fee = 0`)],
  [
    "a free game that was settled",
    FREE,
    run(
      () => sql`insert into ledger_entries (kind, source, settled_game, at, details, content_hash)
        select kind, ${games.free as string}, ${games.free as string}, at, details, content_hash
        from ledger_entries where settled_game = ${games.won as string}`,
    ),
  ],
  [
    "a stake that was paid for a free game",
    FREE,
    run(
      () => sql`insert into ledger_entries (kind, source, at, details, content_hash)
        select kind, ${`${games.free}:2`}, at, details, content_hash from ledger_entries where source = ${`${games.won}:2`}`,
    ),
  ],
  [
    "an escrow of a free game, empty again",
    FREE,
    run(
      () => sql`insert into ledger_accounts (kind, owner, balance, opened_at)
        values ('escrow', ${games.free as string}, 0, now())`,
    ),
  ],
  [
    "a free game with a fee",
    FREE,
    async (tx) => {
      await sql`alter table games drop constraint games_check`.execute(tx);
      await change("free", sql`fee_bps = 740`)(tx);
    },
  ],
  [
    "a free win that counts as staked",
    OUTCOMES,
    run(() => sql`update player_outcomes set pool = 'staked' where pool = 'free' and wins = 1`),
  ],
  ["a log whose end was written anew", FINAL_HASH, forge("won", 7, '"resignation"', '"agreement"')],
  [
    "a settlement that carries another entry's hash",
    FINAL_HASH,
    run(
      () => sql`update ledger_entries set details = replace(details,
          (select hash from game_log where game_id = ${games.drawn} order by version desc limit 1),
          (select hash from game_log where game_id = ${games.drawn} and version = 2))
        where settled_game = ${games.drawn as string}`,
    ),
  ],
  ["a rematch that no log tells of", REMATCH, forge("won", 9, '"rematch_started"', '"rematch_lapsed"')],
  ["a rematch that is none", REMATCH, forge("active", 1, '"rematchOf"', '"friend"')],
  [
    "a rematch with the colours of before",
    REMATCH,
    change("active", sql`player1_id = player2_id, player2_id = player1_id`),
  ],
  ["a rematch at another stake", REMATCH, change("active", sql`stake_amount = 10`)],
  ["a rematch at another fee than was agreed to", REMATCH, change("active", sql`fee_bps = fee_bps + 1`)],
  [
    "a stake of a stranger",
    STAKES,
    run(
      () => sql`update ledger_postings set account_id =
          (select id from ledger_accounts where kind = 'wallet' and owner = (select player1_id from games where id = ${games.waiting}))
        where amount < 0 and entry_id = (select id from ledger_entries where kind = 'stake' and source = ${`${games.won}:1`})`,
    ),
  ],
  ["a stake on a game that is not there", STAKES, run(() => sql`delete from games where id = ${games.drawn}`)],
  ["a player without their seat", SEATS, run(() => sql`delete from seats where game_id = ${games.waiting}`)],
  [
    "a seat at a game that ended",
    SEATS,
    run(() => sql`insert into seats (player_id, game_id, seat) values ('somebody', ${games.won}, 1)`),
  ],
  [
    "two players in each other's seats",
    SEATS,
    async (tx) => {
      await sql`alter table seats drop constraint seats_game_id_seat_key`.execute(tx);
      await sql`update seats set seat = 3 - seat where game_id = ${games.active}`.execute(tx);
    },
  ],
  ["a disabled trigger", GUARD, run(() => sql`alter table game_log disable trigger game_log_append_only`)],
  [
    "a game of two players with one bank account",
    SHARED,
    run(
      () => sql`insert into account_traces select player_id, 'card', repeat('a', 43), 0, 0, 1
        from games, unnest(array[player1_id, player2_id]) as player_id where id = ${games.drawn}`,
    ),
  ],
  ["a dropped trigger", GUARD, run(() => sql`drop trigger game_log_append_only on game_log`)],
  ["a record that is gone", LOG, run(() => sql`delete from game_log where game_id = ${games.active} and version = 3`)],
  ["a whole log that is gone", LOG, run(() => sql`delete from game_log where game_id = ${games.waiting}`)],
  [
    "the newest record of an ended game that is gone",
    LOG,
    run(
      () => sql`delete from game_log where game_id = ${games.cancelled} and version = (
        select max(version) from game_log where game_id = ${games.cancelled})`,
    ),
  ],
  [
    "a record altered",
    LOG,
    run(
      () => sql`update game_log set record = replace(record, '"chargedMs":0', '"chargedMs":1')
        where game_id = ${games.active} and version = 3`,
    ),
  ],
  ["a log that does not begin with its game", LOG, forge("waiting", 1, '"created"', '"cancelled"')],
  ["a move that is not legal, chained anew", LOG, forge("active", 3, "[42,35]", "[42,33]")],
  ["time that runs backwards, chained anew", LOG, forge("active", 5, '"at":', '"at":-')],
  ["a clock that gained time, chained anew", LOG, forge("active", 5, '"remainingMs":[2', '"remainingMs":[3')],
  ["a clock rewritten, chained anew", LOG, forge("active", 6, '"remainingMs":[2', '"remainingMs":[1')],
  ["an opponent in another's place, chained anew", LOG, forge("active", 2, '"player":"', '"player":"x')],
  ["players who met in a way that is not said, chained anew", LOG, forge("won", 2, ',"pairing":"address"', "")],
  [
    "a record of an unknown format",
    LOG,
    run(() => sql`update game_log set format = 2 where game_id = ${games.won} and version = 2`),
  ],
  ["another way in which they met", LOG, change("won", sql`pairing = 'matchmaking'`)],
  ["another board", LOG, changeNewest("active", sql`board_state = translate(board_state, 'WB', 'BW')`)],
  [
    "another board before",
    LOG,
    run(() => sql`update game_log set board_state = '' where game_id = ${games.active} and version = 3`),
  ],
  ["another version", LOG, changeNewest("active", sql`version = version + 1`)],
  ["more moves than were made", LOG, changeNewest("active", sql`move_count = move_count + 1`)],
  ["a clock with more time than its record gave", LOG, changeNewest("active", sql`player1_remaining_ms = 300000`)],
  ["another reason for the end", LOG, change("won", sql`end_reason = 'time'`)],
  ["another who cancelled", LOG, change("cancelled", sql`cancelled_by = player2_id`)],
];

test("accepts an untouched arena", async () => {
  expect(await findAfter(async () => undefined)).toEqual([]);
});

test.each(CASES)("finds %s", async (_what, name, tamper) => {
  expect(await findAfter(tamper)).toContainEqual(expect.stringMatching(name));
});

describe("a log beyond the limits of ruling 32", () => {
  async function findAfterLog(gameId: GameId, records: readonly unknown[]): Promise<string | null> {
    let found: string | null = null;
    await findAfter(async (tx) => {
      await sql`delete from game_log where game_id = ${gameId}`.execute(tx);
      const texts = records.map((record, index) => JSON.stringify({ version: index + 1, ...(record as object) }));
      await insertLog(tx, gameId, texts);
      found = await checkLogs(tx);
    });
    return found;
  }
  const begin = [
    {
      at: 1,
      by: 1,
      events: [{ type: "created", game: "checkers", stake: 5, limitMs: 300_000, feeBps: 740, player: "a" }],
    },
    { at: 1, by: 2, events: [{ type: "joined", player: "b", pairing: "address" }] },
  ];
  const moved = (path: readonly number[]) => ({ type: "moved", path, chargedMs: 0, remainingMs: [300_000, 300_000] });
  const move = (by: 1 | 2, path: readonly number[]) => ({ at: 1, by, events: [moved(path)] });
  const taken = { type: "taken_back", seat: 2, plies: 1, remainingMs: [300_000, 300_000] };
  const opening = [...begin, move(1, [C3, D4]), move(2, [D6, C5]), move(1, [B2, C3])];
  const again = [move(2, [F6, G5]), { at: 1, by: 1, events: [taken] }];

  test("is found for an eleventh takeback of a player", async () => {
    const records = [...opening, ...Array.from({ length: 11 }, () => again).flat()];
    expect(await findAfterLog(games.active, records)).toMatch(/has a record 27 beyond the limit of takebacks/);
    expect(await findAfterLog(games.active, records.slice(0, -2))).toMatch(/says player1_id/);
  });

  test("is found for a game that goes on after 2,000 records, or ends before them", async () => {
    const filler = { at: 1, by: 1, events: [{ type: "returned", seat: 1 }] };
    const before = [...opening, ...Array.from({ length: 1_994 }, () => filler)];
    const ended = { type: "ended", winner: null, reason: "too_long", remainingMs: [300_000, 300_000] };
    const last = { at: 1, by: 2, events: [moved([F6, G5]), ended] };
    const goesOn = [...before, move(2, [F6, G5])];
    expect(await findAfterLog(games.active, goesOn)).toMatch(/has a record 2000 beyond the limit of its length/);
    expect(await findAfterLog(games.active, [...before, last])).toMatch(/says status/);
    expect(await findAfterLog(games.active, [...before.slice(0, -1), last])).toMatch(
      /has a record 1999 beyond an end by length/,
    );
  });
});

test("has a case for every invariant except those of chat", () => {
  const own = gameInvariants.filter((invariant) => !chatInvariants.includes(invariant));
  expect(own.filter(({ name }) => !CASES.some(([, pattern]) => pattern.test(name)))).toEqual([]);
});
