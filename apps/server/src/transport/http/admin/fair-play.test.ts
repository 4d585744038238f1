import type { PlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS } from "@holo/kernel/instant.ts";
import type { RestrictionsView } from "@holo/protocol/accounts/restrictions.ts";
import type { FairPlayPeriod, SuspiciousPairsView } from "@holo/protocol/admin/fair-play.ts";
import type { PlayerFileView } from "@holo/protocol/admin/moderation.ts";
import type { AuditEventsView } from "@holo/protocol/admin/staff.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { shareTrace } from "../../../accounts/testing/shared-trace.ts";
import { adminInvariants } from "../../../admin/audit.ts";
import { loadPairFlows } from "../../../fairplay/fairplay.ts";
import { gameInvariants } from "../../../game/audit/audit.ts";
import { ledgerInvariants } from "../../../ledger/audit/audit.ts";
import type { Database } from "../../../platform/database/database.ts";
import { audit } from "../../../platform/database/invariant.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { createTestDatabase } from "../../../platform/testing/test-database.ts";
import { addEndedGames, gameOf, idOf, move, newId, playGame } from "../../testing/test-games.ts";
import { openTestHttp, type TestHttp, type TestPerson } from "../../testing/test-http.ts";
import { openTestStaff, type TestStaff } from "../../testing/test-staff.ts";

let database: Database;
let http: TestHttp;
let staff: TestStaff;
let admin: TestPerson;

beforeAll(async () => {
  database = await createTestDatabase();
  http = await openTestHttp(database);
  staff = await openTestStaff(http, database);
  admin = await staff.makeAdmin();
});
afterAll(async () => {
  const broken = await audit(database.kysely, [...ledgerInvariants, ...gameInvariants, ...adminInvariants]);
  await http.close();
  await database.close();
  expect(broken).toBeNull();
});

const FOOLS_MATE = [
  [53, 45],
  [12, 28],
  [54, 38],
  [3, 39],
] as const;

async function loseByFoolsMate(white: TestPerson, black: TestPerson, isMatched: boolean): Promise<void> {
  const { matches } = http.at;
  const order = { game: "chess", stake: 10, limitMinutes: 5, feeBps: 740 } as const;
  const gameId = gameOf(await matches.create({ ...order, player: white, commandId: newId() }));
  gameOf(
    isMatched
      ? await matches.create({ ...order, player: black, commandId: newId() })
      : await matches.join(black, gameId, newId()),
  );
  for (const [ply, path] of FOOLS_MATE.entries()) {
    gameOf(await move(http.at, ply % 2 === 0 ? white : black, gameId, ply + 2, path));
  }
}

async function share(one: TestPerson, other: TestPerson): Promise<void> {
  await transact(database, (tx) => shareTrace(tx, "bank_account", idOf(one), [idOf(other)], http.at.time.now()));
}

async function loadPairs(viewer: TestPerson, period: FairPlayPeriod = "day") {
  const { body } = await staff.ask<SuspiciousPairsView>(viewer, "GET", `admin/pairs?period=${period}`);
  return body.pairs;
}

const isOf =
  (one: { readonly id: string }, other: { readonly id: string }) =>
  ({ from, to }: { readonly from: { readonly id: PlayerId }; readonly to: { readonly id: PlayerId } }) =>
    new Set<string>([from.id, to.id, one.id, other.id]).size === 2;

// [ADMIN-10 §6] Fair Play lists, for 24 hours, 7 or 30 days, pairs with one-sided flow of coins, games lost within
// five moves or one bank account. Staff do not see their own pairs; those with admins are the CEO's.
test("lists ten fool's mates for 160 HC each as one pair with the coins that went over [ADMIN-10]", async () => {
  const [dumper, receiver] = [await http.addPlayer(), await http.addPlayer()];
  for (let games = 0; games < 10; games += 1) await loseByFoolsMate(dumper, receiver, games < 3);
  const [first] = await loadPairs(admin);
  expect(first).toEqual({
    from: { id: dumper.id, username: dumper.username, isHeld: false },
    to: { id: receiver.id, username: receiver.username, isHeld: false },
    netCoins: "1600000000",
    games: 10,
    lost: 10,
    won: 0,
    quickLosses: 10,
    chosen: 7,
    lastGameAt: expect.any(Number),
    sharedSinceAt: null,
    signals: ["one_sided", "quick_losses"],
  });
  await share(receiver, dumper);
  expect((await loadPairs(admin))[0]).toMatchObject({
    from: { id: dumper.id },
    signals: ["shared_bank_account", "one_sided", "quick_losses"],
  });
  http.at.time.advance(2 * DAY_MS);
  expect((await loadPairs(admin, "day")).some(isOf(dumper, receiver))).toBe(false);
  expect((await loadPairs(admin, "week")).some(isOf(dumper, receiver))).toBe(true);
});

test("lists a shared bank account without games, and not two players with two short games", async () => {
  const [white, black, third] = [await http.addPlayer(), await http.addPlayer(), await http.addPlayer()];
  for (let games = 0; games < 2; games += 1) await playGame(http.at, { white, black });
  await share(black, third);
  const pairs = await loadPairs(admin);
  expect(pairs.some(isOf(white, black))).toBe(false);
  expect(pairs.find(isOf(black, third))).toMatchObject({ netCoins: "0", games: 0, signals: ["shared_bank_account"] });
});

// [FREE-07 §- r41] A pair that only plays free games is in no list of Fair Play, however one-sided and short they are.
test("lists no pair for free games [FREE-07]", async () => {
  const [one, other] = [idOf(await http.addPlayer()), idOf(await http.addPlayer())];
  const at = http.at.time.now();
  const lost = { white: one, black: other, winner: other, at };
  const order = { since: addMs(at, -1), until: at, pairs: [], limit: 100 };
  const isListed = async () => (await loadPairFlows(database.kysely, order)).some(({ from }) => from === one);
  await addEndedGames(
    database,
    Array.from({ length: 10 }, () => ({ ...lost, stake: 0 as const })),
  );
  expect(await isListed()).toBe(false);
  await addEndedGames(
    database,
    Array.from({ length: 10 }, () => lost),
  );
  expect(await isListed()).toBe(true);
  await database.pool.query("delete from games where player1_id = $1", [one]);
  await database.pool.query("delete from player_outcomes where player_id = any($1)", [[one, other]]);
});

test("lists no pair of the viewer, and staff to the CEO alone [ADMIN-10]", async () => {
  const [other, player] = [await staff.makeAdmin(), await http.addPlayer()];
  for (const person of [admin, other, staff.ceo]) await share(person, player);
  const seenBy = async (viewer: TestPerson) => {
    const pairs = await loadPairs(viewer);
    return [admin, other, staff.ceo].filter((person) => pairs.some(isOf(person, player)));
  };
  expect(await seenBy(admin)).toEqual([]);
  expect(await seenBy(staff.ceo)).toEqual([admin, other]);
});

// [ADMIN-11 §6 r25] In a player's file staff hold the withdrawals with a reason and release them, each in the audit
// log. The player reads the reason in the wallet at once. Staff who may ban a player may also hold their withdrawals.
test("staff hold a player's withdrawals with a reason that the player reads, and release them [ADMIN-11]", async () => {
  const [player, other] = [await http.addPlayer(), await http.addPlayer()];
  await share(player, other);
  const hold = (by: TestPerson, reason: string) =>
    staff.ask(by, "POST", "admin/holds", { playerId: player.id, reason });
  const release = (by: TestPerson, reason: string, holdId: string) =>
    staff.ask(by, "POST", "admin/holds/end", { playerId: player.id, reason, holdId });
  const loadHoldId = async () =>
    (await staff.ask<PlayerFileView>(admin, "GET", `admin/players/${player.id}`)).body.withdrawalHoldId;
  const loadReason = async () => (await staff.ask<RestrictionsView>(player, "GET", "limits")).body.withdrawalsHeldFor;
  const loadHeld = async () => {
    const pair = (await loadPairs(admin)).find(isOf(player, other));
    return [pair?.from, pair?.to].filter((one) => one?.isHeld).map((one) => one?.id);
  };

  expect((await hold(admin, " ")).body.code).toBe("reason_missing");
  expect((await hold(admin, "We check\nyour games.")).status).toBe(200);
  expect(await loadReason()).toBe("We check your games.");
  expect(http.at.playerFrames.at(-1)).toMatchObject({
    playerId: player.id,
    frame: { type: "limits", limits: { withdrawalsHeldFor: "We check your games." } },
  });
  expect(await loadHeld()).toEqual([player.id]);
  expect((await hold(admin, "Again")).body.code).toBe("hold_unchanged");
  const first = (await loadHoldId())!;
  expect((await release(admin, "All is well", first)).status).toBe(200);
  expect((await release(admin, "Again", first)).body.code).toBe("hold_unchanged");
  expect([await loadReason(), await loadHeld(), await loadHoldId()]).toEqual([null, [], null]);
  const { events } = (await staff.ask<AuditEventsView>(staff.ceo, "GET", "admin/audit-events")).body;
  expect(events.slice(0, 2)).toMatchObject([
    { action: "withdrawals_released", subject: player.id, detail: `${player.username}: All is well` },
    { action: "withdrawals_held", subject: player.id, detail: `${player.username}: We check your games.` },
  ]);
  // A page that still shows the first hold does not release the next one.
  expect((await hold(staff.ceo, "A stolen card")).status).toBe(200);
  expect((await release(admin, "All is well", first)).body.code).toBe("hold_changed");
  expect(await loadReason()).toBe("A stolen card");
  expect((await release(admin, "All is well", (await loadHoldId())!)).status).toBe(200);
});

test("no one holds their own withdrawals or the CEO's, and only the CEO an admin's [ADMIN-11]", async () => {
  const colleague = await staff.makeAdmin();
  const hold = async (by: TestPerson, { id }: TestPerson) =>
    (await staff.ask(by, "POST", "admin/holds", { playerId: id, reason: "Why" })).body.code ?? "done";
  expect(await hold(admin, admin)).toBe("own_matter");
  expect(await hold(admin, staff.ceo)).toBe("ceo_matter");
  expect(await hold(admin, colleague)).toBe("admin_matter");
  expect(await hold(staff.ceo, colleague)).toBe("done");
});

test("keeps games and bank account of a pair together, however many other pairs are found", async () => {
  const [one, other] = [await http.addPlayer(), await http.addPlayer()];
  for (let games = 0; games < 5; games += 1) await loseByFoolsMate(one, other, true);
  await share(one, other);
  http.at.time.advance(1);
  const now = http.at.time.now();
  const order = { since: addMs(now, -DAY_MS), until: now, pairs: [[idOf(other), idOf(one)]] as const, limit: 0 };
  expect(await loadPairFlows(database.kysely, order)).toMatchObject([{ from: one.id, to: other.id, games: 5 }]);

  const crowd = Array.from({ length: 100 }, () => newId() as string as PlayerId);
  await transact(database, (tx) => shareTrace(tx, "bank_account", newId() as string as PlayerId, crowd, now));
  expect((await loadPairs(admin)).find(isOf(one, other))).toMatchObject({
    games: 5,
    signals: ["shared_bank_account", "one_sided", "quick_losses"],
  });
});
