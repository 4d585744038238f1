import { randomUUID } from "node:crypto";
import type { CommandId, PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import type { SessionView } from "@holo/protocol/accounts/session.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { postOpening } from "../../../ledger/ledger.ts";
import type { Database, Queries } from "../../../platform/database/database.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { untilOneWaits } from "../../../platform/testing/lock-waits.ts";
import { openHttpForAll } from "../../testing/http-hooks.ts";
import { beginGame, playOpening, resignGame } from "../../testing/test-games.ts";
import { send, type TestHttp } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;

openHttpForAll((given) => {
  ({ database, http } = given);
});

const PATH = "/api/account/export.json";

async function addCancelledGames(queries: Queries, playerId: string, count: number): Promise<void> {
  await sql`
    with added as (
      insert into games (id, game_type, status, player1_id, player2_id, stake_amount, fee_bps, platform_fee, time_limit, created_at,
        completed_at)
      select gen_random_uuid(), 'chess', 'cancelled', ${playerId}, null, 1, 740, 0, 300, 1000 + n / 7, 1000
      from generate_series(1, ${count}) n returning id)
    insert into game_log (game_id, version, format, record, at, hash, board_state, move_count, player1_captures, player2_captures,
      player1_remaining_ms, player2_remaining_ms)
    select id, 1, 1, '{}', 1000, repeat('0', 64), '', 0, 0, 0, 0, 0 from added`.execute(queries);
}

async function addMessages(queries: Queries, playerId: string, count: number): Promise<void> {
  const gameId = randomUUID();
  await sql`
    insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
    select ${gameId}, n, ${playerId}, ${gameId.slice(0, 18)} || n, 'again', 1000 + n / 7
    from generate_series(1, ${count}) n`.execute(queries);
}

test("refuses visitors, and requests that write", async () => {
  expect((await send(http.app, "GET", PATH)).status).toBe(401);
  expect((await send(http.app, "POST", PATH, {})).status).toBe(405);
});

test("contains all data of the player, without secrets and data of others", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const game = await beginGame(http.at, { white, black });
  await playOpening(http.at, game);
  await http.at.games.chat({
    player: white.id as PlayerId,
    commandId: randomUUID() as CommandId,
    gameId: game.gameId,
    text: "Good luck",
  });
  await http.at.games.chat({
    player: black.id as PlayerId,
    commandId: randomUUID() as CommandId,
    gameId: game.gameId,
    text: "The same to you",
  });
  await resignGame(http.at, game);
  await send(http.app, "PATCH", `/api/players/${black.id}/relation`, { muted: true }, { cookie: white.cookie });
  await send(http.app, "PATCH", "/api/limits", { stake: 2 }, { cookie: white.cookie });
  const report = { gameId: game.gameId, playerId: black.id, reason: "stalling", text: "slow" };
  await send(http.app, "POST", "/api/reports", report, { cookie: white.cookie });

  // An ended exclusion is kept all the same.
  await sql`insert into self_exclusions (player_id, from_at, until_at) values (${white.id}, 1, 2)`.execute(
    database.kysely,
  );
  await sql`update sessions set address = '192.0.2.7' where player_id = ${white.id}`.execute(database.kysely);

  const answer = await send(http.app, "GET", PATH, undefined, { cookie: white.cookie });
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="holo-arena-account.json"');
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const text = await answer.text();
  const file = JSON.parse(text);
  expect(file).toMatchObject({
    profile: { id: white.id, username: white.username, email: `${white.username}@example.com` },
    limits: { limits: { stake: { value: 2 } } },
    sessions: [{ isCurrent: true, address: "192.0.2.7" }],
    breaks: [{ fromAt: 1, untilAt: 2 }],
    relations: [{ username: black.username, muted: true }],
    games: [{ id: game.gameId, opponent: black.username, colour: "white", status: "completed" }],
    messages: [{ gameId: game.gameId, text: "Good luck" }],
    payments: [],
    bankAccounts: [],
    reports: [{ gameId: game.gameId, reason: "stalling" }],
    ratings: [{ game: "checkers", pool: "staked", games: 1 }],
  });
  expect(file.entries.map(({ kind }: { readonly kind: string }) => kind)).toContain("stake");
  expect(file.wallet.balance).toBe(file.entries[0].balanceAfter);
  expect(text).not.toContain("The same to you");
  expect(text).not.toContain(`${black.username}@example.com`);
  const { rows } = await sql<{ readonly token: string; readonly hash: string }>`
    select session.token, password.hash from sessions session
    join passwords password on password.player_id = session.player_id where session.player_id = ${white.id}`.execute(
    database.kysely,
  );
  for (const { token, hash } of rows) {
    expect(text).not.toContain(token);
    expect(text).not.toContain(hash);
  }
});

test("contains devices and every restriction, with the reasons that the player was given", async () => {
  const { id, cookie } = await http.addPlayer();
  const paymentId = randomUUID();
  for (const statement of [
    sql`insert into account_devices (player_id, device_hash, first_login_at, last_login_at)
      values (${id}, 'secret-of-the-device', to_timestamp(1), to_timestamp(2))`,
    sql`insert into payments (id, kind, player_id, command_id, kobo, rate_kobo, coins, status, step, reference, created_at)
      values (${paymentId}, 'deposit', ${id}, 'deposit-of-export', 30600, 30600, 1000000, 'review', 'with_staff', ${paymentId}, 1)`,
    sql`insert into deposit_disputes (payment_id, player_id, from_at) values (${paymentId}, ${id}, 3)`,
    sql`insert into audit_events (at, player_id, action, subject, detail) values
      (4, null, 'withdrawals_held', ${id}, ''), (5, null, 'withdrawals_released', ${id}, ''), (6, null, 'banned', ${id}, '')`,
    sql`insert into withdrawal_holds (player_id, reason, from_at, audit_event_id, until_at, end_audit_event_id)
      select ${id}, 'we checked a payment', 4, min(id), 5, max(id) from audit_events where subject = ${id} and action <> 'banned'`,
    sql`insert into bans (player_id, at, audit_event_id, reason)
      select ${id}, 6, id, 'playing for a friend' from audit_events where subject = ${id} and action = 'banned'`,
    sql`insert into fair_play_cases (id, player_id, kind, state, opened_at, until_at, ended_at, coins, deposit_ids, game_ids, concerned, finding)
      select gen_random_uuid(), ${id}, kind, state, 7, until_at, ended_at, 5, '{}', '{}', '{}', '{"flows":[],"edges":[],"cluster":[],"version":5}'
      from (values ('flow', 'released', 9, 9), ('listed', 'open', null, null)) one (kind, state, until_at, ended_at)`,
    sql`insert into fair_play_acts (case_id, type, by_id, at, text)
      select id, 'message', ${id}, 8, 'my brother' from fair_play_cases where player_id = ${id} and kind = 'flow'`,
  ]) {
    await statement.execute(database.kysely);
  }
  const text = await (await send(http.app, "GET", PATH, undefined, { cookie })).text();
  expect(JSON.parse(text)).toMatchObject({
    // The newest one has just logged in.
    devices: [{}, { firstLoginAt: 1_000, lastLoginAt: 2_000 }],
    traces: expect.arrayContaining([
      { kind: "device", firstAt: expect.any(Number), lastAt: expect.any(Number), uses: 1 },
    ]),
    disputes: [{ paymentId, fromAt: 3, untilAt: null }],
    withdrawalHolds: [{ reason: "we checked a payment", fromAt: 4, untilAt: 5 }],
    ban: { reason: "playing for a friend" },
    // What is only listed is not told.
    fairPlay: {
      cases: [{ state: "released", openedAt: 7, untilAt: 9, endedAt: 9, messages: [{ at: 8, text: "my brother" }] }],
      messages: [{ at: 8, text: "my brother" }],
    },
  });
  expect(text).not.toContain("secret-of-the-device");
});

test("has a concurrent addition in balance, statement, games and messages, or in none", async () => {
  const cookie = await http.logIn();
  const { player } = (await (await send(http.app, "GET", "/api/session", undefined, { cookie })).json()) as SessionView;
  const playerId = player!.id as PlayerId;
  const { asked } = await transact(database, async (tx) => {
    await sql`lock table ledger_postings in access exclusive mode`.execute(tx);
    const asked = send(http.app, "GET", PATH, undefined, { cookie }).then((answer) => answer.text());
    await untilOneWaits(database);
    await postOpening(tx, { playerId, amount: wholeCoins(5), at: http.at.time.now() });
    await addCancelledGames(tx, playerId, 1);
    await addMessages(tx, playerId, 1);
    return { asked };
  });
  const added = { wallet: { balance: "0" }, entries: [], games: [], messages: [] };
  expect(JSON.parse(await asked)).toMatchObject(added);
});

test("contains a long history completely and once", async () => {
  const player = await http.addPlayer();
  await addCancelledGames(database.kysely, player.id, 1203);
  await addMessages(database.kysely, player.id, 703);
  const answer = await send(http.app, "GET", PATH, undefined, { cookie: player.cookie });
  const { games, messages } = (await answer.json()) as {
    readonly games: readonly { readonly id: string }[];
    readonly messages: readonly { readonly number: number }[];
  };
  expect(new Set(games.map(({ id }) => id)).size).toBe(1203);
  expect(games).toHaveLength(1203);
  expect(messages.map(({ number }) => number)).toEqual(Array.from({ length: 703 }, (_, i) => 703 - i));
});

test("limits how often it can be downloaded", async () => {
  const cookie = await http.logIn();
  const statuses = [];
  for (let i = 0; i < 6; i += 1) statuses.push((await send(http.app, "GET", PATH, undefined, { cookie })).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
