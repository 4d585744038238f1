import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { GameId, PaymentId, PlayerId } from "@holo/kernel/ids.ts";
import { toCoins, toKobo, toKoboOwed, wholeCoins } from "@holo/kernel/money.ts";
import type { OverviewView } from "@holo/protocol/admin/overview.ts";
import type { AdminSettingsView, SettingsEffectView } from "@holo/protocol/admin/settings.ts";
import type { AdminsView, AuditEventsView } from "@holo/protocol/admin/staff.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { toTerms } from "@holo/table/platform-fee.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockAdmins } from "../../../accounts/accounts.ts";
import { adminInvariants } from "../../../admin/audit.ts";
import { loadWallet, postWithdrawal } from "../../../ledger/ledger.ts";
import { postStake, postWin } from "../../../ledger/testing/game-postings.ts";
import type { Database, Tx } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { newId } from "../../testing/test-games.ts";
import {
  ORIGIN,
  OWNER_EMAIL,
  openTestHttp,
  PASSWORD,
  send,
  type TestHttp,
  type TestPerson,
} from "../../testing/test-http.ts";
import { emailOf, openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let ceo: TestStaff["ceo"];
let makeAdmin: TestStaff["makeAdmin"];
let setVerified: TestStaff["setVerified"];

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  ({ ceo, makeAdmin, setVerified } = staff);
});
afterAll(async () => {
  const broken = await audit(database.kysely, adminInvariants);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

function ask<View>(person: TestPerson | null, method: "GET" | "POST", path: string, body?: unknown) {
  return staff.ask<View>(person, method, `admin/${path}`, body);
}

async function idOf(person: TestPerson): Promise<string> {
  const { body } = await ask<AdminsView>(ceo, "GET", "admins");
  return body.admins.find(({ email }) => email === emailOf(person))!.id;
}

async function change(next: SettingsView, expected: SettingsView, commandId = newId(), password = PASSWORD) {
  return await ask<AdminSettingsView>(ceo, "POST", "settings", { ...next, expected, commandId, password });
}

const inForce = async (): Promise<SettingsView> => {
  const { rateKobo, feeBps } = (await ask<AdminSettingsView>(ceo, "GET", "settings")).body;
  return { rateKobo, feeBps };
};

describe("permissions", () => {
  // [ROLE-11 §6 r25] A removed admin is denied at once.
  test("an admin has access until removed, and none from the next request on [ROLE-11]", async () => {
    const admin = await makeAdmin();
    expect((await ask<OverviewView>(admin, "GET", "overview")).body.role).toBe("admin");
    expect((await ask<OverviewView>(ceo, "GET", "overview")).body.role).toBe("ceo");
    expect((await ask(ceo, "POST", "admins/remove", { id: await idOf(admin) })).status).toBe(200);
    expect((await ask(admin, "GET", "overview")).body.code).toBe("access_denied");
    const session = await send(http.app, "GET", "/api/session", undefined, { cookie: admin.cookie });
    expect(await session.json()).toMatchObject({ role: null });
  });

  test("notifies a person who is added or removed", async () => {
    const admin = await makeAdmin();
    const countTold = () =>
      http.at.playerFrames.filter(({ playerId, frame }) => playerId === admin.id && frame.type === "role_changed")
        .length;
    expect(countTold()).toBe(1);
    await ask(ceo, "POST", "admins/remove", { id: await idOf(admin) });
    expect(countTold()).toBe(2);
  });

  test("an unverified address grants no role", async () => {
    const player = await http.addPlayer();
    await ask(ceo, "POST", "admins", { email: emailOf(player), password: PASSWORD });
    expect((await ask(player, "GET", "overview")).body.code).toBe("access_denied");
    await setVerified(player);
    expect((await ask(player, "GET", "overview")).status).toBe(200);
  });
});

describe("admins", () => {
  test("lists an added admin and mails all staff", async () => {
    const [first, second] = [await makeAdmin(), await http.addPlayer()];
    const before = http.mails.length;
    const { body } = await ask<AdminsView>(first, "POST", "admins", {
      email: ` ${emailOf(second).toUpperCase()} `,
      password: PASSWORD,
    });
    expect(body.owner).toEqual({ email: OWNER_EMAIL, isVerified: true });
    expect(body.admins.find(({ email }) => email === emailOf(second))).toEqual({
      id: expect.any(String),
      email: emailOf(second),
      isVerified: false,
      username: second.username,
    });
    const mails = http.mails.slice(before);
    expect(mails.map(({ to }) => to).sort()).toEqual([OWNER_EMAIL, ...body.admins.map(({ email }) => email)].sort());
    expect(mails[0]).toMatchObject({ kind: "new_admin", text: expect.stringContaining(first.username) });
    expect(mails[0]?.text).toContain(`added ${emailOf(second)} to the admins`);
    expect(mails[0]?.text).toContain(`${ORIGIN}/admin/revenue`);
    expect(mails[0]?.text).toContain("as soon as");

    const third = await http.addPlayer();
    await setVerified(third);
    await ask(first, "POST", "admins", { email: emailOf(third), password: PASSWORD });
    const own = http.mails.findLast(({ to }) => to === emailOf(third));
    expect(own?.text).toContain(`The account ${third.username} has this address and is now an admin.`);
  });

  // [VALID-27 §5] An admin's address must contain an @: 'Please enter a valid email'.
  test.each(["", "nobody", "a@b", "two@example.com, three@example.com", `x@example.com\r\nBcc: y@example.com`])(
    "refuses the address %j [VALID-27]",
    async (email) => {
      expect((await ask(ceo, "POST", "admins", { email, password: PASSWORD })).body).toEqual({
        code: "bad_admin_email",
        title: "Failed to add admin email",
        text: "Please enter a valid email",
      });
    },
  );

  // [ROLE-09 §6 r25] The owner's entry in the list is labelled 'CEO' and cannot be removed.
  test("lists no address twice and never the owner [ROLE-09]", async () => {
    const admin = await makeAdmin();
    expect((await ask(ceo, "POST", "admins", { email: emailOf(admin), password: PASSWORD })).body.code).toBe(
      "admin_listed",
    );
    expect((await ask(ceo, "POST", "admins", { email: OWNER_EMAIL, password: PASSWORD })).body.code).toBe(
      "admin_listed",
    );
  });

  test("lists an address once for simultaneous requests", async () => {
    const email = "at-once@example.com";
    const answers = await Promise.all([1, 2, 3].map(() => ask(ceo, "POST", "admins", { email, password: PASSWORD })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  test("refuses to remove oneself or an unlisted address", async () => {
    const admin = await makeAdmin();
    expect((await ask(admin, "POST", "admins/remove", { id: await idOf(admin) })).body).toEqual({
      code: "own_matter",
      title: "Not your own",
      text: "You can't decide about your own account, game or money.",
    });
    expect((await ask(ceo, "POST", "admins/remove", { id: randomUUID() })).body.code).toBe("unknown_admin");
  });
});

describe("audit events", () => {
  test("lists additions and removals, newest first, in pages", async () => {
    const admin = await makeAdmin();
    await ask(ceo, "POST", "admins/remove", { id: await idOf(admin) });
    const { body } = await ask<AuditEventsView>(ceo, "GET", "audit-events");
    expect(body.events.slice(0, 2)).toMatchObject([
      { username: ceo.username, action: "admin_removed", subject: emailOf(admin) },
      { username: ceo.username, action: "admin_added", subject: emailOf(admin) },
    ]);
    const oldest = body.events.at(-1)!;
    const before = (await ask<AuditEventsView>(ceo, "GET", `audit-events?before=${body.events[0]!.id}`)).body;
    expect(before.events[0]).toEqual(body.events[1]);
    expect((await ask<AuditEventsView>(ceo, "GET", "audit-events?before=1")).body).toEqual({ events: [], next: null });
    expect(oldest).toMatchObject({ username: null, action: "owner_set", subject: OWNER_EMAIL });
  });

  test.each(["audit_events", "setting_changes"])("%s cannot be changed", async (table) => {
    const changes = [
      sql`update ${sql.table(table)} set at = 1`,
      sql`delete from ${sql.table(table)}`,
      sql`truncate ${sql.table(table)} cascade`,
    ];
    for (const one of changes) await expect(one.execute(database.kysely)).rejects.toThrow("is append only");
  });
});

describe("settings", () => {
  // [ENT-14 §3 r4] Exchange rate and fee are settings. A change reaches every open page, and its author is stored.
  test("pushes a change to every connection, and stores its author [ENT-14]", async () => {
    const before = await inForce();
    const next = { rateKobo: 31_050, feeBps: 825 };
    const commandId = newId();
    const { body } = await change(next, before, commandId);
    expect(body).toMatchObject({ ...next, changes: [{ ...next, username: ceo.username }, { ...before }] });
    expect(body.changes.at(-1)).toEqual({ at: 0, username: null, rateKobo: 30_600, feeBps: 740 });
    expect(http.sentSettings.at(-1)).toEqual(next);
    expect((await change(next, before, commandId)).body).toEqual(body);
    expect((await change({ ...next, feeBps: 700 }, before, commandId)).body.code).toBe("command_id_reused");
    const events = (await ask<AuditEventsView>(ceo, "GET", "audit-events")).body.events;
    expect(events[0]).toMatchObject({ action: "settings_changed", detail: expect.stringContaining("₦310.50") });
    expect(events[0]?.detail).toContain("fee 8.25 %; before: ");
    expect((await change(before, next)).status).toBe(200);
  });

  test.each([
    [{ rateKobo: 99, feeBps: 740 }, "bad_settings"],
    [{ rateKobo: 10_000_001, feeBps: 740 }, "bad_settings"],
    [{ rateKobo: 30_600, feeBps: -1 }, "bad_settings"],
    [{ rateKobo: 30_600, feeBps: 2_001 }, "bad_settings"],
    [{ rateKobo: 30_600.5, feeBps: 740 }, "bad_request"],
    [{ rateKobo: 30_600, feeBps: "740" as never }, "bad_request"],
  ])("refuses %j as %s", async (next, code) => {
    expect((await change(next, await inForce())).body.code).toBe(code);
    expect((await ask(ceo, "POST", "settings/effect", next)).body.code).toBe(code);
  });

  test("refuses a change from outdated figures, without effect or with a wrong password", async () => {
    const before = await inForce();
    const next = { ...before, rateKobo: before.rateKobo + 100 };
    expect((await change(next, next)).body.code).toBe("settings_changed");
    expect((await change(before, before)).body.code).toBe("settings_unchanged");
    expect((await change(next, before, newId(), "wrong horse")).body.code).toBe("wrong_password");
    expect(await inForce()).toEqual(before);
  });

  // [ADMIN-47 §6 r25] An action of staff that asks for the password is refused if the password changes before it is
  // carried out: adding an admin, changing rate or fee, withdrawing revenue, sending the coins of a deleted player to
  // another account.
  test("refuses a change and a new admin with a password that changes meanwhile [ADMIN-47]", async () => {
    const before = await inForce();
    const next = { ...before, rateKobo: before.rateKobo + 100 };
    const lockChanges = (tx: Tx) => sql`lock table setting_changes in access exclusive mode`.execute(tx);
    const changed = await staff.whilePasswordChanges(lockChanges, () => change(next, before));
    expect(changed.body.code).toBe("wrong_password");
    expect(await inForce()).toEqual(before);
    const added = await staff.whilePasswordChanges(lockAdmins, () =>
      ask<AdminsView>(ceo, "POST", "admins", { email: "other@example.com", password: PASSWORD }),
    );
    expect(added.body.code).toBe("wrong_password");
    const { body } = await ask<AdminsView>(ceo, "GET", "admins");
    expect(body.admins.some(({ email }) => email === "other@example.com")).toBe(false);
  });

  test("carries out one of several simultaneous changes", async () => {
    const before = await inForce();
    const answers = await Promise.all([600, 610, 620].map((feeBps) => change({ ...before, feeBps }, before)));
    expect(answers.map(({ body }) => body.code ?? "done").sort()).toEqual([
      "done",
      "settings_changed",
      "settings_changed",
    ]);
    await change(before, await inForce());
  });
});

describe("the overview", () => {
  test("shows the ledger's figures to the micro-holocoin [ADMIN-01]", async () => {
    const player = await http.addPlayer();
    const order = {
      reference: "wdr-overview",
      kobo: toKobo(500_000n),
      payerFeeKobo: toKobo(0n),
      rateKobo: 30_600,
      playerId: player.id as PlayerId,
    };
    await transact(database, (tx) =>
      postWithdrawal(tx, { ...order, paymentId: randomUUID() as PaymentId, at: http.at.time.now() }),
    );
    const { body } = await ask<OverviewView>(ceo, "GET", "overview");
    const { rows } = await sql<{ readonly kind: string; readonly total: bigint }>`
      select account.kind, sum(posting.amount)::bigint as total from ledger_postings posting
      join ledger_accounts account on account.id = posting.account_id group by account.kind`.execute(database.kysely);
    const totalOf = (kind: string): bigint => rows.find((row) => row.kind === kind)?.total ?? 0n;
    const players = totalOf("wallet") + totalOf("escrow");
    expect(body).toMatchObject({
      wallets: String(totalOf("wallet")),
      escrow: String(totalOf("escrow")),
      platformBalance: String(players),
      opening: String(-totalOf("opening")),
      solvency: {
        owedCoins: String(players + totalOf("withdrawal_clearing")),
        owedKobo: Number(toKoboOwed(toCoins(players), body.rateKobo)) + 500_000,
        onTheWayKobo: 500_000,
        providerKobo: null,
        differenceKobo: null,
      },
    });
    const effect = await ask<SettingsEffectView>(ceo, "POST", "settings/effect", { rateKobo: 61_200, feeBps: 0 });
    expect(effect.body).toEqual({
      owedCoins: body.solvency.owedCoins,
      owedKoboNow: body.solvency.owedKobo,
      owedKoboThen: Number(toKoboOwed(toCoins(players), 61_200)) + 500_000,
      providerKobo: null,
    });
  });

  test("shows debts to players and the provider's balance to the kobo", async () => {
    const provider = createServer((_request, response) => {
      const data = [
        { currency: "USD", balance: 7 },
        { currency: "NGN", balance: 123_456_789 },
      ];
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ status: true, message: "Balances retrieved", data }));
    }).listen(0, "127.0.0.1");
    await once(provider, "listening");
    const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    const other = await openTestHttp(database, { provider: { url, secretKey: "sk_test_balance" } });
    const answer = await send(other.app, "GET", "/api/admin/overview", undefined, { cookie: ceo.cookie });
    const { solvency } = (await answer.json()) as OverviewView;
    expect(solvency.providerKobo).toBe(123_456_789);
    expect(solvency.differenceKobo).toBe(123_456_789 - solvency.owedKobo);
    await other.close();
    provider.closeAllConnections();
    provider.close();
  });

  test("excludes cancelled games from counts and revenue [STATE-09]", async () => {
    const overview = async () => (await ask<OverviewView>(ceo, "GET", "overview")).body;
    const before = await overview();
    const player = await http.addPlayer();
    const terms = { game: "chess", stake: 1, limitMinutes: 5, feeBps: before.feeBps } as const;
    const created = await http.at.matches.create({ player, commandId: newId(), ...terms });
    if (created.type !== "done") throw new Error(created.type);
    const { total, pending } = before.games;
    expect((await overview()).games).toEqual({ ...before.games, total: total + 1, pending: pending + 1 });
    await http.at.games.cancel(player.id as PlayerId, created.gameId, newId());
    expect(await overview()).toMatchObject({ games: before.games, completedRevenue: before.completedRevenue });
  });

  test("keeps earned revenue unchanged by a withdrawal", async () => {
    const overview = async () => (await ask<OverviewView>(ceo, "GET", "overview")).body;
    const before = await overview();
    const players = [await http.addPlayer(), await http.addPlayer()].map(({ id }) => id as PlayerId);
    const gameId = randomUUID() as GameId;
    const at = http.at.time.now();
    await transact(database, async (tx) => {
      for (const [place, playerId] of players.entries()) {
        await postStake(tx, { gameId, seat: place === 0 ? 1 : 2, playerId, amount: wholeCoins(107), at });
      }
      const fees = { winnings: wholeCoins(200), platformFee: wholeCoins(14), finalHash: "0".repeat(64) };
      await postWin(tx, { gameId, winnerId: players[0]!, ...fees, at });
    });
    const kobo = toKobo(30_600n * 4n);
    await transact(database, (tx) =>
      postWithdrawal(tx, {
        paymentId: randomUUID() as PaymentId,
        reference: "rev-4",
        playerId: null,
        kobo,
        payerFeeKobo: toKobo(0n),
        rateKobo: 30_600,
        at,
      }),
    );
    const after = await overview();
    expect(BigInt(after.completedRevenue) - BigInt(before.completedRevenue)).toBe(wholeCoins(14));
    // Pending revenue withdrawals are not players' money.
    expect(after.solvency.onTheWayKobo).toBe(before.solvency.onTheWayKobo);
  });
});

describe("the displayed fee", () => {
  const terms = { game: "chess", stake: 2, limitMinutes: 10 } as const;
  const create = (player: TestPerson, feeBps: number) =>
    http.at.matches.create({ player, commandId: newId(), ...terms, feeBps });
  const matchOf = async (gameId: GameId): Promise<MatchView> => {
    const answer = await send(http.app, "GET", `/api/matches/${gameId}`, undefined, { cookie: ceo.cookie });
    return (await answer.json()) as MatchView;
  };

  test("is what a game costs: old games keep theirs, new ones have the new, and other values are refused", async () => {
    const before = await inForce();
    const [early, late, later] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
    const old = await create(early, before.feeBps);
    if (old.type !== "done") throw new Error(old.type);
    const next = { ...before, feeBps: before.feeBps + 60 };
    expect((await change(next, before)).status).toBe(200);

    expect(await create(late, before.feeBps)).toMatchObject({ code: "fee_changed" });
    const balance = await loadWallet(database.kysely, late.id as PlayerId);
    expect(balance?.balance).toBe(wholeCoins(5_000));

    // The old game has another fee, so a player with the new fee is not seated there.
    const created = await create(late, next.feeBps);
    expect(created).toMatchObject({ type: "done", status: "waiting" });
    expect(await create(later, next.feeBps)).toMatchObject({ type: "done", status: "active" });
    if (created.type !== "done") throw new Error(created.type);
    expect((await matchOf(old.gameId)).feeBps).toBe(before.feeBps);
    expect((await matchOf(created.gameId)).feeBps).toBe(next.feeBps);

    const joiner = await http.addPlayer();
    expect(await http.at.matches.join(joiner, old.gameId, newId())).toMatchObject({ type: "done", status: "active" });
    const paid = wholeCoins(5_000) - (await loadWallet(database.kysely, joiner.id as PlayerId))!.balance;
    expect(paid).toBe(toTerms(terms.stake, 16, before.feeBps).buyIn);
    expect(await http.at.games.cancel(joiner.id as PlayerId, old.gameId, newId())).toMatchObject({ type: "done" });
    expect((await loadWallet(database.kysely, joiner.id as PlayerId))?.balance).toBe(wholeCoins(5_000));
    await change(before, next);
  });
});
