import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import type { FoundPlayersView, GameChatView, PlayerFileView, ReportsView } from "@holo/protocol/admin/moderation.ts";
import type { PaymentCasesView } from "@holo/protocol/admin/money.ts";
import type { AdminsView, AuditEventsView } from "@holo/protocol/admin/staff.ts";
import type { PaymentView } from "@holo/protocol/payments/payments.ts";
import { ROUTES, type RouteName } from "@holo/protocol/routes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { makeFingerprint } from "../../../platform/testing/test-rows.ts";
import { beginGame, newId, playOpening } from "../../testing/test-games.ts";
import { openTestHttp, PASSWORD, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/test-provider.ts";
import { emailOf, openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

/** Ranks of staff: who may act on whom, and that no one acts on themselves. */

let database: Database;
let sandbox: TestSandbox;
let http: TestHttp;
let staff: TestStaff;
let ceo: TestPerson;
let ask: TestStaff["ask"];
let admin: TestPerson;
let other: TestPerson;

beforeAll(async () => {
  [database, sandbox] = await Promise.all([createTestDatabase(), startTestSandbox()]);
  http = await openTestHttp(database, { provider: { url: sandbox.url, secretKey: sandbox.secretKey } });
  await sandbox.order("clock", { at: new Date(http.at.time.now()).toISOString() });
  staff = await openTestStaff(http, database);
  ({ ceo, ask } = staff);
  [admin, other] = [await staff.makeAdmin(), await staff.makeAdmin()];
});
afterAll(async () => {
  const broken = await audit(database.kysely, adminInvariants);
  await http.close();
  await sandbox.stop();
  await database.close();
  expect(broken).toBeNull();
});

type Acted = Promise<{ readonly status: number; readonly body: { readonly code?: string } }>;

const codeOf = async (acted: Acted): Promise<string> => (await acted).body.code ?? "done";
const setBlocked = async (by: TestPerson, { id }: TestPerson, isBanned = true): Acted => {
  const order = { playerId: id, reason: "Plays with an engine" };
  if (isBanned) return await ask(by, "POST", "admin/bans", order);
  const { banId } = (await ask<PlayerFileView>(ceo, "GET", `admin/players/${id}`)).body;
  return await ask(by, "POST", "admin/bans/end", { ...order, banId: banId ?? "1" });
};
const holdWithdrawals = (by: TestPerson, { id }: TestPerson, isHeld = true): Acted =>
  ask(by, "POST", isHeld ? "admin/holds" : "admin/holds/end", {
    playerId: id,
    reason: "Loses to one player only",
    ...(isHeld ? {} : { holdId: "1" }),
  });
const cancel = (by: TestPerson, gameId: string): Acted =>
  ask(by, "POST", "admin/games/cancel", { gameId, reason: "The board froze" });
const endReport = (by: TestPerson, id: string): Acted =>
  ask(by, "POST", "admin/reports/end", { id, outcome: "nothing_found", note: "Looked at it" });
const correct = async (by: TestPerson, reference: string): Promise<Awaited<Acted>> => {
  const { cases = [] } = (await ask<PaymentCasesView>(ceo, "GET", "admin/payments")).body;
  const lastFact = cases.find(({ payment }) => payment.reference === reference)?.lastFact ?? 0;
  const order = { reference, act: "credit", kobo: 400_000, lastFact, reason: "It was so paid" };
  return await ask(by, "POST", "admin/payments/correct", order);
};
const remove = (by: TestPerson, id: string): Acted => ask(by, "POST", "admin/admins/remove", { id });

async function listedId(email: string): Promise<string> {
  const { body } = await ask<AdminsView>(ceo, "GET", "admin/admins");
  return body.admins.find((listed) => listed.email === email)!.id;
}

const report = (reporter: TestPerson, about: TestPerson, gameId: GameId): Promise<string> =>
  staff.report(reporter, { gameId, playerId: about.id, reason: "cheating", text: "" });

async function beginWith(white: TestPerson, black?: TestPerson): Promise<GameId> {
  const game = await beginGame(http.at, { white, black: black ?? (await http.addPlayer()) });
  await playOpening(http.at, game);
  return game.gameId;
}

async function addMismatch(person: TestPerson): Promise<string> {
  const order = { commandId: randomUUID(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  const { body } = await ask<{ readonly payment: PaymentView }>(person, "POST", "deposits", order);
  const { reference } = body.payment;
  await sandbox.order("faults", { on: "charge_outcome", reference, fault: "wrong_amount", amount: 400_000 });
  await sandbox.order(`transactions/${reference}`, { outcome: "pay" });
  await ask(person, "POST", "deposits/check", { reference });
  return reference;
}

describe("an account of staff", () => {
  // [ROLE-18 §6 r25] The CEO cannot be banned and their file cannot be read. Only the CEO bans or reads an admin,
  // removes an admin, and decides an admin's game, held payment or report. Any admin removes an address that is not
  // verified yet.
  test("cannot be banned if it is the CEO's, and only by the CEO if it is an admin's [ROLE-18]", async () => {
    const fingerprint = await makeFingerprint(database);
    const before = await fingerprint();
    expect(await codeOf(setBlocked(admin, ceo))).toBe("ceo_matter");
    expect(await codeOf(setBlocked(ceo, ceo))).toBe("own_matter");
    expect(await codeOf(setBlocked(admin, other))).toBe("admin_matter");
    expect(await fingerprint()).toEqual(before);
    expect(await codeOf(setBlocked(ceo, other))).toBe("done");
    expect(await codeOf(setBlocked(admin, other, false))).toBe("admin_matter");
    expect(await codeOf(setBlocked(ceo, other, false))).toBe("done");
  });

  test("is readable by its owner and the CEO; others see only the list of admins [ROLE-18]", async () => {
    const readers: readonly [TestPerson, TestPerson, string][] = [
      [admin, other, "admin_matter"],
      [admin, ceo, "ceo_matter"],
      [admin, admin, "done"],
      [ceo, admin, "done"],
      [ceo, ceo, "done"],
    ];
    for (const [reader, { id }, code] of readers) {
      for (const part of ["", "/games", "/entries"]) {
        expect(await codeOf(ask(reader, "GET", `admin/players/${id}${part}`)), part).toBe(code);
      }
    }
    const found = async (person: TestPerson) =>
      (await ask<FoundPlayersView>(admin, "GET", `admin/players?text=${person.id}`)).body.players[0];
    expect(await found(other)).toMatchObject({ role: "admin", heldBack: "admin_matter" });
    expect(await found(ceo)).toMatchObject({ role: "ceo", heldBack: "ceo_matter" });
    expect(await found(admin)).toMatchObject({ role: "admin", heldBack: "own_matter" });
    expect(await found(await http.addPlayer())).toMatchObject({ role: null, heldBack: null });
  });

  test("loses its role by the CEO alone, unless the address is not verified yet [ROLE-18]", async () => {
    const third = await staff.makeAdmin();
    const id = await listedId(emailOf(third));
    expect(await codeOf(remove(third, id))).toBe("own_matter");
    expect(await codeOf(remove(admin, id))).toBe("admin_matter");
    expect(await codeOf(ask(third, "GET", "admin/overview"))).toBe("done");
    expect(await codeOf(remove(ceo, id))).toBe("done");
    expect(await codeOf(ask(third, "GET", "admin/overview"))).toBe("access_denied");
    const email = "not-yet-verified@example.com";
    expect(await codeOf(ask(ceo, "POST", "admin/admins", { email, password: PASSWORD }))).toBe("done");
    expect(await codeOf(remove(admin, await listedId(email)))).toBe("done");
  });
});

test("cannot ban an opponent, or the other party to a report [ROLE-17]", async () => {
  const opponent = await http.addPlayer();
  const gameId = await beginWith(opponent, admin);
  const held = async () =>
    (await ask<PlayerFileView>(admin, "GET", `admin/players/${opponent.id}`)).body.player.heldBack;
  expect([await codeOf(setBlocked(admin, opponent)), await held()]).toEqual(["own_matter", "own_matter"]);
  await cancel(ceo, gameId);
  expect(await held()).toBeNull();
  for (const [reporter, about] of [
    [opponent, admin],
    [admin, opponent],
  ] as const) {
    const id = await report(reporter, about, gameId);
    expect([await codeOf(setBlocked(admin, opponent)), await held()]).toEqual(["own_matter", "own_matter"]);
    expect(await codeOf(endReport(ceo, id))).toBe("done");
    expect(await held()).toBeNull();
  }
  expect(await codeOf(setBlocked(admin, opponent))).toBe("done");
  expect(await codeOf(setBlocked(ceo, opponent, false))).toBe("done");
});

test("can ban a player who reported them as a spectator [ROLE-17]", async () => {
  const [stranger, opponent] = [await http.addPlayer(), await http.addPlayer()];
  const gameId = await beginWith(opponent, ceo);
  await cancel(admin, gameId);
  const id = await report(stranger, ceo, gameId);
  expect(await codeOf(setBlocked(ceo, stranger))).toBe("done");
  expect(await codeOf(endReport(ceo, id))).toBe("own_matter");
  expect(await codeOf(endReport(admin, id))).toBe("done");
});

describe("a matter of staff", () => {
  test("lets only the CEO cancel an admin's game, and any admin the CEO's [ROLE-18]", async () => {
    const gameId = await beginWith(other);
    expect(await codeOf(cancel(admin, gameId))).toBe("admin_matter");
    expect(await codeOf(cancel(ceo, gameId))).toBe("done");
    expect(await codeOf(cancel(admin, await beginWith(ceo)))).toBe("done");
    const between = await beginWith(other, ceo);
    expect(await codeOf(cancel(ceo, between))).toBe("own_matter");
    expect(await codeOf(cancel(admin, between))).toBe("done");
  });

  test("lets only the CEO close a report about or by an admin, and any admin one about the CEO", async () => {
    const player = await http.addPlayer();
    const gameId = await beginWith(player, other);
    const reports = [await report(player, other, gameId), await report(other, player, gameId)];
    const chat = (by: TestPerson): Acted => ask(by, "GET", `admin/games/${gameId}/chat`);
    expect([await codeOf(chat(admin)), await codeOf(chat(ceo)), await codeOf(chat(other))]).toEqual([
      "admin_matter",
      "done",
      "done",
    ]);
    const listed = async (by: TestPerson) =>
      (await ask<ReportsView>(by, "GET", "admin/reports?state=open")).body.reports
        .filter(({ id }) => reports.includes(id))
        .map(({ heldBack }) => heldBack);
    expect(await listed(admin)).toEqual(["admin_matter", "admin_matter"]);
    // Reports about an admin are hidden from them; the remaining one is their own.
    expect(await listed(other)).toEqual(["own_matter"]);
    const ownFile = await ask<PlayerFileView>(other, "GET", `admin/players/${other.id}`);
    expect(ownFile.body.reports).toEqual([]);
    expect(await listed(ceo)).toEqual([null, null]);
    for (const id of reports) {
      expect(await codeOf(endReport(admin, id))).toBe("admin_matter");
      expect(await codeOf(endReport(ceo, id))).toBe("done");
    }
    await cancel(ceo, gameId);
    const withCeo = await beginWith(await http.addPlayer(), ceo);
    expect(await codeOf(endReport(admin, await report(player, ceo, withCeo)))).toBe("done");
    await cancel(admin, withCeo);
  });

  test("keeps what was found in a report about staff from them in the audit log, too [ROLE-17]", async () => {
    const player = await http.addPlayer();
    const gameId = await beginWith(player, other);
    const id = await report(player, other, gameId);
    expect(await codeOf(endReport(ceo, id))).toBe("done");
    await cancel(ceo, gameId);
    const read = async (by: TestPerson) =>
      (await ask<AuditEventsView>(by, "GET", "admin/audit-events")).body.events.find(({ subject }) => subject === id);
    for (const by of [ceo, admin]) expect(await read(by)).toMatchObject({ detail: "nothing_found: Looked at it" });
    expect(await read(other)).toBeUndefined();
  });

  test("lets only the CEO decide an admin's held payment, and any admin the CEO's [ROLE-18]", async () => {
    const [admins, ceos, players] = [
      await addMismatch(other),
      await addMismatch(ceo),
      await addMismatch(await http.addPlayer()),
    ];
    const heldBack = async (by: TestPerson) => {
      const { cases } = (await ask<PaymentCasesView>(by, "GET", "admin/payments")).body;
      return [admins, ceos, players].map(
        (reference) => cases.find(({ payment }) => payment.reference === reference)?.heldBack,
      );
    };
    expect(await heldBack(admin)).toEqual(["admin_matter", null, null]);
    expect(await heldBack(other)).toEqual(["own_matter", null, null]);
    expect(await heldBack(ceo)).toEqual([null, "own_matter", null]);
    expect(await codeOf(correct(admin, admins))).toBe("admin_matter");
    expect(await codeOf(correct(ceo, admins))).toBe("done");
    expect(await codeOf(correct(admin, ceos))).toBe("done");
  });

  test("does not offer another admin to cancel a game against an admin", async () => {
    const player = await http.addPlayer();
    const gameId = await beginWith(player, other);
    const held = async (by: TestPerson) =>
      (await ask<PlayerFileView>(by, "GET", `admin/players/${player.id}`)).body.gameHeldBack;
    expect([await held(admin), await held(other), await held(ceo)]).toEqual(["admin_matter", "own_matter", null]);
    await cancel(ceo, gameId);
    expect(await held(admin)).toBeNull();
  });
});

// [ROLE-19 §6] Staff can read a game's chat only if something in that game was reported, by someone else than
// themselves.
test("shows the chat of reported games only [ROLE-19]", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const gameId = await beginWith(white, black);
  const chat = (by: TestPerson): Acted => ask(by, "GET", `admin/games/${gameId}/chat`);
  for (const one of [admin, ceo]) expect(await codeOf(chat(one))).toBe("unknown_report");
  await report(white, black, gameId);
  for (const one of [admin, ceo]) expect(await codeOf(chat(one))).toBe("done");
  await http.at.games.cancel(white.id, gameId, newId());
});

test("opens no chat to staff by their own report of other players' game [ROLE-19]", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const gameId = await beginWith(white, black);
  const chat = (by: TestPerson): Acted => ask(by, "GET", `admin/games/${gameId}/chat`);
  await report(admin, white, gameId);
  expect([await codeOf(chat(admin)), await codeOf(chat(ceo))]).toEqual(["unknown_report", "done"]);
  await report(black, white, gameId);
  expect(await codeOf(chat(admin))).toBe("done");
  await http.at.games.cancel(white.id, gameId, newId());
});

test("shows staff every message of a reported game, however much was written after it", async () => {
  const [white, black] = [await http.addPlayer(), await http.addPlayer()];
  const gameId = await beginWith(white, black);
  await sql`
    insert into chat_messages (game_id, number, sender_id, command_id, message, created_at)
    select ${gameId}, n, case when n % 2 = 1 then ${white.id} else ${black.id} end, ${gameId.slice(0, 18)} || n, 'word ' || n,
      ${http.at.time.now()}
    from generate_series(1, 1000) n`.execute(database.kysely);
  await report(black, white, gameId);
  const { messages } = (await ask<GameChatView>(admin, "GET", `admin/games/${gameId}/chat`)).body;
  expect(messages.map(({ text }) => text)).toEqual(Array.from({ length: 1000 }, (_, index) => `word ${index + 1}`));
  await http.at.games.cancel(white.id, gameId, newId());
});

describe("acting on oneself", () => {
  const OF_NOBODY = [
    "addAdmin",
    "reconcile",
    "releasePayouts",
    "switchMaintenance",
    "makeReleaseCurrent",
    "settingsEffect",
    "changeSettings",
    "withdrawRevenue",
    "sendOrphanedBalance",
    "confirmCorrection",
    "answerDispute",
  ] as const satisfies readonly RouteName[];
  /** Their own case does not exist for them (fair-play-cases.test.ts). */
  const UNSEEN = [
    "noteFairPlayCase",
    "clearFairPlayCase",
    "proposeForfeit",
    "withdrawForfeit",
    "confirmForfeit",
    "answerAppeal",
  ] as const satisfies readonly RouteName[];
  const OF_SOMEBODY = {
    removeAdmin: async (self) => remove(self, await listedId(emailOf(self))),
    correctPayment: async (self) => correct(self, await addMismatch(self)),
    cancelGame: async (self) => {
      const gameId = await beginWith(self);
      const answer = await cancel(self, gameId);
      await cancel(self === admin ? ceo : admin, gameId);
      return answer;
    },
    endReport: async (self) => {
      const player = await http.addPlayer();
      const gameId = await beginWith(self, player);
      const answer = await endReport(self, await report(player, self, gameId));
      await cancel(self === admin ? ceo : admin, gameId);
      return answer;
    },
    banPlayer: (self) => setBlocked(self, self),
    unbanPlayer: (self) => setBlocked(self, self, false),
    holdWithdrawals: (self) => holdWithdrawals(self, self),
    releaseWithdrawals: (self) => holdWithdrawals(self, self, false),
  } as const satisfies Partial<Record<RouteName, (self: TestPerson) => Acted>>;

  // [ROLE-17 §6 r25] Staff cannot act where they are involved: their account, game, payment, entry in the list, a
  // report by or about them, or an opponent. The audit log does not tell them what was found about them.
  test("covers every action of staff [ROLE-17]", () => {
    const acts = (Object.keys(ROUTES) as RouteName[]).filter(
      (name) => ROUTES[name].path.startsWith("/api/admin/") && ROUTES[name].method !== "get",
    );
    expect([...OF_NOBODY, ...UNSEEN, ...Object.keys(OF_SOMEBODY)].sort()).toEqual(acts.sort());
  });

  test.each(Object.entries(OF_SOMEBODY))("%s is refused to an admin and to the CEO [ROLE-17]", async (name, act) => {
    expect(await codeOf(act(admin))).toBe("own_matter");
    // The owner's address is not listed.
    if (name !== "removeAdmin") expect(await codeOf(act(ceo))).toBe("own_matter");
  });
});
