import { DAY_MS, type Instant, toInstant } from "@holo/kernel/instant.ts";
import { toCoins } from "@holo/kernel/money.ts";
import type { PlayerView } from "@holo/protocol/game/games.ts";
import { type RawBuilder, sql } from "kysely";
import { expect, test } from "vitest";
import type { TraceKind } from "../../accounts/accounts.ts";
import { shareTrace } from "../../accounts/testing/shared-trace.ts";
import type { Database } from "../../platform/database/database.ts";
import { transact } from "../../platform/database/transaction.ts";
import { openPlayForAll } from "../testing/play-hooks.ts";
import { createGame } from "../testing/test-game.ts";
import { addPlayer, gameOf, idOf, newId, type TestPlay } from "../testing/test-play.ts";
import type { SeatFacts, SeatRequest } from "./seat-facts.ts";
import { loadSeatFacts } from "./seat-facts.ts";

let database: Database;
let at: TestPlay;

openPlayForAll((given) => {
  ({ database, at } = given);
});

const BUY_IN = toCoins(500_000_000n);
const UNTIL = toInstant(Date.UTC(2099, 0, 1));

async function factsOf(player: PlayerView, question: Partial<SeatRequest> = {}): Promise<readonly object[]> {
  const asked = { ...question, playerId: idOf(player), buyIn: question.buyIn ?? BUY_IN };
  const facts: readonly SeatFacts[] = await loadSeatFacts(database.kysely, [asked], at.time.now());
  return facts.map(({ player: id, ...rest }) => {
    expect(id).toBe(player.id);
    return rest;
  });
}

test.each<[string, (id: string, now: Instant) => RawBuilder<unknown>, (now: Instant) => object]>([
  [
    "a ban",
    (id, now) => sql`
      with event as (
        insert into audit_events (at, action, subject, detail) values (${now}, 'player_banned', ${id}, 'Cheating.') returning id
      )
      insert into bans (player_id, at, audit_event_id, reason) select ${id}, ${now}, id, 'Cheating.' from event`,
    () => ({ isBanned: true }),
  ],
  [
    "the requested deletion of an account",
    (id, now) => sql`insert into closing_accounts (player_id, at) values (${id}, ${now})`,
    () => ({ isClosing: true }),
  ],
  [
    "a self-exclusion",
    (id, now) => sql`
      insert into self_exclusions (player_id, from_at, until_at, covers_free_games)
      values (${id}, ${now}, ${now + DAY_MS}, true), (${id}, ${now}, ${UNTIL}, false), (${id}, ${now - 9}, ${now - 8}, true)`,
    (now) => ({ excludedUntil: UNTIL, excludedFromFreeUntil: now + DAY_MS }),
  ],
  [
    "a stake limit and its pending change",
    (id, now) => sql`
      insert into player_limits (player_id, kind, value, next_value, next_at, updated_at)
      values (${id}, 'stake', 1, 5, ${UNTIL}, ${now}), (${id}, 'session', 5, null, null, ${now})`,
    () => ({ stakeLimit: { value: 1, nextValue: 5, nextAt: UNTIL } }),
  ],
])("%s is a fact about its player, and about no other", async (_, insert, expected) => {
  const [player, other] = [await addPlayer(database, at), await addPlayer(database, at)];
  const now = at.time.now();
  await insert(player.id, now).execute(database.kysely);
  expect(await factsOf(player)).toEqual([expected(now)]);
  expect(await factsOf(other)).toEqual([]);
});

test("the balance is a fact if it is below the buy-in", async () => {
  const player = await addPlayer(database, at, 499);
  expect(await factsOf(player)).toEqual([{ have: "499000000" }]);
  expect(await factsOf(player, { buyIn: toCoins(499_000_000n) })).toEqual([]);
});

test("an open game is a fact unless it is the requested one", async () => {
  const player = await addPlayer(database, at);
  const gameId = gameOf(await createGame(at, player));
  const buyIn = toCoins(1n);
  expect(await factsOf(player, { buyIn })).toEqual([{ openGame: { gameId, status: "waiting" } }]);
  expect(await factsOf(player, { buyIn, gameId })).toEqual([]);
  await at.games.cancel(idOf(player), gameId, newId());
});

const share = (kind: TraceKind, own: PlayerView, other: PlayerView) =>
  transact(database, (tx) => shareTrace(tx, kind, idOf(own), [idOf(other)], at.time.now()));

// [VALID-44 §- r54] Two accounts that share a bank account, a card, or a device within the last 30 days are not paired for stakes.
test.each(["bank_account", "card", "device"] as const)(
  "a pair that shares a %s is a fact about both, with each other only [VALID-44]",
  async (kind) => {
    const pair = [await addPlayer(database, at), await addPlayer(database, at)] as const;
    const third = await addPlayer(database, at);
    await share(kind, ...pair);
    for (const [own, other] of [pair, pair.toReversed()] as const) {
      expect(await factsOf(own!, { opponentId: idOf(other!) })).toEqual([{ sharesTrace: true }]);
      expect(await factsOf(own!, { opponentId: idOf(third) })).toEqual([]);
      expect(await factsOf(own!)).toEqual([]);
    }
  },
);

test("a network in common is no fact, and a device for 30 days only [VALID-44]", async () => {
  const [own, other] = [await addPlayer(database, at), await addPlayer(database, at)];
  await share("network", own, other);
  expect(await factsOf(own, { opponentId: idOf(other) })).toEqual([]);
  await share("device", own, other);
  at.time.advance(30 * DAY_MS - 1);
  expect(await factsOf(own, { opponentId: idOf(other) })).toEqual([{ sharesTrace: true }]);
  at.time.advance(1);
  expect(await factsOf(own, { opponentId: idOf(other) })).toEqual([]);
});

test("a session that is not live is a fact", async () => {
  const player = await addPlayer(database, at);
  const claim = { token: "unknown", at: new Date(), startedAfter: new Date(0) };
  const session = { claim, refusal: "create_login_required" } as const;
  expect(await factsOf(player, { session })).toEqual([{ isLoggedOut: true }]);
});
