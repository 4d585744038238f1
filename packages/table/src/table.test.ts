import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { describe, expect, test } from "vitest";
import { type Delivery, NO_DELIVERY } from "./clock.ts";
import type { TableCommand } from "./command.ts";
import { decide } from "./decide.ts";
import type { TableState } from "./state.ts";
import {
  ADA,
  active,
  after,
  BOLA,
  CHI,
  carryOut,
  newId,
  OPENING,
  play,
  refusalOf,
  START,
  toMove,
  toPath,
  waiting,
} from "./testing/table-fixture.ts";

describe("joining", () => {
  // [ENT-03 §3 r13] White is the player who created the game. The second seat is empty until a player joins.
  // [ENT-06 §3 r16] A game keeps the time limit it was created with, and both clocks start with it.
  test("activates the game with full clocks [ENT-03 ENT-06 STATE-01]", () => {
    const state = active(checkers);
    expect(state.status).toBe("active");
    expect(state.players).toEqual([ADA, BOLA]);
    expect(state.clock.remainingMs).toEqual([300_000, 300_000]);
  });

  // [VALID-08 §5 r23] A player cannot join their own match.
  test("is refused to the creator and to a third player [VALID-08]", () => {
    const join: TableCommand = { type: "join", id: newId(), player: ADA, pairing: "address" };
    expect(refusalOf(checkers, waiting(checkers), join, START)).toBe("own_game");
    expect(refusalOf(checkers, active(checkers), { ...join, player: CHI }, START)).toBe("seat_taken");
  });

  test("joins once when sent twice", () => {
    const join: TableCommand = { type: "join", id: newId(), player: BOLA, pairing: "address" };
    const state = carryOut(checkers, waiting(checkers), join, START);
    expect(decide(checkers, state, join, START)).toEqual({ ok: true, value: { type: "repeated", version: 2 } });
  });
});

describe("moving", () => {
  test("is free until both have moved, then charges the time of the turn [CLOCK-01]", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5", "b2-c3");
    expect(state.clock.remainingMs).toEqual([299_000, 300_000]);
    expect(state.moves.map((move) => move.chargedMs)).toEqual([0, 0, 1_000]);
  });

  test("charges from the sending of the position, less network time", () => {
    const before = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const sentAt = (before.changedAt + 40) as Instant;
    const command = toMove(checkers, before, "b2-c3", { sentAt, lagMs: 120, stallMs: 0 });
    const state = carryOut(checkers, before, command, (before.changedAt + 2_000) as Instant);
    expect(state.moves.at(-1)?.chargedMs).toBe(2_000 - 40 - 120);
    expect(state.clock.lagUsedMs).toEqual([120, 0]);
  });

  // [CLOCK-07 §4 r16] Network delay is not charged, within limits, and a server outage costs no player time.
  test("limits network time to half a second a move and ten seconds a game [CLOCK-07]", () => {
    let state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const forged: Delivery = { sentAt: null, lagMs: 60_000, stallMs: 0 };
    state = carryOut(checkers, state, toMove(checkers, state, "b2-c3", forged), (state.changedAt + 3_000) as Instant);
    expect(state.moves.at(-1)?.chargedMs).toBe(2_500);
    const spent: TableState<unknown> = { ...state, clock: { ...state.clock, lagUsedMs: [10_000, 9_900] } };
    const last = carryOut(
      checkers,
      spent as typeof state,
      toMove(checkers, state, "f6-g5", forged),
      (state.changedAt + 3_000) as Instant,
    );
    expect(last.moves.at(-1)?.chargedMs).toBe(2_900);
  });

  test("is refused out of turn, on an older board, from a stranger and when illegal [TURN-01 TURN-02 ROLE-05]", () => {
    const state = play(checkers, active(checkers), "c3-d4");
    const move = toMove(checkers, state, "d6-c5");
    expect(refusalOf(checkers, state, { ...move, player: ADA } as TableCommand, after(9))).toBe("not_your_turn");
    expect(refusalOf(checkers, state, { ...move, atVersion: 2 } as TableCommand, after(9))).toBe("stale_version");
    expect(refusalOf(checkers, state, { ...move, player: CHI } as TableCommand, after(9))).toBe("not_a_player");
    expect(refusalOf(checkers, state, { ...move, path: toPath("d6-d5") } as TableCommand, after(9))).toBe(
      "illegal_move",
    );
    expect(refusalOf(checkers, waiting(checkers), { ...move, player: ADA } as TableCommand, after(9))).toBe(
      "not_started",
    );
  });

  test("counts once when sent five times; its id is refused for another move [CALL-05]", () => {
    const before = active(checkers);
    const move = toMove(checkers, before, "c3-d4");
    const state = carryOut(checkers, before, move, after(5));
    for (let i = 0; i < 4; i += 1) expect(refusalOf(checkers, state, move, after(6))).toBe("repeated");
    expect(refusalOf(checkers, state, { ...move, path: toPath("c3-b4") } as TableCommand, after(6))).toBe(
      "command_id_reused",
    );
  });

  test("is refused after the player's time is up", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const late = (state.changedAt + 300_000) as Instant;
    expect(refusalOf(checkers, state, toMove(checkers, state, "b2-c3"), late)).toBe("time_up");
  });

  test("ends the game in the same record when it mates", () => {
    const state = play(chess, active(chess), "f2-f3", "e7-e5", "g2-g4", "d8-h4");
    expect(state.status).toBe("completed");
    expect(state.result).toEqual({ winner: 2, reason: "checkmate" });
    expect(state.version).toBe(6);
    expect(refusalOf(chess, state, toMove(chess, state, "a2-a3"), after(9_000))).toBe("game_over");
  });
});

describe("cancelling and resigning", () => {
  test("allows cancel until both have made two moves, then resign", () => {
    let state = active(checkers);
    const cancel = (player: PlayerId): TableCommand => ({ type: "cancel", id: newId(), player });
    const resign = (player: PlayerId): TableCommand => ({ type: "resign", id: newId(), player });
    for (const path of OPENING) {
      expect(refusalOf(checkers, state, resign(ADA), after(50))).toBe("too_early_to_resign");
      expect(carryOut(checkers, state, cancel(BOLA), state.changedAt).status).toBe("cancelled");
      state = play(checkers, state, path);
    }
    expect(refusalOf(checkers, state, cancel(ADA), state.changedAt)).toBe("too_late_to_cancel");
    expect(carryOut(checkers, state, resign(ADA), state.changedAt).result).toEqual({
      winner: 2,
      reason: "resignation",
    });
  });

  test("lets the creator cancel a waiting game but not resign it", () => {
    const state = waiting(checkers);
    expect(refusalOf(checkers, state, { type: "resign", id: newId(), player: ADA }, START)).toBe("not_started");
    expect(refusalOf(checkers, state, { type: "cancel", id: newId(), player: BOLA }, START)).toBe("not_a_player");
    expect(carryOut(checkers, state, { type: "cancel", id: newId(), player: ADA }, START).status).toBe("cancelled");
  });

  // [STATE-14 §4 r17] A cancel that was meant for a waiting game is refused once an opponent has joined: the game
  // goes on and no cancellation is counted.
  test("refuses a cancel of a waiting game once an opponent has joined [STATE-14]", () => {
    const cancel: TableCommand = { type: "cancel", id: newId(), player: ADA, whileWaiting: true };
    expect(carryOut(checkers, waiting(checkers), cancel, START).status).toBe("cancelled");
    expect(refusalOf(checkers, active(checkers), cancel, START)).toBe("already_started");
  });
});

describe("deadlines", () => {
  const expire: TableCommand = { type: "expire", delivery: NO_DELIVERY };

  test("cancels a waiting game after 30 minutes and not sooner", () => {
    expect(refusalOf(checkers, waiting(checkers), expire, after(1_799_999))).toBe("not_due");
    expect(carryOut(checkers, waiting(checkers), expire, after(1_800_000)).status).toBe("cancelled");
  });

  test.each([[], ["c3-d4"]])("cancels without a first move after 60 s", (...paths) => {
    const state = play(checkers, active(checkers), ...paths);
    const due = (state.changedAt + 60_000) as Instant;
    expect(refusalOf(checkers, state, expire, (due - 1) as Instant)).toBe("not_due");
    expect(carryOut(checkers, state, expire, due).status).toBe("cancelled");
  });

  // [CLOCK-03 §4,8] At zero both players see 'Time's up!' and 'Game over - time limit reached', and the opponent has
  // won.
  test("ends the game when a clock runs out, to the millisecond [CLOCK-03]", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const due = (state.changedAt + 300_000) as Instant;
    expect(refusalOf(checkers, state, expire, (due - 1) as Instant)).toBe("not_due");
    const ended = carryOut(checkers, state, expire, due);
    expect(ended.status).toBe("timeout");
    expect(ended.result).toEqual({ winner: 2, reason: "time" });
    expect(ended.clock.remainingMs).toEqual([0, 300_000]);
  });

  test("delays a flag for a move that may be in flight", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const delivery: Delivery = { sentAt: (state.changedAt + 30) as Instant, lagMs: 200, stallMs: 1_000 };
    const due = (state.changedAt + 300_000 + 30 + 200 + 1_000) as Instant;
    expect(refusalOf(checkers, state, { type: "expire", delivery }, (due - 1) as Instant)).toBe("not_due");
    expect(carryOut(checkers, state, { type: "expire", delivery }, due).status).toBe("timeout");
  });

  test.each([
    ["a bare king", "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1"],
    ["pieces behind a closed wall", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 w - - 0 1"],
    ["pieces behind a closed wall", "4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4KB2 b - - 0 1"],
  ])("draws a chess flag against a side that cannot mate: %s [STATE-04]", (_name, fen) => {
    const parsed = chess.parsePosition(fen);
    if (!parsed.ok) throw new Error(parsed.refusal);
    const state = { ...play(chess, active(chess), "e2-e4", "e7-e5"), position: parsed.value };
    const ended = carryOutUnchecked(state, expire, (state.changedAt + 300_000) as Instant);
    expect(ended.status).toBe("completed");
    expect(ended.result).toEqual({ winner: null, reason: "time_without_material" });
  });
});

describe("an outage of the platform", () => {
  const TEN_MINUTES_MS = 600_000;

  const credit = (fromMs: Instant, toMs: number): TableCommand => ({
    type: "credit",
    outage: { fromAt: fromMs, toAt: toMs as Instant, cause: "restart" },
  });

  /** An outage that the serving process measured: the loss of this turn is known. */
  const measured = (cause: "database" | "stall", fromMs: number, toMs: number, takenMs: number): TableCommand => ({
    type: "credit",
    outage: { fromAt: fromMs as Instant, toAt: toMs as Instant, cause },
    delivery: { ...NO_DELIVERY, stallMs: takenMs },
  });

  test("costs no player time: charges only time before it and adds ten seconds to both [CLOCK-07]", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = (state.changedAt + 4_000) as Instant;
    const credited = carryOut(checkers, state, credit(from, from + 30_000), (from + 31_000) as Instant);
    expect(credited.clock.remainingMs).toEqual([306_000, 310_000]);
    expect(credited.clock.turnStartedAt).toBe(from + 30_000);
    expect(refusalOf(checkers, credited, credit(from, from + 30_000), (from + 32_000) as Instant)).toBe("not_due");
  });

  test("waits for both players after more than a minute, and voids the game that neither came back to", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt;
    const credited = carryOut(checkers, state, credit(from, from + 60_001), (from + 60_001) as Instant);
    expect(credited.clock.turnStartedAt).toBeNull();
    const due = (from + 60_001 + TEN_MINUTES_MS) as Instant;
    const expire: TableCommand = { type: "expire", delivery: NO_DELIVERY };
    expect(refusalOf(checkers, credited, expire, (due - 1) as Instant)).toBe("not_due");
    expect(carryOut(checkers, credited, expire, due).status).toBe("cancelled");
    const back = carryOut(checkers, credited, { type: "return", seat: 1 }, (from + 90_000) as Instant);
    expect(back.clock.turnStartedAt).toBe(from + 90_000);
    const moved = carryOut(checkers, back, toMove(checkers, back, "b2-c3"), (from + 91_000) as Instant);
    expect(moved.clock.turnStartedAt).toBeNull();
    const bothBack = carryOut(checkers, moved, { type: "return", seat: 2 }, (from + 95_000) as Instant);
    expect(bothBack.clock).toMatchObject({ returnBy: null, awaited: [], turnStartedAt: from + 95_000 });
  });

  // [CLOCK-09 §4 r31] After an outage of more than a minute a game is void only if both players are absent for ten
  // minutes. If one is back, the absent player's clock runs from then on, and the banner says when.
  test("lets an absent player's clock run after ten minutes if the opponent is back [CLOCK-09]", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt;
    const credited = carryOut(checkers, state, credit(from, from + 90_000), (from + 90_000) as Instant);
    const back = carryOut(checkers, credited, { type: "return", seat: 2 }, (from + 91_000) as Instant);
    const expire: TableCommand = { type: "expire", delivery: NO_DELIVERY };
    const due = (from + 90_000 + TEN_MINUTES_MS) as Instant;
    expect(refusalOf(checkers, back, expire, (due - 1) as Instant)).toBe("not_due");
    const running = carryOut(checkers, back, expire, due);
    expect(running).toMatchObject({ status: "active", clock: { awaited: [], returnBy: null, turnStartedAt: due } });
    const flag = (due + 310_000) as Instant;
    expect(refusalOf(checkers, running, expire, (flag - 1) as Instant)).toBe("not_due");
    expect(carryOut(checkers, running, expire, flag)).toMatchObject({ status: "timeout", result: { winner: 2 } });
  });

  test("lets the player who is back play on while the opponent is awaited", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt;
    const credited = carryOut(checkers, state, credit(from, from + 90_000), (from + 90_000) as Instant);
    const back = carryOut(checkers, credited, { type: "return", seat: 1 }, (from + 91_000) as Instant);
    const due = (from + 90_000 + TEN_MINUTES_MS) as Instant;
    // The flag of the returned player falls before the wait for the other is over.
    const flagged = carryOut(checkers, back, { type: "expire", delivery: NO_DELIVERY }, (due - 1) as Instant);
    expect(flagged).toMatchObject({ status: "timeout", result: { winner: 2 } });
    const moved = carryOut(checkers, back, toMove(checkers, back, "b2-c3"), (from + 95_000) as Instant);
    const running = carryOut(checkers, moved, { type: "expire", delivery: NO_DELIVERY }, due);
    expect(running.clock).toMatchObject({ turnStartedAt: due, remainingMs: [306_000, 310_000] });
  });

  test("is credited after an earlier one that is reported at the same time", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt;
    const learntAt = (from + 400_000) as Instant;
    const once = carryOut(checkers, state, credit((from + 1_000) as Instant, from + 31_000), learntAt);
    const twice = carryOut(checkers, once, credit((from + 33_000) as Instant, from + 63_000), learntAt);
    expect(twice.clock.remainingMs).toEqual([317_000, 320_000]);
    expect(twice.clock.turnStartedAt).toBe(from + 63_000);
    expect(refusalOf(checkers, twice, credit((from + 1_000) as Instant, from + 31_000), learntAt)).toBe("not_due");
  });

  test("adds the ten seconds three times a game, and what it took always", () => {
    let state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    for (let i = 0; i < 5; i += 1) {
      const from = (state.changedAt + 1_000) as Instant;
      state = carryOut(checkers, state, credit(from, from + 30_000), (from + 30_000) as Instant);
    }
    expect(state.clock.remainingMs).toEqual([300_000 + 30_000 - 5_000, 300_000 + 30_000]);
  });

  test("that is reported twice gives its ten seconds once", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt + 1_000;
    const report = (toMs: number, takenMs: number): TableCommand => ({
      type: "credit",
      outage: { fromAt: from as Instant, toAt: toMs as Instant, cause: "database" },
      delivery: { ...NO_DELIVERY, stallMs: takenMs },
    });
    const once = carryOut(checkers, state, report(from + 5_000, 5_000), (from + 5_000) as Instant);
    expect(once.clock.remainingMs).toEqual([309_000, 310_000]);
    expect(refusalOf(checkers, once, report(from + 5_100, 0), (from + 5_100) as Instant)).toBe("not_due");
  });

  test("gives back what a stall took from the turn, and nothing more", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt + 4_000;
    const at = (from + 20_500) as Instant;
    const credited = carryOut(checkers, state, measured("stall", from, from + 20_000, 20_000), at);
    expect(credited.clock.remainingMs).toEqual([295_500, 300_000]);
    expect(credited.clock.turnStartedAt).toBe(at);
    const early = measured("stall", state.changedAt - 40_000, state.changedAt, 40_000);
    const later = (state.changedAt + 500) as Instant;
    expect(carryOut(checkers, state, early, later).clock.remainingMs).toEqual([300_000, 300_000]);
  });

  test("leaves a turn alone that began after a stall, and a clock that does not run yet", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const at = (state.changedAt + 1_000) as Instant;
    const stall = measured("stall", state.changedAt - 9_000, state.changedAt - 1_000, 0);
    expect(refusalOf(checkers, state, stall, at)).toBe("not_due");
    const young = play(checkers, active(checkers), "c3-d4");
    const during = measured("stall", young.changedAt, young.changedAt + 8_000, 8_000);
    expect(refusalOf(checkers, young, during, (young.changedAt + 8_000) as Instant)).toBe("not_due");
  });

  test("is credited although a move was written while it lasted", () => {
    const before = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = before.changedAt + 1_000;
    const move = toMove(checkers, before, "b2-c3");
    // Arrived during the outage and committed at its end, when the opponent's turn began.
    const state = carryOut(checkers, before, move, (from + 4_000) as Instant);
    const sentAt = (from + 10_000) as Instant;
    const outage = measured("database", from, from + 10_000, 0);
    const command = { ...outage, delivery: { sentAt, lagMs: 0, stallMs: 0 } } as TableCommand;
    const credited = carryOut(checkers, state, command, (from + 10_400) as Instant);
    expect(credited.clock.remainingMs).toEqual([300_000 - 5_000 + 10_000, 300_000 - 400 + 10_000]);
  });

  test("waits for both players after a stall of more than a minute, without the ten seconds", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt + 2_000;
    const command = measured("stall", from, from + 61_000, 61_000);
    const credited = carryOut(checkers, state, command, (from + 61_000) as Instant);
    expect(credited.clock).toMatchObject({ awaited: [1, 2], turnStartedAt: null, remainingMs: [298_000, 300_000] });
  });

  test("keeps a paused clock paused when short, and extends the time to return", () => {
    const state = play(checkers, active(checkers), "c3-d4", "d6-c5");
    const from = state.changedAt;
    const awaiting = carryOut(checkers, state, credit(from, from + 90_000), (from + 90_000) as Instant);
    const again = credit((from + 95_000) as Instant, from + 100_000);
    const credited = carryOut(checkers, awaiting, again, (from + 100_000) as Instant);
    expect(credited.clock).toMatchObject({ turnStartedAt: null, awaited: [1, 2], returnBy: from + 90_000 + 605_000 });
  });

  test("extends the wait of a waiting game", () => {
    const credited = carryOut(checkers, waiting(checkers), credit(after(1_000), START + 101_000), after(101_000));
    expect(credited.clock.waitingUntil).toBe(START + 1_800_000 + 100_000);
  });
});

describe("the longest log of a game", () => {
  const almost = () => ({ ...play(checkers, active(checkers), ...OPENING), version: 1_998 });
  const next = (state: ReturnType<typeof almost>, path: string) =>
    carryOut(checkers, state, toMove(checkers, state, path), (state.changedAt + 1_000) as Instant);

  // [STATE-12 §4 r32] The move that brings a game to 2,000 moves and offers ends it as a draw, and both players see
  // 'Draw by Length'.
  test("has 2,000 records: the move that reaches it ends the game as a draw [STATE-12]", () => {
    const last = next(almost(), "g3-h4");
    expect(last).toMatchObject({ version: 1_999, status: "active" });
    expect(next(last, "c5-b4")).toMatchObject({
      version: 2_000,
      status: "completed",
      result: { winner: null, reason: "too_long" },
      clock: { turnStartedAt: null },
    });
  });

  test("is not reached by an offer: the next move ends the game", () => {
    const offer: TableCommand = { type: "offer_draw", id: newId(), player: ADA };
    const last = next(almost(), "g3-h4");
    const offered = carryOut(checkers, last, offer, last.changedAt);
    expect(offered).toMatchObject({ version: 2_000, status: "active" });
    expect(next(offered, "c5-b4").result).toEqual({ winner: null, reason: "too_long" });
  });

  test("does not take away a win by the same move", () => {
    const state = { ...play(chess, active(chess), "f2-f3", "e7-e5", "g2-g4"), version: 1_999 };
    const mate = carryOutUnchecked(state, toMove(chess, state, "d8-h4"), (state.changedAt + 1_000) as Instant);
    expect(mate.result).toEqual({ winner: 2, reason: "checkmate" });
  });
});

/** Like `carryOut`, for a position that no log reaches. */
function carryOutUnchecked<Position>(
  state: TableState<Position>,
  command: TableCommand,
  at: Instant,
): TableState<Position> {
  const decided = decide(chess as unknown as GameRules<Position>, state, command, at);
  if (!decided.ok || decided.value.type !== "decided") throw new Error("not decided");
  return decided.value.next;
}
