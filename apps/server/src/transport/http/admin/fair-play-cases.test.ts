import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS } from "@holo/kernel/instant.ts";
import type { FairPlayCaseView, ListedFairPlayCaseView } from "@holo/protocol/admin/fair-play-cases.ts";
import type { AuditEventsView } from "@holo/protocol/admin/staff.ts";
import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adminInvariants } from "../../../admin/audit.ts";
import { fairPlayInvariants } from "../../../fairplay/audit.ts";
import type { FlowFinding } from "../../../fairplay/fairplay.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import { type CoinOrigin, loadWallet, loadWalletOrigins, lockWallet } from "../../../ledger/ledger.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { idOf, playGame } from "../../testing/test-games.ts";
import { openTestHttp, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;
let second: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  [admin, second] = [await staff.makeAdmin(), await staff.makeAdmin()];
});
afterAll(async () => {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...adminInvariants, ...fairPlayInvariants]);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

interface Dumped {
  readonly id: string;
  readonly loser: TestPerson;
  readonly winner: TestPerson;
  readonly coins: bigint;
}

/** Coins won in a game that another threw, found at a withdrawal. */
async function openCase(
  kind: "flow" | "engine" = "flow",
  decision: "hold" | "list" = "hold",
  [loser, winner]: readonly TestPerson[] = [],
): Promise<Dumped> {
  const white = loser ?? (await http.addPlayer());
  const black = winner ?? (await http.addPlayer());
  await playGame(http.at, { white, black });
  const [playerId, now] = [idOf(black), http.at.time.now()];
  const origins = (await loadWalletOrigins(database.kysely, playerId, now)).filter(({ wonFrom }) => wonFrom !== null);
  const coins = origins.reduce((sum, one) => sum + one.coins, 0n) as (typeof origins)[number]["coins"];
  const signal = { name: "captivity", version: 1, class: "money", bits: 6, figures: { captive: 1 }, threshold: 0.9 };
  const flow: FlowFinding = {
    ...{
      kind,
      decision,
      bits: 13,
      gameIds: origins.flatMap(({ wonFrom }) => wonFrom?.gameId ?? []),
      signals: [{ ...signal, class: "money" as const }],
    },
    ...{ sourceIds: [idOf(white)], playerIds: [playerId], won: origins.map(toWonCoins) },
  };
  return { id: await openFor(black, [flow]), loser: white, winner: black, coins };
}

const toWonCoins = ({ coins, origin, wonFrom }: CoinOrigin): FlowFinding["won"][number] => ({
  depositId: origin.pieceId,
  gameId: wonFrom?.gameId ?? null,
  coins: Number(coins),
});

/** The newest case, after a withdrawal at which this was found. */
async function openFor(person: TestPerson, flows: readonly FlowFinding[]): Promise<string> {
  const [playerId, now] = [idOf(person), http.at.time.now()];
  const screening = http.fairPlay.toScreening({ playerId, flows, cluster: [], version: 1 });
  await transact(database, async (tx, afterCommit) => {
    await lockWallet(tx, playerId);
    await screening(tx, afterCommit, now);
  });
  const { rows } = await sql<{ readonly id: string }>`
    select id from fair_play_cases where player_id = ${playerId} order by opened_at desc limit 1`.execute(
    database.kysely,
  );
  return rows[0]!.id;
}

const act = (person: TestPerson, name: string, body: unknown) =>
  staff.ask<FairPlayCaseView>(person, "POST", `admin/fair-play/${name}`, body);
const load = async (person: TestPerson, id: string) =>
  (await staff.ask<FairPlayCaseView>(person, "GET", `admin/fair-play/cases/${id}`)).body;
const listIds = async (state: "open" | "ended") => {
  const path = `admin/fair-play?state=${state}`;
  return (await staff.ask<{ cases: ListedFairPlayCaseView[] }>(admin, "GET", path)).body.cases.map(({ id }) => id);
};
const loadOwn = async (person: TestPerson) => (await staff.ask<OwnFairPlayView>(person, "GET", "fair-play")).body;
const balanceOf = async ({ id }: TestPerson) => (await loadWallet(database.kysely, id as PlayerId))?.balance ?? -1n;
const noticesTo = ({ id }: TestPerson) =>
  http.at.playerFrames.flatMap(({ playerId, frame }) => (playerId === id && frame.type === "notice" ? [frame] : []));

async function propose(id: string, by = admin): Promise<string> {
  const { status, body } = await act(by, "propose", { id, reason: "Thrown games" });
  expect(status).toBe(200);
  return body.proposal!.id;
}

async function forfeit(): Promise<Dumped> {
  const dumped = await openCase();
  const proposalId = await propose(dumped.id);
  expect((await act(second, "confirm", { id: dumped.id, proposalId })).status).toBe(200);
  return dumped;
}

describe("a case", () => {
  test("shows what was found, the flow, its games and what each button pays whom", async () => {
    const { id, loser, winner, coins } = await openCase();
    const named = ({ id: playerId, username }: TestPerson) => ({ id: playerId, username });
    expect(await load(admin, id)).toMatchObject({
      kind: "flow",
      state: "open",
      player: named(winner),
      untilAt: addMs(http.at.time.now(), 72 * HOUR_MS),
      bits: 13,
      findings: [
        { sources: [named(loser)], signals: [{ name: "captivity", figures: { captive: 1 }, threshold: 0.9 }] },
      ],
      graph: {
        nodes: [
          { player: named(winner), role: "player" },
          { player: named(loser), role: "source" },
        ],
        edges: [{ from: loser.id, to: winner.id, coins: String(coins), games: 1 }],
      },
      games: [{ match: { status: "completed", white: named(loser) }, finalScore: null, white: null }],
      forfeit: { coins: String(coins), to: [{ player: named(loser), coins: String(coins) }] },
      refusals: { clear: null, propose: null, confirm: "proposal_over", answer: "no_appeal" },
    });
  });

  test("is about its own games: new ones of the same players open another", async () => {
    const first = await openCase();
    const all = await openCase("flow", "hold", [first.loser, first.winner]);
    const forfeitOf = async (id: string) => (await load(admin, id)).forfeit.coins;
    expect(await forfeitOf(first.id)).toBe(String(first.coins));
    expect(await forfeitOf(all.id)).toBe(String(all.coins - first.coins));
    await act(admin, "clear", { id: first.id, reason: "Played to the end" });
    expect(await forfeitOf(all.id)).toBe(String(all.coins - first.coins));
    http.at.time.advance(73 * HOUR_MS);
    expect((await load(admin, all.id)).state).toBe("released");
    const again = await openCase("flow", "hold", [first.loser, first.winner]);
    expect(await forfeitOf(again.id)).toBe(String(again.coins - all.coins));
  });

  test("is listed by its deadline, and after its end among those that ended", async () => {
    const [listed, first] = [await openCase("flow", "list"), await openCase()];
    http.at.time.advance(HOUR_MS);
    const later = await openCase("engine");
    const list = async (state: "open" | "ended") => {
      const ids = await listIds(state);
      return [first, later, listed].map(({ id }) => ids.indexOf(id));
    };
    const [early = -1, late = -1, last = -1] = await list("open");
    expect([early >= 0, early < late, late < last]).toEqual([true, true, true]);
    expect((await act(admin, "clear", { id: later.id, reason: "Friends" })).status).toBe(200);
    expect((await list("open"))[1]).toBe(-1);
    expect((await list("ended"))[1]).toBe(0);
  });

  // [FAIR-07 §6 r44] Staff do not see a case that concerns themselves, nor what was decided about it; admins none of
  // another admin. The CEO's is any admin's.
  test("concerns the players on its way: staff among them do not see it, nor its audit events [FAIR-07]", async () => {
    const { id } = await openCase("flow", "hold", [second, await http.addPlayer()]);
    expect((await staff.ask(second, "GET", `admin/fair-play/cases/${id}`)).body.code).toBe("unknown_case");
    const body = { id, reason: "All is well" };
    for (const name of ["note", "clear", "propose"])
      expect((await act(second, name, body)).body.code).toBe("unknown_case");
    for (const name of ["withdraw", "confirm"])
      expect((await act(second, name, { id, proposalId: "1" })).body.code).toBe("unknown_case");
    expect((await act(second, "appeal", { ...body, isAccepted: true })).body.code).toBe("unknown_case");
    // The one of an admin is the CEO's.
    expect((await staff.ask(admin, "GET", `admin/fair-play/cases/${id}`)).body.code).toBe("unknown_case");
    expect((await act(staff.ceo, "clear", { id, reason: "All is well" })).status).toBe(200);
    const seenBy = async (person: TestPerson) => {
      const { events } = (await staff.ask<AuditEventsView>(person, "GET", "admin/audit-events")).body;
      return events.some(({ subject }) => subject === id);
    };
    expect([await seenBy(second), await seenBy(staff.ceo)]).toEqual([false, true]);
  });
});

describe("staff", () => {
  test("decide nothing about coins that a forfeit would pay to themselves", async () => {
    // The mule won them from a member of staff before.
    const mule = await http.addPlayer();
    await playGame(http.at, { white: second, black: mule });
    const { id, winner } = await openCase("flow", "hold", [mule]);
    expect((await load(second, id)).refusals).toMatchObject({ clear: "own_matter", propose: "own_matter" });
    const proposalId = await propose(id);
    expect((await act(second, "confirm", { id, proposalId })).body.code).toBe("own_matter");
    expect((await act(staff.ceo, "confirm", { id, proposalId })).status).toBe(200);
    await staff.ask(winner, "POST", "fair-play/appeals", { id, text: "We are friends." });
    const answer = { id, isAccepted: false, reason: "Thank you for writing." };
    expect((await act(second, "appeal", answer)).body.code).toBe("own_matter");
    expect((await act(await staff.makeAdmin(), "appeal", answer)).status).toBe(200);
  });

  test("clear a case alone, with a reason, once", async () => {
    const { id } = await openCase();
    expect((await act(admin, "clear", { id, reason: " " })).body.code).toBe("reason_missing");
    const answers = await Promise.all([
      act(admin, "clear", { id, reason: "Friends" }),
      act(second, "clear", { id, reason: "Friends" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await load(admin, id)).toMatchObject({ state: "cleared", acts: [{ type: "cleared", text: "Friends" }] });
    const { events } = (await staff.ask<AuditEventsView>(admin, "GET", "admin/audit-events")).body;
    expect(events[0]).toMatchObject({ action: "fair_play_cleared", subject: id, detail: "Friends" });
  });

  test("forfeit together: the coins go back to who lost them, and both are told [FAIR-04]", async () => {
    const { id, loser, winner, coins } = await openCase();
    const before = [await balanceOf(loser), await balanceOf(winner)] as const;
    const proposalId = await propose(id);
    expect((await act(second, "clear", { id, reason: "Friends" })).body.code).toBe("forfeit_proposed");
    expect((await act(admin, "confirm", { id, proposalId })).body.code).toBe("second_member_needed");
    const answers = await Promise.all([
      act(second, "confirm", { id, proposalId }),
      act(staff.ceo, "confirm", { id, proposalId }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await balanceOf(loser)).toBe(before[0] + coins);
    expect(await balanceOf(winner)).toBe(before[1] - coins);
    expect(noticesTo(winner).at(-1)?.text).toContain("were not played fairly. You can appeal once, within 14 days");
    expect(noticesTo(loser).at(-1)?.text).toMatch(/^You got [\d.]+ holocoins back/);
    expect(await load(admin, id)).toMatchObject({
      state: "forfeited",
      acts: [{ type: "proposed" }, { type: "forfeited", given: [{ player: { id: loser.id }, coins: String(coins) }] }],
    });
  });

  test("withdraw a proposal, after which no one confirms it [FAIR-04]", async () => {
    const { id } = await openCase();
    const proposalId = await propose(id);
    expect((await act(admin, "withdraw", { id, proposalId })).status).toBe(200);
    expect((await act(second, "confirm", { id, proposalId })).body.code).toBe("proposal_over");
    expect((await act(second, "clear", { id, reason: "Friends" })).status).toBe(200);
  });

  test("lose their proposal with their role [FAIR-04]", async () => {
    const [{ id }, former] = [await openCase(), await staff.makeAdmin()];
    const proposalId = await propose(id, former);
    await staff.removeAdmin(former);
    expect((await act(second, "confirm", { id, proposalId })).body.code).toBe("proposal_over");
    expect(await load(admin, id)).toMatchObject({ proposal: null, refusals: { clear: null, propose: null } });
    expect((await act(second, "clear", { id, reason: "Friends" })).status).toBe(200);
  });

  test("are too late after 72 hours: the coins are released by themselves", async () => {
    const { id } = await openCase();
    const proposalId = await propose(id);
    const { untilAt } = await load(admin, id);
    http.at.time.advance(72 * HOUR_MS);
    expect((await act(second, "confirm", { id, proposalId })).body.code).toBe("case_over");
    expect((await act(second, "clear", { id, reason: "Late" })).body.code).toBe("case_over");
    await http.fairPlay.keepUp();
    expect(await load(admin, id)).toMatchObject({
      state: "released",
      endedAt: untilAt,
      acts: [{ type: "proposed" }, { type: "released", username: null }],
    });
  });

  test("look at a random check, which holds nothing and only ends", async () => {
    const id = await openFor(await http.addPlayer(), []);
    const refusals = { clear: null, propose: "never_forfeited" };
    const nothing = { coins: "0", untilAt: null, findings: [], games: [], held: [], graph: { edges: [] }, refusals };
    expect(await load(admin, id)).toMatchObject({ kind: "review", state: "open", ...nothing });
    expect((await act(admin, "propose", { id, reason: "Why" })).body.code).toBe("never_forfeited");
    expect((await act(admin, "clear", { id, reason: "All is well" })).body.state).toBe("cleared");
  });

  test("never forfeit what is only listed, and leave notes on anything", async () => {
    const { id } = await openCase("flow", "list");
    expect(await load(admin, id)).toMatchObject({ kind: "listed", untilAt: null });
    expect((await act(admin, "propose", { id, reason: "Why" })).body.code).toBe("never_forfeited");
    expect((await act(admin, "note", { id, reason: "Looks\nlike friends" })).body.acts.at(-1)).toMatchObject({
      type: "note",
      text: "Looks like friends",
      username: admin.username,
    });
  });
});

describe("the player", () => {
  // [FAIR-05 §6 r44] A player appeals against a forfeit once, within 14 days. Someone else than the two who decided
  // answers. An accepted appeal is paid by the platform; the others keep their coins.
  test("sees a forfeit with its games, appeals once, and is answered by a third member [FAIR-05]", async () => {
    const { id, winner, coins } = await forfeit();
    expect(await loadOwn(winner)).toMatchObject({
      held: [],
      cases: [
        { id, state: "forfeited", forfeitedCoins: String(coins), appealUntilAt: expect.any(Number), appeal: null },
      ],
    });
    const appeal = (person: TestPerson, text: string) =>
      staff.ask<OwnFairPlayView>(person, "POST", "fair-play/appeals", { id, text });
    expect((await appeal(await http.addPlayer(), "Mine")).body.code).toBe("unknown_case");
    expect((await appeal(winner, " ")).body.code).toBe("fair_play_text_missing");
    const answers = await Promise.all([appeal(winner, "We are brothers."), appeal(winner, "We are brothers.")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect([(await listIds("open"))[0], await listIds("ended")]).toEqual([id, expect.not.arrayContaining([id])]);
    const answer = (person: TestPerson, isAccepted: boolean) =>
      act(person, "appeal", { id, isAccepted, reason: "Thank you for writing." });
    expect((await answer(admin, false)).body.code).toBe("third_member_needed");
    expect((await answer(second, false)).body.code).toBe("third_member_needed");
    expect((await answer(staff.ceo, false)).status).toBe(200);
    expect((await answer(staff.ceo, true)).body.code).toBe("appeal_answered");
    expect([await listIds("open"), (await listIds("ended"))[0]]).toEqual([expect.not.arrayContaining([id]), id]);
    expect((await loadOwn(winner)).cases[0]).toMatchObject({
      appealUntilAt: null,
      appeal: { text: "We are brothers.", answer: { isAccepted: false, text: "Thank you for writing." } },
    });
  });

  test("gets the coins of an accepted appeal from the platform; the others keep theirs [FAIR-05]", async () => {
    const { id, loser, winner, coins } = await forfeit();
    const before = [await balanceOf(loser), await balanceOf(winner)] as const;
    await staff.ask(winner, "POST", "fair-play/appeals", { id, text: "We are brothers." });
    const accept = () => act(staff.ceo, "appeal", { id, isAccepted: true, reason: "Sorry." });
    // The fees of so many games pay one back.
    const others = { white: await http.addPlayer(), black: await http.addPlayer() };
    for (let games = 0; games < 8; games += 1) await playGame(http.at, others);
    expect((await accept()).status).toBe(200);
    expect([await balanceOf(loser), await balanceOf(winner)]).toEqual([before[0], before[1] + coins]);
    expect(noticesTo(winner).at(-1)?.text).toMatch(/^You were right, and we are sorry/);
  });

  test("waits for an accepted appeal until revenue pays it, and may be refused meanwhile", async () => {
    const pair = { white: await http.addPlayer(), black: await http.addPlayer() };
    // What they lose is more than all fees of these tests.
    for (let games = 0; games < 9; games += 1) await playGame(http.at, pair);
    const { id, winner } = await openCase("flow", "hold", [pair.white, pair.black]);
    await act(second, "confirm", { id, proposalId: await propose(id) });
    await staff.ask(winner, "POST", "fair-play/appeals", { id, text: "We are brothers." });
    const before = await balanceOf(winner);
    const answer = (isAccepted: boolean) => act(staff.ceo, "appeal", { id, isAccepted, reason: "Sorry." });
    expect((await answer(true)).body.code).toBe("appeal_unpayable");
    expect(await balanceOf(winner)).toBe(before);
    expect(await load(admin, id)).toMatchObject({ appeal: "open" });
    expect((await answer(false)).status).toBe(200);
  });

  test("is too late after 14 days [FAIR-05]", async () => {
    const { id, winner } = await forfeit();
    http.at.time.advance(14 * DAY_MS + 1);
    const late = { ...winner, cookie: await http.logIn(winner.username) };
    const { body } = await staff.ask(late, "POST", "fair-play/appeals", { id, text: "Late" });
    expect(body.code).toBe("appeal_over");
  });
});

// [FAIR-08 §- r44] Everyone can read for each year how many withdrawals were asked for and held, how the checks ended,
// how many appeals there were, and how long coins waited on average.
test("the yearly counts are open to everyone [FAIR-08]", async () => {
  const { body } = await staff.ask<{ years: { held: number; forfeited: number }[] }>(null, "GET", "fair-play/years");
  expect(body.years[0]).toMatchObject({ held: expect.any(Number), forfeited: expect.any(Number) });
});

// What is left of a deleted case, its marks and audit events, passes the audit afterwards.
test("cases are kept for five years after their end, and forfeits for good", async () => {
  // Sessions of earlier tests have ended.
  admin = { ...admin, cookie: await http.logIn(admin.username) };
  second = { ...second, cookie: await http.logIn(second.username) };
  const [forfeited, cleared, lapsed, listed] = [
    await forfeit(),
    await openCase(),
    await openCase(),
    await openCase("flow", "list"),
  ];
  await act(admin, "clear", { id: cleared.id, reason: "Friends" });
  await propose(lapsed.id);
  const review = await openFor(await http.addPlayer(), []);
  const ids = [forfeited, cleared, lapsed, listed].map(({ id }) => id).concat(review);
  const listKept = async () => {
    const { rows } = await sql<{ readonly id: string }>`
      select id from fair_play_cases where id = any(${ids})`.execute(database.kysely);
    return new Set(rows.map(({ id }) => id));
  };
  http.at.time.advance(4 * 365 * DAY_MS);
  await http.fairPlay.keepUp();
  expect(await listKept()).toEqual(new Set(ids));
  http.at.time.advance(2 * 366 * DAY_MS);
  await playGame(http.at, { white: await http.addPlayer(), black: await http.addPlayer() });
  await http.fairPlay.keepUp();
  expect(await listKept()).toEqual(new Set([forfeited.id]));
});
