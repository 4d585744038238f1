import { randomUUID } from "node:crypto";
import type { GameId } from "@holo/kernel/ids.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import type { AdminsView, AuditEventsView } from "@holo/protocol/admin/staff.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { ROUTES, type RouteName } from "@holo/protocol/routes.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../platform/database/database.ts";
import { createTestDatabase } from "../../platform/testing/test-database.ts";
import { type Fingerprint, makeFingerprint } from "../../platform/testing/test-rows.ts";
import { makeProgram } from "../testing/test-builds.ts";
import { beginGame, gameOf, newId, openGame, playGame } from "../testing/test-games.ts";
import { ORIGIN, openTestHttp, PASSWORD, send, type TestHttp, type TestPerson } from "../testing/test-http.ts";
import { emailOf, openTestStaff, type TestStaff } from "../testing/test-staff.ts";

/**
 * Other players' objects, requested by id: every field of every route that names one. A caller
 * without a right gets the answer for an unknown id, so no answer reveals which ids exist.
 */

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let fingerprint: () => Promise<Fingerprint>;
let stranger: TestPerson;
let somebody: TestPerson;
let inviter: TestPerson;
let admin: TestPerson;
let theirs: Awaited<ReturnType<typeof makeTheirs>>;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  stranger = await http.addPlayer();
  somebody = await http.addPlayer();
  inviter = await http.addPlayer();
  admin = await staff.makeAdmin();
  theirs = await makeTheirs();
  fingerprint = await makeFingerprint(database);
});
afterAll(async () => {
  await http.close();
  await database.close();
});

const MONEY = { kobo: 500_000, accountNumber: "0123456789", bankCode: "057" };
const SETTINGS = { rateKobo: 30_600, feeBps: 740 };

async function makeTheirs() {
  const { ceo, ask } = staff;
  const other = await http.addPlayer();
  const over: GameId = (await playGame(http.at, { white: somebody, black: other })).gameId;
  const active: GameId = (await beginGame(http.at, { white: await http.addPlayer(), black: other })).gameId;
  const waiting: GameId = await openGame(http.at, somebody);
  const invited = await openInvitedGame();
  const told = { gameId: over, playerId: other.id, reason: "abuse", text: "…" };
  const report = await staff.report(somebody, told);
  // One per case, because the caller has used the id by then.
  const commands: readonly string[] = [newId(), newId(), newId()];
  for (const commandId of commands)
    await ask(somebody, "POST", "deposits", {
      commandId,
      kobo: 500_000,
      payKobo: 500_000,
      rateKobo: SETTINGS.rateKobo,
    });
  const settingsCommand: string = newId();
  const change = { ...SETTINGS, feeBps: 750, expected: SETTINGS, commandId: settingsCommand, password: PASSWORD };
  expect((await ask(ceo, "POST", "admin/settings", change)).status).toBe(200);
  await send(http.app, "POST", "/api/login", { email: emailOf(somebody), password: PASSWORD });
  const blocked = await http.addPlayer();
  await ask(ceo, "POST", "admin/bans", { playerId: blocked.id, reason: "…" });
  const { banId } = (await ask<PlayerFileView>(ceo, "GET", `admin/players/${blocked.id}`)).body;
  const held = await http.addPlayer();
  await ask(ceo, "POST", "admin/holds", { playerId: held.id, reason: "…" });
  const { withdrawalHoldId } = (await ask<PlayerFileView>(ceo, "GET", `admin/players/${held.id}`)).body;
  const listed = await staff.makeAdmin();
  const { admins } = (await ask<AdminsView>(ceo, "GET", "admin/admins")).body;
  const { events } = (await ask<AuditEventsView>(ceo, "GET", "admin/audit-events")).body;
  const { rows } = await sql<Readonly<Record<"reference" | "payment" | "session" | "entry", string>>>`
    select reference, id as payment, (select id from sessions where player_id = ${somebody.id} order by started_at desc, id limit 1) as session,
      (select max(entry_id)::text from ledger_postings) as entry
    from payments where player_id = ${somebody.id} limit 1`.execute(database.kysely);
  return {
    ...{
      over,
      active,
      waiting,
      invited,
      report,
      commands,
      settingsCommand,
      blocked: blocked.id,
      ban: banId!,
      held: held.id,
      hold: withdrawalHoldId!,
    },
    ...{ listed: admins.find(({ email }) => email === emailOf(listed))!.id, act: events[0]!.id, ...rows[0]! },
    release: (await upload()).id,
    proposal: await propose(rows[0]!.payment),
    forfeited: await addCase("forfeited", ["proposed", "forfeited"]),
    checked: await addCase("open", ["proposed"]),
  };
}

/** Of the other player, with its newest act. */
async function addCase(state: string, acts: readonly string[]) {
  const [id, now] = [randomUUID(), http.at.time.now()];
  await sql`
    insert into fair_play_cases (id, player_id, kind, state, opened_at, until_at, ended_at, coins, deposit_ids, game_ids, concerned, finding)
    values (${id}, ${somebody.id}, 'flow', ${state}, ${now}, ${now + 1_000_000}, ${state === "open" ? null : now}, 0, '{}', '{}',
      array[${somebody.id}::text], '{"flows":[],"edges":[],"cluster":[],"version":1}')`.execute(database.kysely);
  let act = "";
  for (const type of acts) {
    const { rows } = await sql<{ readonly id: string }>`
      with event as (insert into audit_events (at, player_id, action, subject, detail)
        values (${now}, ${staff.ceo.id}, 'forfeit_proposed', ${id}, '…') returning id)
      insert into fair_play_acts (case_id, type, by_id, at, text, audit_event_id)
      select ${id}, ${type}, ${staff.ceo.id}, ${now}, '…', event.id from event returning id::text`.execute(
      database.kysely,
    );
    act = rows[0]!.id;
  }
  return { id, act };
}

/** A correction that waits for a second member. */
async function propose(paymentId: string): Promise<string> {
  const id = randomUUID();
  await sql`
    insert into payment_corrections (id, payment_id, act, kobo, last_fact, reason, proposed_by, proposed_at)
    values (${id}, ${paymentId}, 'credit', 500000, 0, '…', ${admin.id}, ${http.at.time.now()})`.execute(
    database.kysely,
  );
  return id;
}

async function openInvitedGame(): Promise<GameId> {
  const terms = { game: "chess", stake: 1, limitMinutes: 5, feeBps: SETTINGS.feeBps, byInvitation: true } as const;
  return gameOf(await http.at.matches.create({ ...terms, player: inviter, commandId: newId() }));
}

async function upload(): Promise<ReleaseView> {
  const program = makeProgram(null);
  const length = String(program.byteLength);
  const headers = { origin: ORIGIN, cookie: admin.cookie, "content-type": "application/octet-stream" };
  const init = { method: "POST", headers: { ...headers, "content-length": length }, body: new Uint8Array(program) };
  const answer = await http.app.request(`${ORIGIN}/api/admin/releases?platform=windows&version=1.0.0`, init, {});
  expect(answer.status).toBe(200);
  return (await answer.json()) as ReleaseView;
}

interface Question {
  readonly id?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

interface Case {
  /** The caller without a right. Default: a player. */
  readonly as?: "visitor";
  readonly theirs: () => string;
  /** An unknown value. Default: an unknown id in our format. */
  readonly nothing?: string;
  readonly ask: (id: string) => Question;
  /** The caller with a right. Default: an admin. */
  readonly right?: () => TestPerson;
}

interface Public {
  readonly isPublic: string;
}

const GAMES: Public = { isPublic: "players see every game (ruling 22)" };
const PLAYERS: Public = { isPublic: "a player's record is open to everyone (ruling 29)" };
const inPath = (id: string): Question => ({ id });
const waitingToVisitors: Case = {
  as: "visitor",
  theirs: () => theirs.waiting,
  ask: inPath,
  right: () => stranger,
};

const CASES: Readonly<Record<string, Case | Public>> = {
  "endSession.id": { theirs: () => theirs.session, ask: (id) => ({ body: { id } }), right: () => somebody },
  "match.id": waitingToVisitors,
  "log.id": waitingToVisitors,
  "ownInvitation.id": { theirs: () => theirs.invited, ask: inPath, right: () => inviter },
  "settlement.id": GAMES,
  "player.id": PLAYERS,
  "updateRelation.id": PLAYERS,
  "report.gameId": GAMES,
  "report.playerId": PLAYERS,
  "statement.before": {
    theirs: () => theirs.entry,
    nothing: "999999999",
    ask: (before) => ({ query: { before } }),
    right: () => somebody,
  },
  "deposit.commandId": {
    theirs: () => theirs.commands[0]!,
    ask: (commandId) => ({ body: { commandId, kobo: 600_000, payKobo: 600_000, rateKobo: SETTINGS.rateKobo } }),
    right: () => somebody,
  },
  "withdraw.commandId": {
    theirs: () => theirs.commands[1]!,
    ask: (commandId) => ({ body: { ...MONEY, commandId, feeKobo: 0, rateKobo: SETTINGS.rateKobo } }),
    right: () => somebody,
  },
  "closeAccount.commandId": {
    theirs: () => theirs.commands[2]!,
    ask: (commandId) => {
      const { kobo, ...account } = MONEY;
      return { body: { commandId, kobo, feeKobo: 0, account, password: PASSWORD } };
    },
    right: () => somebody,
  },
  "reopenDeposit.reference": {
    theirs: () => theirs.reference,
    ask: (reference) => ({ body: { reference, rateKobo: 30_600 } }),
    right: () => somebody,
  },
  "checkDeposit.reference": {
    theirs: () => theirs.reference,
    ask: (reference) => ({ body: { reference } }),
    right: () => somebody,
  },
  "refundToCard.paymentId": {
    theirs: () => theirs.payment,
    ask: (paymentId) => ({ body: { paymentId, kobo: 490_000, feeKobo: 10_000 } }),
    right: () => somebody,
  },
  "cancelWithdrawal.reference": {
    theirs: () => theirs.reference,
    ask: (reference) => ({ body: { reference } }),
    right: () => somebody,
  },

  "writeToFairPlay.paymentId": { isPublic: "with a withdrawal that waits: wallet/held-by-fair-play.test.ts" },
  "appealForfeit.id": {
    theirs: () => theirs.forfeited.id,
    ask: (id) => ({ body: { id, text: "…" } }),
    right: () => somebody,
  },

  // for staff
  "fairPlayCase.id": { theirs: () => theirs.checked.id, ask: inPath },
  "noteFairPlayCase.id": { theirs: () => theirs.checked.id, ask: (id) => ({ body: { id, reason: "…" } }) },
  "proposeForfeit.id": { theirs: () => theirs.checked.id, ask: (id) => ({ body: { id, reason: "…" } }) },
  "clearFairPlayCase.id": { theirs: () => theirs.checked.id, ask: (id) => ({ body: { id, reason: "…" } }) },
  "confirmForfeit.id": {
    theirs: () => theirs.checked.id,
    ask: (id) => ({ body: { id, proposalId: theirs.checked.act } }),
  },
  "confirmForfeit.proposalId": {
    theirs: () => theirs.checked.act,
    nothing: "999999999",
    ask: (proposalId) => ({ body: { id: theirs.checked.id, proposalId } }),
  },
  "withdrawForfeit.id": {
    theirs: () => theirs.checked.id,
    ask: (id) => ({ body: { id, proposalId: theirs.checked.act } }),
  },
  "withdrawForfeit.proposalId": {
    theirs: () => theirs.checked.act,
    nothing: "999999999",
    ask: (proposalId) => ({ body: { id: theirs.checked.id, proposalId } }),
  },
  "answerAppeal.id": {
    theirs: () => theirs.forfeited.id,
    ask: (id) => ({ body: { id, reason: "…", isAccepted: false } }),
  },
  "removeAdmin.id": { theirs: () => theirs.listed, ask: (id) => ({ body: { id } }) },
  "auditEvents.before": { theirs: () => theirs.act, nothing: "999999999", ask: (before) => ({ query: { before } }) },
  "changeSettings.commandId": {
    theirs: () => theirs.settingsCommand,
    ask: (commandId) => {
      const body = { ...SETTINGS, feeBps: 750, expected: SETTINGS, commandId, password: PASSWORD };
      return { body };
    },
    right: () => staff.ceo,
  },
  "withdrawRevenue.commandId": {
    theirs: () => theirs.settingsCommand,
    ask: (commandId) => ({ body: { ...MONEY, commandId, password: PASSWORD } }),
    right: () => staff.ceo,
  },
  "sendOrphanedBalance.commandId": {
    theirs: () => theirs.commands[2]!,
    ask: (commandId) => ({ body: { commandId, playerId: somebody.id, kobo: 5, account: null, reason: "…" } }),
  },
  "sendOrphanedBalance.playerId": {
    theirs: () => somebody.id,
    ask: (playerId) => ({ body: { commandId: randomUUID(), playerId, kobo: 5, account: null, reason: "…" } }),
  },
  "correctPayment.reference": {
    theirs: () => theirs.reference,
    ask: (reference) => ({ body: { reference, act: "refund", kobo: 1, lastFact: 1, reason: "…" } }),
  },
  "confirmCorrection.id": { theirs: () => theirs.proposal, ask: (id) => ({ body: { id } }) },
  // No dispute is open: staff are told so, and others nothing.
  "answerDispute.reference": {
    theirs: () => theirs.reference,
    ask: (reference) => ({ body: { reference, disputeId: "1", evidence: "…" } }),
  },
  "answerDispute.disputeId": {
    theirs: () => "1",
    ask: (disputeId) => ({ body: { reference: theirs.reference, disputeId, evidence: "…" } }),
  },
  "cancelGame.gameId": { theirs: () => theirs.active, ask: (gameId) => ({ body: { gameId, reason: "…" } }) },
  "gameChat.id": { theirs: () => theirs.over, ask: inPath },
  "reports.after": { theirs: () => theirs.report, ask: (after) => ({ query: { after } }) },
  "endReport.id": { theirs: () => theirs.report, ask: (id) => ({ body: { id, outcome: "acted", note: "…" } }) },
  "searchPlayers.after": { theirs: () => somebody.username, ask: (after) => ({ query: { text: "u", after } }) },
  "playerFile.id": { theirs: () => somebody.id, ask: inPath },
  "playerGames.id": { theirs: () => somebody.id, ask: inPath },
  "playerGames.before": {
    theirs: () => String(http.at.time.now()),
    nothing: "1",
    ask: (before) => ({ id: somebody.id, query: { before } }),
  },
  "playerEntries.id": { theirs: () => somebody.id, ask: inPath },
  "playerEntries.before": {
    theirs: () => theirs.entry,
    nothing: "1",
    ask: (before) => ({ id: somebody.id, query: { before } }),
  },
  "banPlayer.playerId": { theirs: () => somebody.id, ask: (playerId) => ({ body: { playerId, reason: "…" } }) },
  "unbanPlayer.playerId": {
    theirs: () => theirs.blocked,
    ask: (playerId) => ({ body: { playerId, banId: "1", reason: "…" } }),
  },
  "unbanPlayer.banId": {
    theirs: () => theirs.ban,
    nothing: "1",
    ask: (banId) => ({ body: { playerId: theirs.blocked, banId, reason: "…" } }),
  },
  "holdWithdrawals.playerId": { theirs: () => somebody.id, ask: (playerId) => ({ body: { playerId, reason: "…" } }) },
  "releaseWithdrawals.playerId": {
    theirs: () => theirs.held,
    ask: (playerId) => ({ body: { playerId, holdId: "1", reason: "…" } }),
  },
  "releaseWithdrawals.holdId": {
    theirs: () => theirs.hold,
    nothing: "1",
    ask: (holdId) => ({ body: { playerId: theirs.held, holdId, reason: "…" } }),
  },
  "makeReleaseCurrent.id": { theirs: () => theirs.release, ask: (id) => ({ body: { id, insteadOf: null } }) },
};

const NAMES_SOMETHING = /^(id|reference|before|after)$|Id$/;

function listFields(): readonly string[] {
  return Object.entries(ROUTES).flatMap(([name, route]) => {
    const parts = ["params", "query", "body"].map((part) => (route as Readonly<Record<string, unknown>>)[part]);
    const fields = parts.flatMap((part) => Object.keys((part as { shape?: object } | undefined)?.shape ?? {}));
    return fields.filter((field) => NAMES_SOMETHING.test(field)).map((field) => `${name}.${field}`);
  });
}

async function ask(
  name: RouteName,
  { id, query, body }: Question,
  person: TestPerson | null,
): Promise<readonly [number, string]> {
  const { method, path } = ROUTES[name];
  const target = `${path.replace("{id}", id ?? "")}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`;
  const headers = person === null ? {} : { cookie: person.cookie };
  const answer = await send(http.app, method.toUpperCase(), target, body, headers);
  return [answer.status, await answer.text()];
}

// [ROLE-16 §6] A request that names another player's payment, session or report is answered as if it did not exist.
test("has a case for exactly the fields that name something [ROLE-16]", () => {
  expect(listFields().toSorted()).toEqual(Object.keys(CASES).sort());
});

describe("a thing of another player", () => {
  const cases = Object.entries(CASES).flatMap(([field, one]) => ("isPublic" in one ? [] : [[field, one] as const]));

  test.each(cases)("is not revealed by %s [ROLE-16]", async (field, one) => {
    const name = field.split(".")[0] as RouteName;
    const asker = one.as === "visitor" ? null : stranger;
    const nothing = await ask(name, one.ask(one.nothing ?? randomUUID()), asker);
    const before = await fingerprint();
    const asked = await ask(name, one.ask(one.theirs()), asker);
    expect(asked).toEqual(nothing);
    // A command starts even if another player has used its id.
    if (!field.endsWith(".commandId")) expect(await fingerprint()).toEqual(before);
    expect(await ask(name, one.ask(one.theirs()), (one.right ?? (() => admin))())).not.toEqual(asked);
  });
});
