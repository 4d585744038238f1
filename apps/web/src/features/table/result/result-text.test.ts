import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, play } from "../testing/play.ts";
import { toTableViewModel } from "../view-model.ts";
import { formatDraw, formatRatingChange, toResultText } from "./result-text.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";

describe("toResultText", () => {
  it("is null during the game", () => {
    expect(toResultText(toTableViewModel(play(checkers, OPENING), ADA.id))).toBeNull();
  });

  it("words a resignation for both players and for spectators", () => {
    const shown = play(checkers, `${OPENING} resign/2`);
    expect(toResultText(toTableViewModel(shown, ADA.id))).toEqual({ title: "You won", reason: "bola resigned." });
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({
      title: "You lost",
      reason: "You resigned.",
    });
    expect(toResultText(toTableViewModel(shown, undefined))).toEqual({ title: "ada won", reason: "bola resigned." });
  });

  it("words a loss on time", () => {
    const shown = play(checkers, `${OPENING} expire/900000`);
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({
      title: "You won",
      reason: "Time's up! Game over - time limit reached.",
    });
    expect(toResultText(toTableViewModel(shown, ADA.id))?.title).toBe("You lost");
  });

  it("words a checkmate", () => {
    const shown = play(chess, "join f3 e5 g4 Qh4#");
    expect(toResultText(toTableViewModel(shown, BOLA.id))).toEqual({
      title: "You won",
      reason: "Checkmate. ada's king cannot escape.",
    });
  });

  it("gives the reason of a draw [ENT-05]", () => {
    const knights = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    expect(toResultText(toTableViewModel(play(chess, `join ${knights}`), ADA.id))).toEqual({
      title: "Draw",
      reason: "Draw by Threefold Repetition. The same position occurred three times.",
    });
  });

  it("names every draw by its reason [CHESS-04]", () => {
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

  it("words an agreed draw", () => {
    expect(toResultText(toTableViewModel(play(checkers, `${OPENING} draw/1 draw/2/accept`), BOLA.id))).toEqual({
      title: "Draw",
      reason: "Draw Accepted. Game ended in a draw. Stakes returned (minus holo fee).",
    });
  });

  it("names the limit that a game without end has reached [STATE-12]", () => {
    const shown = play(checkers, OPENING);
    const table = { ...shown.table, status: "completed", result: { winner: null, reason: "too_long" } } as const;
    expect(toResultText(toTableViewModel({ ...shown, table }, BOLA.id))).toEqual({
      title: "Draw",
      reason: "Draw by Length. The game reached its limit of 2,000 moves and offers.",
    });
  });

  it("names the player who cancelled or made no first move", () => {
    const cancelled = play(checkers, "join cancel/2");
    expect(toResultText(toTableViewModel(cancelled, ADA.id))?.reason).toBe("bola cancelled the game.");
    expect(toResultText(toTableViewModel(cancelled, BOLA.id))?.reason).toBe("You cancelled the game.");
    const missed = play(checkers, "join expire/70000");
    expect(toResultText(toTableViewModel(missed, BOLA.id))?.reason).toBe("ada made no first move in time.");
    const lapsed = play(checkers, "expire/1900000");
    expect(toResultText(toTableViewModel(lapsed, ADA.id))?.reason).toBe("Nobody joined within 30 minutes.");
  });
});

describe("formatRatingChange", () => {
  const toChange = (before: number, after: number, deviations: readonly [number, number] = [70, 70]) =>
    formatRatingChange({
      before: { rating: before, deviation: deviations[0] },
      after: { rating: after, deviation: deviations[1] },
    });

  it("names the new rating and its change", () => {
    expect(toChange(1494, 1512)).toBe("1512 ±70, +18");
    expect(toChange(1494, 1480)).toBe("1480 ±70, −14");
    expect(toChange(1494, 1494)).toBe("1494 ±70, +0");
  });

  it("says 'new' while the deviation is above 110, and no change from such a rating", () => {
    expect(toChange(1500, 1662, [350, 290])).toBe("new");
    expect(toChange(1600, 1640, [112, 109])).toBe("1640 ±109");
  });
});
