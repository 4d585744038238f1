import { toGameId, toPlayerId } from "@holo/kernel/ids.ts";
import { addMs, DAY_MS, HOUR_MS, type Instant, MINUTE_MS, toInstant } from "@holo/kernel/instant.ts";
import { toCoins, ZERO_COINS } from "@holo/kernel/money.ts";
import { describe, expect, test } from "vitest";
import type { Refusal, SeatFacts, SeatRequest } from "../game/game.ts";
import { findOfferRefusal, findSeatRefusal, isIneligible, toCoolDownEndAt } from "./who-may-sit.ts";

const NOW = toInstant(Date.UTC(2026, 10, 21, 12));
const ada = toPlayerId("player-ada");
const bola = toPlayerId("player-bola");
const gameId = toGameId("00000000-0000-4000-8000-000000000001");
const claim = { token: "t", at: new Date(NOW), startedAfter: new Date(NOW) };

const request: SeatRequest = {
  playerId: ada,
  gameId,
  seat: 1,
  stake: 2,
  buyIn: toCoins(20_000_000n),
  opponentId: bola,
  session: { claim, refusal: "create_login_required" },
};
const ofBola: SeatRequest = { ...request, playerId: bola, seat: 2, opponentId: ada, session: undefined };

type Facts = Omit<SeatFacts, "player">;

const later = (ms: number): Instant => addMs(NOW, ms);
const missed = (count: number, agoMs = 0): readonly Instant[] => Array.from({ length: count }, () => later(-agoMs));
const refuse = (facts: Facts, asked = request): Refusal | null => {
  const found = findSeatRefusal([asked], [{ player: asked.playerId, ...facts }], NOW);
  return found === null ? null : { code: found.code, figures: found.figures };
};

/** In the order of the refusals. */
const REFUSED: readonly (readonly [Facts, Refusal["code"], Refusal["figures"]])[] = [
  [{ isBanned: true }, "banned", {}],
  [{ isClosing: true }, "account_closing", {}],
  [{ excludedUntil: later(HOUR_MS) }, "self_excluded", { until: later(HOUR_MS) }],
  [{ isUnderMaintenance: true }, "maintenance", {}],
  [{ hasDispute: true }, "deposit_disputed", {}],
  [{ stakeLimit: { value: 1 } }, "stake_limit", { stake: 1 }],
  [{ debt: "3000000" }, "debt_open", { need: toCoins(3_000_000n) }],
  [{ missedAt: missed(3) }, "paused", { minutes: 5 }],
  [{ openGame: { gameId, status: "waiting" } }, "pending_game_exists", {}],
  [{ openGame: { gameId, status: "active" } }, "active_game_exists", {}],
  [{ isBlocked: true }, "blocked_pair", {}],
  [{ sharesTrace: true }, "blocked_pair", {}],
  [{ have: "19999999" }, "insufficient_to_create", { need: request.buyIn, have: toCoins(19_999_999n) }],
  [{ isLoggedOut: true }, "create_login_required", {}],
];

describe("a seat", () => {
  test.each(REFUSED)("with %j is refused as %s, which comes before all later reasons", (facts, code, figures) => {
    expect(refuse(facts)).toEqual({ code, figures });
    const rest = REFUSED.slice(REFUSED.findIndex((row) => row[0] === facts)).map((row) => row[0]);
    expect(refuse(Object.assign({}, ...rest.toReversed()))).toEqual({ code, figures });
  });

  test.each<[string, Facts]>([
    ["the highest stake that the player allows", { stakeLimit: { value: 2 } }],
    ["a stake limit that has just been raised", { stakeLimit: { value: 1, nextValue: 5, nextAt: NOW } }],
    ["a stake limit that has just been removed", { stakeLimit: { value: 1, nextAt: NOW } }],
    ["two missed games", { missedAt: missed(2) }],
    ["three missed games 5 minutes ago", { missedAt: missed(3, 5 * MINUTE_MS) }],
  ])("is given with %s", (_, facts) => {
    expect(refuse(facts)).toBeNull();
  });

  test("is refused above a limit until it is raised", () => {
    const limit = { value: 1, nextValue: 5, nextAt: later(1) };
    expect(refuse({ stakeLimit: limit })).toMatchObject({ code: "stake_limit", figures: { stake: 1 } });
  });

  test("lacks coins to join if another created the game", () => {
    expect(refuse({ have: "0" }, ofBola)).toMatchObject({ code: "insufficient_to_join" });
  });

  test("names the player whom the first reason concerns, of two who sit down together", () => {
    const facts = [
      { player: ada, have: "0" },
      { player: bola, isBanned: true },
    ] as const;
    expect(findSeatRefusal([request, ofBola], facts, NOW)).toMatchObject({ code: "banned", playerId: bola });
    expect(findSeatRefusal([request, ofBola], [], NOW)).toBeNull();
  });
});

// [FREE-03 §- r41,54,57] A ban, a closing account, maintenance, a cool-down, a block and a break that covers free games keep
// a player from these; a stake limit, an empty wallet, a debt, a dispute and a shared bank account, card or device do not.
describe("a seat in a free game [FREE-03]", () => {
  const free: SeatRequest = { ...request, stake: 0, buyIn: ZERO_COINS };
  const ofMoney = ["excludedUntil", "hasDispute", "stakeLimit", "debt", "sharesTrace", "have"];

  test.each(REFUSED)("with %j is refused unless that concerns money [FREE-03]", (facts, code, figures) => {
    const isOfMoney = Object.keys(facts).some((fact) => ofMoney.includes(fact));
    // The facts say what a wallet has only if that is less than the buy-in.
    if (facts.have === undefined) expect(refuse(facts, free)).toEqual(isOfMoney ? null : { code, figures });
    const lasting = ["isBanned", "isClosing"];
    const isLasting = Object.keys(facts).some((fact) => lasting.includes(fact));
    expect(isIneligible({ player: ada, ...facts }, 0)).toBe(isLasting);
  });

  test("is refused during a break that covers free games [FREE-03]", () => {
    const facts = { excludedUntil: later(DAY_MS), excludedFromFreeUntil: later(HOUR_MS) };
    expect(refuse(facts, free)).toEqual({ code: "self_excluded", figures: { until: later(HOUR_MS) } });
    expect(refuse(facts)).toEqual({ code: "self_excluded", figures: { until: later(DAY_MS) } });
    expect(isIneligible({ player: ada, ...facts }, 0)).toBe(true);
  });
});

test("the waiting game of a creator must not start for reasons that last", () => {
  const lasting = ["isBanned", "isClosing", "excludedUntil", "hasDispute", "debt"];
  for (const [facts] of REFUSED) {
    const isLasting = Object.keys(facts).some((fact) => lasting.includes(fact));
    expect([facts, isIneligible({ player: ada, ...facts }, 1)]).toEqual([facts, isLasting]);
  }
  expect(isIneligible(undefined, 1)).toBe(false);
});

test("a rematch is not offered without a seat, nor to an opponent who may not play", () => {
  const offer = (own: Facts, opponent: Facts) =>
    findOfferRefusal(
      request,
      [
        { player: ada, ...own },
        { player: bola, ...opponent },
      ],
      NOW,
    );
  expect(offer({ isBlocked: true }, {})).toEqual({ code: "blocked_pair", figures: {} });
  expect(offer({}, { debt: "1" })).toEqual({ code: "opponent_busy", figures: {} });
  expect(offer({ openGame: { gameId, status: "active" } }, { openGame: { gameId, status: "active" } })).toBeNull();
});

test("a cool-down lasts 5 minutes after the third missed game, 30 after each further one", () => {
  expect(toCoolDownEndAt(missed(3, MINUTE_MS), NOW)).toBe(later(4 * MINUTE_MS));
  expect(toCoolDownEndAt([...missed(3, HOUR_MS), ...missed(1, MINUTE_MS)], NOW)).toBe(later(29 * MINUTE_MS));
  expect(toCoolDownEndAt(missed(4, 30 * MINUTE_MS), NOW)).toBeNull();
});
