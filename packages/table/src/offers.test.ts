import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { type PlayerId, toGameId } from "@holo/kernel/ids.ts";
import type { Instant } from "@holo/kernel/instant.ts";
import { ofSeat } from "@holo/rules/by-seat.ts";
import type { GameRules } from "@holo/rules/rules.ts";
import { describe, expect, test } from "vitest";
import { NO_DELIVERY } from "./clock.ts";
import type { TableCommand } from "./command.ts";
import { toDeadline } from "./deadline.ts";
import { decide } from "./decide.ts";
import { evolve } from "./evolve.ts";
import type { OfferAnswer } from "./log-record.ts";
import type { TableState } from "./state.ts";
import {
  ADA,
  active,
  BOLA,
  CHI,
  carryOut,
  newId,
  OPENING,
  play,
  refusalOf,
  START,
  toMove,
  waiting,
} from "./testing/table-fixture.ts";

const NEXT = toGameId("00000000-0000-4000-8000-000000000002");
const OTHER = toGameId("00000000-0000-4000-8000-000000000003");

type OfferType = "offer_draw" | "request_takeback";
const ANSWERS = { offer_draw: "answer_draw", request_takeback: "answer_takeback" } as const;
const KINDS = { offer_draw: "draw", request_takeback: "takeback" } as const;
const ASKINGS: readonly OfferType[] = ["offer_draw", "request_takeback"];

function ask(type: OfferType, player: PlayerId): TableCommand {
  return { type, id: newId(), player };
}

/** As a page asks that shows `seen`, whatever has happened since. */
function askAt(seen: TableState<unknown>, type: OfferType, player: PlayerId): TableCommand {
  return { ...ask(type, player), opponentMoves: seen.movesMade[player === ADA ? 1 : 0] } as TableCommand;
}

function answer(
  state: TableState<unknown>,
  type: OfferType,
  player: PlayerId,
  given: OfferAnswer,
  atVersion = state.boardVersion,
): TableCommand {
  const offer = state.offers[KINDS[type]].pending?.version ?? 0;
  return { type: ANSWERS[type], id: newId(), player, offer, answer: given, atVersion };
}

function offerRematch(player: PlayerId, nextGameId = NEXT, feeBps = 800): TableCommand {
  return { type: "offer_rematch", id: newId(), player, feeBps, nextGameId };
}

function answerRematch(
  state: TableState<unknown>,
  player: PlayerId,
  given: Exclude<OfferAnswer, "decline_all">,
  nextGameId = NEXT,
): TableCommand {
  const offer = state.offers.rematch.pending?.version ?? 0;
  return { type: "answer_rematch", id: newId(), player, offer, answer: given, nextGameId };
}

function later(state: TableState<unknown>, ms = 1_000): Instant {
  return (state.changedAt + ms) as Instant;
}

function then<Position>(rules: GameRules<Position>, state: TableState<Position>, command: TableCommand) {
  return carryOut(rules, state, command, later(state));
}

function refusal<Position>(rules: GameRules<Position>, state: TableState<Position>, command: TableCommand): string {
  return refusalOf(rules, state, command, later(state));
}

const opened = () => play(checkers, active(checkers), ...OPENING);
const drawOffered = () => then(checkers, opened(), ask("offer_draw", ADA));
const resigned = () => then(checkers, opened(), { type: "resign", id: newId(), player: ADA });

describe("a draw", () => {
  // [OFFER-03 §4 r18] A draw offer is pending for the opponent, and accepting it ends the game as a draw, but no
  // longer once a clock has run out.
  test("ends the game without a winner when accepted, with the running clock charged [OFFER-03]", () => {
    const state = drawOffered();
    const ended = then(checkers, state, answer(state, "offer_draw", BOLA, "accept"));
    expect(ended.status).toBe("completed");
    expect(ended.result).toEqual({ winner: null, reason: "agreement" });
    expect(ended.clock.remainingMs).toEqual([state.clock.remainingMs[0] - 2_000, state.clock.remainingMs[1]]);
    expect(ended.offers.draw.pending).toBeNull();
  });

  test("is agreed when both offer it", () => {
    const ended = then(checkers, drawOffered(), ask("offer_draw", BOLA));
    expect(ended.result).toEqual({ winner: null, reason: "agreement" });
  });

  // [CONST-08 §9 r17] Resign and Offer Draw become available when both players have made two moves, and a later
  // takeback does not remove them.
  test("is refused before both have made two moves; a later takeback changes nothing [CONST-08]", () => {
    const early = play(checkers, active(checkers), ...OPENING.slice(0, 3));
    expect(refusal(checkers, early, ask("offer_draw", ADA))).toBe("too_early_to_draw");
    const asked = then(checkers, opened(), ask("request_takeback", ADA));
    const back = then(checkers, asked, answer(asked, "request_takeback", BOLA, "accept"));
    expect(back.moves).toHaveLength(2);
    expect(then(checkers, back, ask("offer_draw", BOLA)).offers.draw.pending?.seat).toBe(2);
  });

  test("refuses an acceptance of an older board and takes one of the current board", () => {
    const state = drawOffered();
    const moved = play(checkers, state, "a1-b2");
    expect(moved.offers.draw.pending).toEqual(state.offers.draw.pending);
    expect(refusal(checkers, moved, answer(moved, "offer_draw", BOLA, "accept", state.boardVersion))).toBe(
      "stale_version",
    );
    expect(refusal(checkers, moved, answer(moved, "offer_draw", BOLA, "decline", state.boardVersion))).toBe("decided");
    expect(then(checkers, moved, answer(moved, "offer_draw", BOLA, "accept")).result?.reason).toBe("agreement");
  });

  test("is not agreed once a clock has run out, even before its flag falls [OFFER-03]", () => {
    const state = drawOffered();
    const delivery = { sentAt: (state.clock.turnStartedAt! + 300) as Instant, lagMs: 0, stallMs: 200 };
    const runsOutAt = state.clock.turnStartedAt! + 500 + state.clock.remainingMs[0];
    const agreements = [answer(state, "offer_draw", BOLA, "accept"), ask("offer_draw", BOLA)];
    for (const agreement of agreements) {
      const command = { ...agreement, delivery } as TableCommand;
      // Half a second more for the network, as for a move (ruling 16).
      expect(refusalOf(checkers, state, command, (runsOutAt + 499) as Instant)).toBe("decided");
      expect(refusalOf(checkers, state, command, (runsOutAt + 500) as Instant)).toBe("time_up");
    }
    const declined = answer(state, "offer_draw", BOLA, "decline");
    expect(refusalOf(checkers, state, declined, (runsOutAt + 500) as Instant)).toBe("decided");
  });

  test("can be pending together with a takeback, each answered separately", () => {
    const both = then(checkers, drawOffered(), ask("request_takeback", ADA));
    expect(both.offers.draw.pending?.seat).toBe(1);
    expect(both.offers.takeback.pending?.seat).toBe(1);
    const back = then(checkers, both, answer(both, "request_takeback", BOLA, "accept"));
    expect(back.offers.draw.pending).toEqual(both.offers.draw.pending);
  });
});

describe.each(ASKINGS)("%s", (type) => {
  const kind = KINDS[type];
  const offered = () => then(checkers, opened(), ask(type, ADA));

  test("stays pending until it is answered and cannot be made twice", () => {
    expect(offered().offers[kind].pending).toEqual({ seat: 1, version: 7, at: START + 5_000 });
    expect(refusal(checkers, offered(), ask(type, ADA))).toBe("offer_stands");
  });

  test("gets the same answer when sent again", () => {
    const command = ask(type, ADA);
    const state = then(checkers, opened(), command);
    expect(decide(checkers, state, command, later(state))).toEqual({
      ok: true,
      value: { type: "repeated", version: 7 },
    });
    const accepting = answer(state, type, BOLA, "accept");
    const accepted = then(checkers, state, accepting);
    const again = decide(checkers, accepted, accepting, later(accepted));
    expect(again).toEqual({ ok: true, value: { type: "repeated", version: 8 } });
    expect(refusal(checkers, accepted, { ...accepting, answer: "decline" } as TableCommand)).toBe("command_id_reused");
  });

  test("can be repeated two own moves after it was declined [OFFER-06]", () => {
    const state = offered();
    const declined = then(checkers, state, answer(state, type, BOLA, "decline"));
    expect(declined.offers[kind].pending).toBeNull();
    expect(refusal(checkers, declined, ask(type, ADA))).toBe("asked_too_soon");
    const one = play(checkers, declined, "a1-b2", "g7-f6");
    expect(refusal(checkers, one, ask(type, ADA))).toBe("asked_too_soon");
    const two = play(checkers, one, "c3-b4");
    expect(then(checkers, two, ask(type, ADA)).offers[kind].pending?.seat).toBe(1);
  });

  // [OFFER-06 §4 r18] An offer lapses when the opponent moves, even if it was pressed before the move and arrives
  // after it. It can be repeated after two more own moves.
  test("expires as declined with a move of the receiver, not of the sender [OFFER-06]", () => {
    const moved = play(checkers, offered(), "a1-b2");
    expect(moved.offers[kind].pending?.seat).toBe(1);
    const lapsed = play(checkers, moved, "g7-f6");
    expect(lapsed.offers[kind].pending).toBeNull();
    expect(refusal(checkers, lapsed, ask(type, ADA))).toBe("asked_too_soon");
    expect(refusal(checkers, lapsed, { ...answer(moved, type, BOLA, "accept"), atVersion: 9 } as TableCommand)).toBe(
      "no_offer",
    );
  });

  test("lapses too if it arrives after a move that its player had not seen [OFFER-06]", () => {
    const seen = play(checkers, opened(), "a1-b2");
    const late = askAt(seen, type, ADA);
    const moved = play(checkers, seen, "g7-f6");
    expect(refusal(checkers, moved, late)).toBe("stale_version");
    // It must not accept the opponent's offer, which its player has not seen either.
    const crossed = then(checkers, moved, ask(type, BOLA));
    expect(refusal(checkers, crossed, late)).toBe("stale_version");
    // An own move does not count: a draw is often offered with one.
    expect(then(checkers, seen, askAt(opened(), type, ADA)).offers[kind].pending?.seat).toBe(1);
    expect(then(checkers, moved, askAt(moved, type, ADA)).offers[kind].pending?.seat).toBe(1);
  });

  // [CALL-19 §7 r18,19] An accepted rematch takes both players to its game. Draws and takebacks can be answered only
  // by the player they were addressed to.
  test("is answered by the opponent only, and once [CALL-19]", () => {
    const state = offered();
    expect(refusal(checkers, state, answer(state, type, ADA, "accept"))).toBe("own_offer");
    expect(refusal(checkers, state, answer(state, type, CHI, "accept"))).toBe("not_a_player");
    expect(refusal(checkers, state, ask(type, CHI))).toBe("not_a_player");
    const declined = then(checkers, state, answer(state, type, BOLA, "decline"));
    expect(refusal(checkers, declined, answer(state, type, BOLA, "accept"))).toBe("no_offer");
  });

  test("can be refused for the rest of the game, for that player alone", () => {
    const state = offered();
    const refused = then(checkers, state, answer(state, type, BOLA, "decline_all"));
    const on = play(checkers, refused, "a1-b2", "g7-f6", "c3-b4", "h8-g7");
    expect(refusal(checkers, on, ask(type, ADA))).toBe("offers_refused");
    expect(then(checkers, on, ask(type, BOLA)).offers[kind].pending?.seat).toBe(2);
  });

  test("is refused unless the game is active", () => {
    expect(refusal(checkers, waiting(checkers), ask(type, ADA))).toBe("not_started");
    expect(refusal(checkers, resigned(), ask(type, ADA))).toBe("game_over");
  });
});

describe("a takeback", () => {
  test("goes back two plies after a reply, else one, and its player is to move [OFFER-04]", () => {
    const answered = then(checkers, opened(), ask("request_takeback", ADA));
    const two = then(checkers, answered, answer(answered, "request_takeback", BOLA, "accept"));
    expect(two.moves).toHaveLength(2);
    expect(checkers.toMove(two.position)).toBe(1);
    const unanswered = then(checkers, opened(), ask("request_takeback", BOLA));
    const one = then(checkers, unanswered, answer(unanswered, "request_takeback", ADA, "accept"));
    expect(one.moves).toHaveLength(3);
    expect(checkers.toMove(one.position)).toBe(2);
  });

  test("restores the board, the captured pieces and the counters", () => {
    const before = play(checkers, active(checkers), "c3-d4", "f6-e5");
    const after = play(checkers, before, "d4-f6", "g7-e5");
    expect(after.captures).toEqual([1, 1]);
    const asked = then(checkers, after, ask("request_takeback", ADA));
    const back = then(checkers, asked, answer(asked, "request_takeback", BOLA, "accept"));
    expect(back.position).toEqual(before.position);
    expect(back.captures).toEqual([0, 0]);
    expect(back.pliesEver).toBe(4);
    expect(back.movesMade).toEqual([2, 2]);
  });

  test("keeps the clocks, with the running one charged", () => {
    const state = then(checkers, opened(), ask("request_takeback", ADA));
    const back = then(checkers, state, answer(state, "request_takeback", BOLA, "accept"));
    const [ada, bola] = opened().clock.remainingMs;
    expect(back.clock.remainingMs).toEqual([ada - 2_000, bola]);
    expect(back.clock.turnStartedAt).toBe(back.changedAt);
  });

  test("charges the turn like a move: from the sending of its position, less the server's lost time", () => {
    const state = then(checkers, opened(), ask("request_takeback", ADA));
    const turnAt = state.clock.turnStartedAt!;
    const delivery = { sentAt: (turnAt + 300) as Instant, lagMs: 400, stallMs: 200 };
    const accepted = { ...answer(state, "request_takeback", BOLA, "accept"), delivery } as TableCommand;
    const back = carryOut(checkers, state, accepted, (turnAt + 2_000) as Instant);
    const [ada, bola] = opened().clock.remainingMs;
    expect(back.clock.remainingMs).toEqual([ada - 1_500, bola]);
    const late = { ...accepted, id: newId() } as TableCommand;
    expect(refusalOf(checkers, state, late, (turnAt + ada + 499) as Instant)).toBe("decided");
    expect(refusalOf(checkers, state, late, (turnAt + ada + 500) as Instant)).toBe("time_up");
  });

  test("cannot save an expired clock", () => {
    const state = then(checkers, opened(), ask("request_takeback", ADA));
    const late = later(state, 300_000);
    expect(refusalOf(checkers, state, answer(state, "request_takeback", BOLA, "accept"), late)).toBe("time_up");
  });

  // [OFFER-04 §4 r18] A takeback requires more than two plies and restores the board before the requester's last
  // move, with the requester to move.
  test("needs more than two plies on the board [OFFER-04 ERR-21]", () => {
    const two = play(checkers, active(checkers), "c3-d4", "d6-c5");
    expect(refusal(checkers, two, ask("request_takeback", ADA))).toBe("too_early_to_take_back");
  });

  // [OFFER-07 §4 r32] A player can take back ten times in a game. After that the button says so.
  test("is accepted at most ten times per player [OFFER-07]", () => {
    let state = opened();
    for (let taken = 0; taken < 10; taken += 1) {
      const asked = then(checkers, state, ask("request_takeback", BOLA));
      const back = then(checkers, asked, answer(asked, "request_takeback", ADA, "accept"));
      state = carryOut(checkers, back, toMove(checkers, back, "f6-g5"), back.changedAt);
    }
    expect(state.takebacks).toEqual([0, 10]);
    expect(refusal(checkers, state, ask("request_takeback", BOLA))).toBe("takebacks_spent");
    expect(refusal(checkers, state, ask("request_takeback", ADA))).toBe("decided");
    expect(refusal(checkers, state, ask("offer_draw", BOLA))).toBe("decided");
  });

  test("beyond the limit is refused although it was requested under an earlier one", () => {
    const asked = { ...then(checkers, opened(), ask("request_takeback", BOLA)), takebacks: [0, 10] as const };
    expect(refusal(checkers, asked, answer(asked, "request_takeback", ADA, "accept"))).toBe("takebacks_spent");
    expect(refusal(checkers, asked, answer(asked, "request_takeback", ADA, "decline"))).toBe("decided");
    expect(refusal(checkers, asked, ask("request_takeback", ADA))).toBe("takebacks_spent");
  });

  const longGame = () => {
    let state = active(chess);
    const positions = [state.position];
    while (state.moves.length < 70) {
      const legal = chess.legalMoves(state.position);
      const { path } = legal[(state.moves.length * 7) % legal.length]!;
      const player = ofSeat(state.players, chess.toMove(state.position))!;
      const move = { type: "move", id: newId(), player, atVersion: state.boardVersion, path } as const;
      state = then(chess, state, { ...move, delivery: NO_DELIVERY });
      positions.push(state.position);
    }
    return { state, positions };
  };

  test("returns to the earlier position, however many takebacks follow each other", () => {
    let { state, positions } = longGame();
    for (let taken = 0; taken < 20; taken += 1) {
      const [asker, other] = taken < 10 ? [ADA, BOLA] : [BOLA, ADA];
      const asked = then(chess, state, ask("request_takeback", asker));
      state = then(chess, asked, answer(asked, "request_takeback", other, "accept"));
      expect(state.position).toEqual(positions[state.moves.length]);
    }
    expect(state.moves).toHaveLength(31);
  });

  test("replays a bounded number of moves, however long the game", () => {
    let replayed = 0;
    const counting: typeof chess = {
      ...chess,
      play(...move) {
        replayed += 1;
        return chess.play(...move);
      },
    };
    let { state } = longGame();
    while (state.moves.length > 0) {
      const at = state.changedAt;
      const taken = { type: "taken_back", seat: 1, plies: 1, remainingMs: state.clock.remainingMs } as const;
      replayed = 0;
      state = evolve(counting, state, { version: state.version + 1, at, by: 0, events: [taken] });
      expect(replayed).toBeLessThan(32);
    }
    expect(state.position).toEqual(chess.start());
  });

  test("makes a move in flight stale", () => {
    const state = then(checkers, opened(), ask("request_takeback", ADA));
    const back = then(checkers, state, answer(state, "request_takeback", BOLA, "accept"));
    const onItsWay: TableCommand = {
      type: "move",
      id: newId(),
      player: ADA,
      atVersion: state.boardVersion,
      path: [56, 49],
      delivery: NO_DELIVERY,
    };
    expect(refusal(checkers, back, onItsWay)).toBe("stale_version");
  });

  test("carries out the pending request when both ask", () => {
    const asked = then(checkers, opened(), ask("request_takeback", BOLA));
    const back = then(checkers, asked, ask("request_takeback", ADA));
    expect(back.moves).toHaveLength(3);
    expect(back.offers.takeback.pending).toBeNull();
  });

  test("resets the count of repetitions", () => {
    const dance = ["g1-f3", "g8-f6", "f3-g1", "f6-g8"] as const;
    const almost = play(chess, active(chess), ...dance, ...dance.slice(0, 3));
    const asked = then(chess, almost, ask("request_takeback", ADA));
    const back = then(chess, asked, answer(asked, "request_takeback", BOLA, "accept"));
    expect(back.status).toBe("active");
    const again = play(chess, back, "f3-g1", "f6-g8");
    expect(again.result).toEqual({ winner: null, reason: "threefold_repetition" });
  });
});

describe("a rematch", () => {
  const offered = () => then(checkers, resigned(), offerRematch(ADA));

  test("is offered after a finished game and accepted once", () => {
    const state = offered();
    expect(state.offers.rematch.pending).toMatchObject({ seat: 1, feeBps: 800 });
    const started = then(checkers, state, answerRematch(state, BOLA, "accept"));
    expect(started.offers.rematch).toMatchObject({ pending: null, gameId: NEXT });
    expect(started.status).toBe("completed");
    expect(refusal(checkers, started, answerRematch(state, BOLA, "accept", OTHER))).toBe("rematch_started");
    expect(refusal(checkers, started, offerRematch(BOLA, OTHER))).toBe("rematch_started");
  });

  test("does not start when both offer different fees", () => {
    expect(refusal(checkers, offered(), offerRematch(BOLA, NEXT, 740))).toBe("fee_changed");
  });

  test("starts when both offer it", () => {
    const started = then(checkers, offered(), offerRematch(BOLA));
    expect(started.offers.rematch.gameId).toBe(NEXT);
  });

  test("is refused during a game and after a cancelled one", () => {
    expect(refusal(checkers, opened(), offerRematch(ADA))).toBe("not_over");
    const cancelled = then(checkers, active(checkers), { type: "cancel", id: newId(), player: ADA });
    expect(refusal(checkers, cancelled, offerRematch(ADA))).toBe("not_over");
  });

  test("is answered by the opponent only", () => {
    const state = offered();
    expect(refusal(checkers, state, answerRematch(state, ADA, "accept"))).toBe("own_offer");
    expect(refusal(checkers, state, answerRematch(state, CHI, "accept"))).toBe("not_a_player");
    expect(refusal(checkers, state, offerRematch(ADA))).toBe("offer_stands");
  });

  test("cannot be repeated by the declined player, but offered by the opponent", () => {
    const state = offered();
    const declined = then(checkers, state, answerRematch(state, BOLA, "decline"));
    expect(refusal(checkers, declined, offerRematch(ADA))).toBe("rematch_declined");
    expect(then(checkers, declined, offerRematch(BOLA)).offers.rematch.pending?.seat).toBe(2);
  });

  test("expires after a minute, also when answered too late [OFFER-02]", () => {
    const state = offered();
    const dueAt = toDeadline(checkers, state, NO_DELIVERY);
    expect(dueAt).toEqual({ type: "rematch", at: state.changedAt + 60_000 });
    expect(refusalOf(checkers, state, answerRematch(state, BOLA, "accept"), later(state, 60_000))).toBe("no_offer");
    expect(refusalOf(checkers, state, { type: "expire", delivery: NO_DELIVERY }, later(state, 59_999))).toBe("not_due");
    const lapsed = carryOut(checkers, state, { type: "expire", delivery: NO_DELIVERY }, later(state, 60_000));
    expect(lapsed.offers.rematch.pending).toBeNull();
    expect(toDeadline(checkers, lapsed, NO_DELIVERY)).toBeNull();
  });

  test("expires when it becomes impossible, and is limited in number", () => {
    const lapse: TableCommand = { type: "lapse_rematch", reason: "left", seat: 2 };
    expect(refusal(checkers, resigned(), lapse)).toBe("not_due");
    const thrice = [1, 2, 3].reduce(
      (state) => then(checkers, then(checkers, state, offerRematch(ADA)), lapse),
      resigned(),
    );
    expect(refusal(checkers, thrice, offerRematch(ADA))).toBe("rematch_spent");
    expect(then(checkers, thrice, offerRematch(BOLA)).offers.rematch.pending?.seat).toBe(2);
  });
});
