import type { GameId } from "@holo/kernel/ids.ts";
import { DAY_MS, SECOND_MS } from "@holo/kernel/instant.ts";
import { DEFAULT_FEE_BPS, toGameFeeBps } from "@holo/table/platform-fee.ts";
import type { Stake } from "@holo/table/stakes.ts";
import { expect, test } from "vitest";
import { loadSelfExclusions, lockLimits } from "../../../accounts/accounts.ts";
import { loadWallet } from "../../../ledger/ledger.ts";
import type { Database } from "../../../platform/database/database.ts";
import { transact } from "../../../platform/database/transaction.ts";
import { untilOneWaits } from "../../../platform/testing/lock-waits.ts";
import { openHttpForAll } from "../../testing/http-hooks.ts";
import { codeOf, gameOf, idOf, newId } from "../../testing/test-games.ts";
import { PASSWORD, send, type TestHttp, type TestPerson } from "../../testing/test-http.ts";

let database: Database;
let http: TestHttp;

openHttpForAll((given) => {
  ({ database, http } = given);
});

const create = (player: TestPerson, stake: Stake = 5) =>
  http.at.matches.create({
    player,
    commandId: newId(),
    game: "checkers",
    stake,
    limitMinutes: 5,
    feeBps: toGameFeeBps(stake, DEFAULT_FEE_BPS),
  });
const join = (player: TestPerson, gameId: GameId) => http.at.matches.join(player, gameId, newId());

async function ask(person: TestPerson, method: string, path: string, body?: unknown): Promise<unknown> {
  return await (await send(http.app, method, path, body, { cookie: person.cookie })).json();
}

const exclude = (person: TestPerson, term = "day", password = PASSWORD, coversFreeGames = true) =>
  ask(person, "POST", "/api/self-exclusion", { term, coversFreeGames, password });
const limit = (person: TestPerson, wishes: object) => ask(person, "PATCH", "/api/limits", wishes);
const seat = (count: number) => Promise.all(Array.from({ length: count }, () => http.addPlayer()));

async function balanceOf(person: TestPerson): Promise<bigint> {
  return (await loadWallet(database.kysely, idOf(person)))?.balance ?? -1n;
}

test("lowers limits at once and raises them a day later, unless cancelled", async () => {
  const person = await http.addPlayer();
  const none = { value: null, next: null };
  const all = { depositDay: none, depositWeek: none, depositMonth: none, stake: none, session: none };
  expect(await ask(person, "GET", "/api/limits")).toEqual({
    ...all,
    excludedUntil: null,
    excludedFromFreeUntil: null,
    closingAt: null,
    bannedFor: null,
    moneyHold: null,
    withdrawalsHeldFor: null,
  });
  expect(await limit(person, { stake: 2, session: 60 })).toMatchObject({
    stake: { value: 2, next: null },
    session: { value: 60, next: null },
    depositDay: none,
  });
  const at = http.at.time.now() + DAY_MS;
  expect(await limit(person, { stake: 10, session: null })).toMatchObject({
    stake: { value: 2, next: { value: 10, at } },
    session: { value: 60, next: { value: null, at } },
  });
  expect(await limit(person, { session: 60 })).toMatchObject({ session: { value: 60, next: null } });
  http.at.time.advance(DAY_MS);
  expect(await ask(person, "GET", "/api/limits")).toMatchObject({
    stake: { value: 10, next: null },
    session: { value: 60, next: null },
  });
});

test("pushes a change to all pages of the player, and includes it in new sessions", async () => {
  const person = await http.addPlayer();
  const ownPushed = () =>
    http.at.playerFrames.filter(({ playerId, frame }) => playerId === person.id && frame.type === "limits");
  expect(await ask(person, "GET", "/api/session")).toMatchObject({ limits: { stake: { value: null } } });
  const changed = await limit(person, { stake: 5, depositDay: 2_000_000 });
  expect(ownPushed().map(({ frame }) => frame)).toEqual([{ type: "limits", limits: changed }]);
  expect(await ask(person, "GET", "/api/session")).toMatchObject({ limits: changed });
  await limit(person, { stake: 3 });
  expect(ownPushed()).toHaveLength(1);
  const excluded = await exclude(person);
  expect(ownPushed().at(-1)?.frame).toEqual({ type: "limits", limits: excluded });
});

test("shows the smallest remaining limit in the wallet", async () => {
  const person = await http.addPlayer();
  expect(await ask(person, "GET", "/api/wallet")).toMatchObject({ depositLeft: null });
  await limit(person, { depositDay: 2_000_000, depositWeek: 1_500_000 });
  const week = { period: "week", limitKobo: 1_500_000, leftKobo: 1_500_000 };
  expect(await ask(person, "GET", "/api/wallet")).toMatchObject({ depositLeft: week });
});

test("refuses an invalid limit", async () => {
  const person = await http.addPlayer();
  expect(await limit(person, { depositDay: 500_000, stake: 3 })).toMatchObject({ code: "bad_limit" });
  expect(await ask(person, "GET", "/api/limits")).toMatchObject({ depositDay: { value: null } });
});

test("refuses visitors, and a self-exclusion with a wrong password", async () => {
  const answer = await send(http.app, "GET", "/api/limits");
  expect(await answer.json()).toMatchObject({ code: "login_required" });
  const person = await http.addPlayer();
  expect(await exclude(person, "day", "wrong horse")).toMatchObject({ code: "wrong_password" });
  expect(await ask(person, "GET", "/api/limits")).toMatchObject({
    excludedUntil: null,
    excludedFromFreeUntil: null,
    closingAt: null,
    bannedFor: null,
    moneyHold: null,
    withdrawalsHeldFor: null,
  });
});

test("refuses to create or join above the player's stake limit", async () => {
  const [white, black] = (await seat(2)) as [TestPerson, TestPerson];
  await Promise.all([white, black].map((person) => limit(person, { stake: 2 })));
  expect(codeOf(await create(white))).toBe("stake_limit");
  expect(await balanceOf(white)).toBe(5_000_000_000n);
  const other = await http.addPlayer();
  const gameId = gameOf(await create(other));
  expect(await join(black, gameId)).toMatchObject({ code: "stake_limit", figures: { stake: 2 } });
  // Matchmaking would have found this game.
  expect(codeOf(await create(black))).toBe("stake_limit");
  await http.at.games.cancel(idOf(other), gameId, newId());
  const created = gameOf(await create(black, 2));
  await http.at.games.cancel(idOf(black), created, newId());
});

test("lets an active game continue during a self-exclusion", async () => {
  const [white, black] = (await seat(2)) as [TestPerson, TestPerson];
  const gameId = gameOf(await create(white));
  expect(codeOf(await join(black, gameId))).toBe("done");
  await exclude(white);
  expect(await http.at.games.loadOpenGame(idOf(white))).toMatchObject({ gameId, status: "active" });
  await http.at.games.cancel(idOf(black), gameId, newId());
});

test("a self-exclusion cancels the waiting game, refuses new ones and lasts for its term", async () => {
  const [person, other] = (await seat(2)) as [TestPerson, TestPerson];
  const gameId = gameOf(await create(person));
  const until = http.at.time.now() + 7 * DAY_MS;
  expect(await exclude(person, "week")).toMatchObject({ excludedUntil: until });
  expect(await http.at.games.loadOpenGame(idOf(person))).toBeNull();
  expect(await balanceOf(person)).toBe(5_000_000_000n);
  expect(codeOf(await join(other, gameId))).not.toBe("done");
  expect(await create(person)).toMatchObject({ code: "self_excluded", figures: { until } });
  const othersGame = gameOf(await create(other));
  expect(codeOf(await join(person, othersGame))).toBe("self_excluded");
  await http.at.games.cancel(idOf(other), othersGame, newId());
  // A shorter term and higher limits do not end the exclusion.
  expect(await exclude(person, "day")).toMatchObject({ excludedUntil: until });
  const deposit = { commandId: newId(), kobo: 500_000, payKobo: 500_000, rateKobo: 30_600 };
  expect(await ask(person, "POST", "/api/deposits", deposit)).toMatchObject({ code: "self_excluded" });
  http.at.time.advance(7 * DAY_MS - 1);
  expect(codeOf(await create(person))).toBe("self_excluded");
  http.at.time.advance(1);
  http.at.lobby.connect(idOf(person));
  const again = gameOf(await create(person));
  await http.at.games.cancel(idOf(person), again, newId());
});

// [FREE-04 §- r27,57] A self-exclusion ends deposits and staked games. Whether it covers free games too, the player
// decides; if not, a free game that waits stays, and a staked one is cancelled.
test("a self-exclusion from stakes leaves free games open, until one covers them too [FREE-04]", async () => {
  const [person, other, staker] = (await seat(3)) as [TestPerson, TestPerson, TestPerson];
  const until = http.at.time.now() + 7 * DAY_MS;
  const waiting = gameOf(await create(person, 0));
  const staked = gameOf(await create(staker));
  const ends = { excludedUntil: until, excludedFromFreeUntil: null };
  for (const one of [person, staker]) expect(await exclude(one, "week", PASSWORD, false)).toMatchObject(ends);
  await http.at.advance(6 * SECOND_MS);
  expect(await http.at.games.loadOpenGame(idOf(staker))).toBeNull();
  expect(codeOf(await join(other, staked))).toBe("match_gone");
  expect(codeOf(await create(staker))).toBe("self_excluded");
  expect(await join(other, waiting)).toMatchObject({ type: "done", status: "active" });
  await http.at.games.cancel(idOf(other), waiting, newId());
  const again = gameOf(await create(person, 0));
  const day = http.at.time.now() + DAY_MS;
  expect(await exclude(person, "day")).toMatchObject({ excludedUntil: until, excludedFromFreeUntil: day });
  expect(await http.at.games.loadOpenGame(idOf(person))).toBeNull();
  expect(codeOf(await join(other, again))).not.toBe("done");
  expect(await create(person, 0)).toMatchObject({ code: "self_excluded", figures: { until: day } });
  http.at.time.advance(DAY_MS);
  http.at.lobby.connect(idOf(person));
  await http.at.games.cancel(idOf(person), gameOf(await create(person, 0)), newId());
});

test("an exclusion that waits for a deposit's credit begins after it", async () => {
  const person = await http.addPlayer();
  const { excluding, creditedAt } = await transact(database, async (tx) => {
    await lockLimits(tx, idOf(person));
    const sent = exclude(person);
    await untilOneWaits(database);
    http.at.time.advance(SECOND_MS);
    return { excluding: sent, creditedAt: http.at.time.now() };
  });
  await excluding;
  const [exclusion] = await loadSelfExclusions(database.kysely, idOf(person));
  expect(exclusion?.fromAt).toBe(creditedAt);
});
