import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { describe, expect, it } from "vitest";
import { formatAnnouncement } from "./events/announcement.ts";
import { formatDraw, toResultText } from "./result/result-text.ts";
import { toTurnText } from "./status/turn-text.ts";
import { ADA, BOLA, play } from "./testing/play.ts";
import {
  countCaptured,
  mayCancel,
  mayMove,
  mayResign,
  toRemainingMs,
  toTableViewModel,
  withoutPending,
} from "./view-model.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";

describe("the banner", () => {
  it("waits for an opponent, and counts to the moment the game closes by itself [GAME-03b]", () => {
    const text = toTurnText(toTableViewModel(play(checkers, ""), ADA.id), "connected");
    expect(text).toMatchObject({ title: "Waiting for opponent to join...", until: 1_800_000, unit: "minutes" });
  });

  it("counts down to the first move of either player [GAME-04]", () => {
    const shown = play(checkers, "join");
    expect(toTurnText(toTableViewModel(shown, ADA.id), "connected")).toMatchObject({
      title: "Your turn",
      detail: "Make your first move:",
      until: 61_000,
      isOwn: true,
    });
    expect(toTurnText(toTableViewModel(shown, BOLA.id), "connected")).toMatchObject({
      title: "Opponent's turn",
      isOwn: false,
    });
  });

  it("names who is to move for those who watch", () => {
    expect(toTurnText(toTableViewModel(play(checkers, OPENING), undefined), "connected").title).toBe("ada to move");
  });

  it("says what the rules ask of the player, and of nobody else [CHESS-09b]", () => {
    const due = play(checkers, "join c3-d4 b6-c5");
    expect(toTurnText(toTableViewModel(due, ADA.id), "connected").detail).toBe("You must capture.");
    expect(toTurnText(toTableViewModel(due, BOLA.id), "connected").detail).toBe("");
    const check = play(chess, "join e4 f5 Qh5+");
    expect(toTurnText(toTableViewModel(check, BOLA.id), "connected").detail).toBe("Your king is in check.");
  });

  it("says above all that the connection is lost", () => {
    const viewModel = toTableViewModel(play(checkers, "join"), ADA.id);
    expect(toTurnText(viewModel, "reconnecting")).toMatchObject({ detail: "Reconnecting...", until: null });
    expect(toTurnText(viewModel, "offline").detail).toBe("You are offline.");
  });
});

describe("a move that is drawn and may not have arrived", () => {
  const shown = play(checkers, OPENING);
  const { position, boardVersion } = shown.table;
  const played = shown.rules.play(position, shown.rules.legalMoves(position)[0]!.path);
  if (!played.ok) throw new Error("the move is not legal");
  const pending = { ...played.value, atVersion: boardVersion, sentAt: toInstant(10_000) };
  const viewModel = toTableViewModel({ ...shown, pending }, ADA.id);

  it("is said to be on its way, and that its player's clock may go on [CLOCK-08]", () => {
    expect(toTurnText(viewModel, "connected")).toMatchObject({ title: "Opponent's turn", detail: "", isOwn: false });
    expect(toTurnText(viewModel, "connected", true)).toMatchObject({
      title: "Sending your move...",
      detail: "Your clock may run on.",
      isOwn: true,
    });
    expect(toTurnText(viewModel, "offline", true).detail).toBe("You are offline. Your clock may run on.");
    expect(toTurnText(viewModel, "reconnecting", true).detail).toBe("Reconnecting... Your clock may run on.");
  });

  it("leaves the clock of its player running where it may not have arrived [CLOCK-08b]", () => {
    const [atOnce, later] = [10_000, 15_000];
    expect(toRemainingMs(viewModel, 1, later)).toBe(toRemainingMs(viewModel, 1, atOnce));
    const told = withoutPending(viewModel);
    expect(told.turn).toBe(1);
    expect(toRemainingMs(told, 1, later)).toBe(toRemainingMs(told, 1, atOnce) - 5_000);
    expect(toRemainingMs(told, 2, later)).toBe(toRemainingMs(told, 2, atOnce));
  });
});

describe("the result", () => {
  it("is null while the game goes on", () => {
    expect(toResultText(toTableViewModel(play(checkers, OPENING), ADA.id))).toBeNull();
  });

  it("tells each side of a resignation, and those who watch", () => {
    const shown = play(checkers, `${OPENING} resign/2`);
    expect(toResultText(toTableViewModel(shown, ADA.id))).toEqual({ title: "You won", reason: "bola resigned." });
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({ title: "You lost", reason: "You resigned." });
    expect(toResultText(toTableViewModel(shown, undefined))).toEqual({ title: "ada won", reason: "bola resigned." });
  });

  it("tells of time that ran out", () => {
    const shown = play(checkers, `${OPENING} expire/900000`);
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({
      title: "You won",
      reason: "Time's up! ada ran out of time.",
    });
    expect(toResultText(toTableViewModel(shown, ADA.id))?.reason).toBe("Time's up! You ran out of time.");
  });

  it("tells of checkmate", () => {
    const shown = play(chess, "join f3 e5 g4 Qh4#");
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({
      title: "You won",
      reason: "Checkmate. ada's king cannot escape.",
    });
  });

  it("gives the true reason of a draw [ENT-05b]", () => {
    const knights = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    expect(toResultText(toTableViewModel(play(chess, `join ${knights}`), ADA.id))).toEqual({
      title: "Draw",
      reason: "Draw by Threefold Repetition. The same position stood for the third time.",
    });
  });

  it("names every draw by its reason [CHESS-04b]", () => {
    expect(
      (
        ["stalemate", "threefold_repetition", "fifty_moves", "insufficient_material", "time_without_material"] as const
      ).map(formatDraw),
    ).toEqual([
      "Draw by Stalemate",
      "Draw by Threefold Repetition",
      "Draw by the Fifty-Move Rule",
      "Draw by Insufficient Material",
      "Draw on Time",
    ]);
  });

  it("tells of a draw that both agreed to", () => {
    expect(toResultText(toTableViewModel(play(checkers, `${OPENING} draw/1 draw/2/accept`), BOLA.id))).toEqual({
      title: "Draw",
      reason: "Draw by Agreement. Both agreed to it.",
    });
  });

  it("says who cancelled, and who made no first move", () => {
    const cancelled = play(checkers, "join cancel/2");
    expect(toResultText(toTableViewModel(cancelled, ADA.id))?.reason).toBe("bola cancelled the game.");
    expect(toResultText(toTableViewModel(cancelled, BOLA.id))?.reason).toBe("You cancelled the game.");
    const missed = play(checkers, "join expire/70000");
    expect(toResultText(toTableViewModel(missed, BOLA.id))?.reason).toBe("ada made no first move in time.");
    const lapsed = play(checkers, "expire/1900000");
    expect(toResultText(toTableViewModel(lapsed, ADA.id))?.reason).toBe("Nobody joined within 30 minutes.");
  });
});

describe("a viewModel", () => {
  it("lets players cancel until both have made two moves, and resign from then on [GAME-08]", () => {
    for (const [steps, cancel, resign] of [
      ["", true, false],
      ["join", true, false],
      ["join c3-d4 b6-a5 b2-c3", true, false],
      [OPENING, false, true],
      [`${OPENING} resign/1`, false, false],
    ] as const) {
      const viewModel = toTableViewModel(play(checkers, steps), ADA.id);
      expect([mayCancel(viewModel), mayResign(viewModel)]).toEqual([cancel, resign]);
      const watched = toTableViewModel(play(checkers, steps), undefined);
      expect([mayCancel(watched), mayResign(watched), mayMove(watched)]).toEqual([false, false, false]);
    }
  });

  it("counts what each seat has taken [DRAUGHT-07]", () => {
    const shown = play(checkers, "join c3-d4 b6-c5 d4:b6 a7:c5");
    expect([countCaptured({ shown }, 1), countCaptured({ shown }, 2)]).toEqual([1, 1]);
  });

  it("lets the mover's clock run after two plies, and both stand while a move is on its way [CLOCK-01]", () => {
    const shown = play(checkers, "join c3-d4 b6-a5");
    const viewModel = toTableViewModel(shown, ADA.id);
    expect(toRemainingMs(viewModel, 1, 13_000)).toBe(590_000);
    expect(toRemainingMs(viewModel, 2, 13_000)).toBe(600_000);
    const played = shown.rules.play(shown.table.position, [49, 42]);
    if (!played.ok) throw new Error("b2-c3 is legal");
    const pending = { ...played.value, atVersion: shown.table.boardVersion, sentAt: toInstant(5_000) };
    const sent = toTableViewModel({ ...shown, pending }, ADA.id);
    expect(sent.turn).toBe(2);
    expect(mayMove(sent)).toBe(false);
    expect([toRemainingMs(sent, 1, 13_000), toRemainingMs(sent, 2, 13_000)]).toEqual([598_000, 600_000]);
  });
});

describe("what is read out", () => {
  it("says whose move it was, where it went, and what follows", () => {
    const shown = play(checkers, "join c3-d4 b6-c5");
    const move = shown.table.moves[1]!.move;
    expect(formatAnnouncement(toTableViewModel(shown, ADA.id), 2, move)).toBe(
      "bola: b6 to c5. Your turn. You must capture.",
    );
    expect(formatAnnouncement(toTableViewModel(shown, BOLA.id), 2, move)).toBe("You: b6 to c5. Opponent's turn.");
    expect(formatAnnouncement(toTableViewModel(shown, undefined), 2, move)).toBe("bola: b6 to c5. ada to move.");
  });

  it("tells of captures and checks", () => {
    const taken = play(checkers, "join c3-d4 b6-c5 d4:b6");
    expect(formatAnnouncement(toTableViewModel(taken, ADA.id), 1, taken.table.moves[2]!.move)).toBe(
      "You: d4 to b6, capturing one. Opponent's turn.",
    );
    const check = play(chess, "join e4 f5 Qh5+");
    expect(formatAnnouncement(toTableViewModel(check, BOLA.id), 1, check.table.moves[2]!.move)).toBe(
      "ada: d1 to h5. Your turn. Check.",
    );
  });
});
