import { randomUUID } from "node:crypto";
import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { beginGame, findBroken, newId, playOpening, resignGame, versionOf } from "../testing/test-games.ts";
import { OWNER_EMAIL, openTestHttp, type TestHttp, type TestPerson } from "../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../testing/test-provider.ts";
import { emailOf, openTestStaff, type TestStaff } from "../testing/test-staff.ts";

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;
let [ada, bola]: TestPerson[] = [];
let gameId: GameId;
let nextGameId: GameId;
let reference: string;
let beganAt: number;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
  staff = await openTestStaff(http, database);
  const { at } = http;
  const { arena } = at;
  admin = await staff.makeAdmin();
  [ada, bola] = [await http.addPlayer(), await http.addPlayer()];
  const order = { commandId: newId(), kobo: 500_000, rateKobo: 30_600 };
  const { body } = await staff.ask<{ readonly payment: PaymentView }>(ada!, "POST", "deposits", order);
  reference = body.payment.reference;
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  expect((await staff.ask(ada!, "POST", "deposits/check", { reference })).status).toBe(200);

  beganAt = at.time.now();
  const game = await beginGame(at, { white: ada!, black: bola! });
  ({ gameId } = game);
  await playOpening(at, game);
  const [white, black] = [ada!.id as PlayerId, bola!.id as PlayerId];
  await arena.chat({ player: black, commandId: newId(), gameId, text: "Good luck" });
  at.time.advance(1_000);
  const drawn = versionOf(await arena.offer("offer_draw", white, gameId, newId()));
  const answer = { commandId: newId(), gameId, atVersion: 6 };
  versionOf(
    await arena.answerOffer({ ...answer, type: "answer_draw", player: black, offer: drawn, answer: "decline" }),
  );
  const asked = versionOf(await arena.offer("request_takeback", white, gameId, newId()));
  const accept = { ...answer, commandId: newId(), answer: "accept" } as const;
  versionOf(await arena.answerOffer({ ...accept, type: "answer_takeback", player: black, offer: asked }));
  await resignGame(at, game);
  const again = versionOf(await arena.offer("offer_rematch", black, gameId, newId()));
  const order3 = { commandId: newId(), gameId, player: white, offer: again, answer: "accept" } as const;
  versionOf(await arena.answerOffer({ ...order3, type: "answer_rematch" }));
  nextGameId = (await arena.loadOpenGame(white))?.gameId as GameId;
  await at.advance(2_000);
});
afterAll(async () => {
  const broken = await findBroken(database);
  await http.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

type Row = Readonly<Record<string, unknown>>;

/** With the specification's names first in the search path. */
async function read(entity: string, order: string): Promise<readonly Row[]> {
  return await database.kysely.transaction().execute(async (tx) => {
    await sql`set local search_path = spec`.execute(tx);
    return (await sql<Row>`select * from ${sql.ref(entity)} order by ${sql.ref(order)}`.execute(tx)).rows;
  });
}

const date = (at: number): Date => new Date(toInstant(at));

test("profiles: balance, games played and won [ENT-18]", async () => {
  const rows = (await read("profiles", "id")).filter(({ id }) => id === ada!.id || id === bola!.id);
  const shared = { games_played: 1, notifications_enabled: true, updated_at: expect.any(Date) };
  // 5,000 HC, plus ₦5,000 at ₦306, less a lost game at 5 HC per piece with 7.4 %, less the
  // rematch's buy-in.
  const [hers, his] = ["4887.459870", "4991.120000"];
  expect(rows.find(({ id }) => id === ada!.id)).toEqual({
    ...shared,
    id: ada!.id,
    username: ada!.username,
    wallet_balance: expect.stringMatching(new RegExp(`^${hers}`)),
    games_won: 0,
  });
  expect(rows.find(({ id }) => id === bola!.id)).toMatchObject({
    ...shared,
    wallet_balance: expect.stringMatching(new RegExp(`^${his}`)),
    games_won: 1,
  });
});

test("games: the current state, with clocks in seconds [ENT-19]", async () => {
  const rows = await read("games", "created_at");
  expect(rows).toHaveLength(2);
  expect(rows.find(({ id }) => id === gameId)).toEqual({
    id: gameId,
    player1_id: ada!.id,
    player2_id: bola!.id,
    game_type: "checkers",
    status: "completed",
    stake_amount: 5,
    platform_fee: expect.stringMatching(/^8\.880*$/),
    time_limit: 300,
    board_state: expect.stringMatching(/^W:W/),
    current_turn: 3,
    move_count: 2,
    winner_id: bola!.id,
    // Two moves each; the clocks run after the first two and during ada's draw offer.
    player1_time_remaining: expect.stringMatching(/^298\.0*$/),
    player2_time_remaining: expect.stringMatching(/^299\.0*$/),
    player1_captures: 0,
    player2_captures: 0,
    timer_last_updated: date(beganAt + 5_000),
    created_at: date(beganAt),
    updated_at: date(beganAt + 5_000),
    started_at: date(beganAt),
    completed_at: date(beganAt + 5_000),
  });
  expect(rows.find(({ id }) => id === nextGameId)).toMatchObject({
    player1_id: bola!.id,
    player2_id: ada!.id,
    status: "active",
    current_turn: 1,
    winner_id: null,
    completed_at: null,
    timer_last_updated: null,
  });
});

test("game_moves: the moves that remain after a takeback [ENT-20]", async () => {
  const before = ".b.b.b.bb.b.b.b..b.b.b.b................a.a.a.a..a.a.a.aa.a.a.a.";
  expect(before).toHaveLength(64);
  expect(await read("game_moves", "move_number")).toEqual([
    {
      game_id: gameId,
      player_id: ada!.id,
      move_number: 1,
      from_index: 42,
      to_index: 35,
      captured_piece: false,
      board_state_before: before,
    },
    expect.objectContaining({ player_id: bola!.id, move_number: 2, from_index: 19, to_index: 26 }),
  ]);
});

test("draw_offers, takeback_requests and rematch_offers: each with its status [ENT-20b]", async () => {
  expect(await read("draw_offers", "game_id")).toEqual([
    { game_id: gameId, offered_by_player_id: ada!.id, status: "declined" },
  ]);
  expect(await read("takeback_requests", "id")).toEqual([
    { id: expect.any(String), game_id: gameId, requested_by_player_id: ada!.id, status: "accepted" },
  ]);
  expect(await read("rematch_offers", "id")).toEqual([
    {
      id: expect.any(String),
      original_game_id: gameId,
      from_player_id: bola!.id,
      to_player_id: ada!.id,
      status: "accepted",
      new_game_id: nextGameId,
    },
  ]);
});

test("chat_messages: author, text, game and time [ENT-20c]", async () => {
  expect(await read("chat_messages", "created_at")).toEqual([
    {
      id: `${gameId}:1`,
      game_id: gameId,
      sender_id: bola!.id,
      message: "Good luck",
      created_at: date(beganAt + 4_000),
    },
  ]);
});

test("transactions: the deposit in coins [ENT-21]", async () => {
  expect(await read("transactions", "id")).toEqual([
    expect.objectContaining({
      user_id: ada!.id,
      amount: expect.stringMatching(/^16\.3398700*$/),
      transaction_type: "deposit",
      status: "completed",
      payment_reference: reference,
      completed_at: expect.any(Date),
    }),
  ]);
});

test("user_roles and admin_emails: roles and their addresses [ENT-22]", async () => {
  const roles = (await read("user_roles", "role")).map(({ user_id, role }) => [user_id, role]);
  expect(roles).toEqual(
    expect.arrayContaining([
      [admin.id, "admin"],
      [staff.ceo.id, "admin"],
      [staff.ceo.id, "ceo"],
    ]),
  );
  expect(roles).toHaveLength(3);
  const emails = await read("admin_emails", "email");
  expect(emails).toEqual([{ id: expect.any(String), email: emailOf(admin), created_at: expect.any(Date) }]);
  expect(emails.some(({ email }) => email === OWNER_EMAIL)).toBe(false);
});

test("app_versions: stored builds and the current one", async () => {
  const release = { id: randomUUID(), platform: "APK", version: "1.2.0" };
  const gone = { ...release, id: randomUUID(), version: "1.1.0" };
  for (const { id, platform, version } of [release, gone]) {
    await sql`
      with act as (
        insert into admin_acts (at, player_id, act, subject, detail)
        values (0, ${admin.id}, 'release_uploaded', ${version}, '') returning id)
      insert into app_versions (id, platform, version, file_name, is_current, size_bytes, sha256, uploaded_by, uploaded_at, act_id, removed_at)
      select ${id}, ${platform}, ${version}, ${`holo-arena-${version}.apk`}, ${id === release.id}, 1, ${"0".repeat(64)}, ${admin.id}, 0,
        act.id, ${id === gone.id ? 1 : null} from act`.execute(database.kysely);
  }
  expect(await read("app_versions", "id")).toEqual([
    { ...release, download_url: "/downloads/holo-arena-1.2.0.apk", is_current: true },
  ]);
});

test("system_settings: the current exchange rate and fee [ENT-23]", async () => {
  expect(await read("system_settings", "setting_key")).toEqual([
    { setting_key: "currency_conversion", setting_value: { naira_per_holocoin: 306, platform_fee_percentage: 7.4 } },
  ]);
});

test("realtime_stats: the last published counts [ENT-24]", async () => {
  const { playersOnline, gamesPlaying } = http.at.arena.stats();
  expect([playersOnline, gamesPlaying]).toEqual([4, 1]);
  expect(await read("realtime_stats", "id")).toEqual([
    { id: 1, players_online: playersOnline, games_playing: gamesPlaying, updated_at: expect.any(Date) },
  ]);
});

const ENTITIES = [
  "admin_emails",
  "app_versions",
  "chat_messages",
  "draw_offers",
  "game_moves",
  "games",
  "profiles",
  "realtime_stats",
  "rematch_offers",
  "system_settings",
  "takeback_requests",
  "transactions",
  "user_roles",
];

test("every entity refuses writes [ENT-26]", async () => {
  const { rows: views } = await sql<{ readonly name: string; readonly first: string }>`
    select table_name as name, column_name as first from information_schema.columns
    where table_schema = 'spec' and ordinal_position = 1`.execute(database.kysely);
  expect(views.map(({ name }) => name).sort()).toEqual(ENTITIES);
  for (const { name, first } of views) {
    const [view, column] = [sql.table(`spec.${name}`), sql.ref(first)];
    for (const change of [
      sql`insert into ${view} default values`,
      sql`update ${view} set ${column} = ${column}`,
      sql`delete from ${view}`,
    ]) {
      await expect(change.execute(database.kysely), name).rejects.toThrow(`${name} is for reading`);
    }
  }
});
