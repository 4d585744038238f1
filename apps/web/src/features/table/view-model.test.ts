import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, makePendingViewModel, play } from "./testing/play.ts";
import {
  countCaptured,
  flipBoard,
  mayCancel,
  mayMove,
  mayResign,
  toMaterial,
  toRemainingMs,
  toTableViewModel,
  withoutPending,
} from "./view-model.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";

describe("the view model of a table", () => {
  // [GAME-08 §2,9 r17] Cancel is available while the game waits and until both players have made two moves. After
  // that Resign and Offer Draw are available.
  it("lets players cancel until both made two moves, and resign after that [GAME-08]", () => {
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

  // [DRAUGHT-07 §4 r1] The server counts captures; a count sent by a client is refused.
  it("counts each seat's captures [DRAUGHT-07]", () => {
    const shown = play(checkers, "join c3-d4 b6-c5 d4:b6 a7:c5");
    expect([countCaptured({ shown }, 1), countCaptured({ shown }, 2)]).toEqual([1, 1]);
  });

  // [CHESS-11 §4] Each player's card shows what they captured, and by how many points they are ahead.
  it("counts the captured material of chess, also en passant and after a promotion [CHESS-11]", () => {
    const taken = toTableViewModel(play(chess, "join e4 d5 exd5 e5 dxe6 Qh4 exf7+ Ke7"), ADA.id);
    expect(toMaterial(taken, 1)).toEqual({ captured: ["pawn", "pawn", "pawn"], lead: 3 });
    expect(toMaterial(taken, 2)).toEqual({ captured: [], lead: 0 });
    const promoted = toTableViewModel(play(chess, "join e4 d5 exd5 e5 dxe6 Qh4 exf7+ Ke7 fxg8=Q"), ADA.id);
    expect(toMaterial(promoted, 1)).toEqual({ captured: ["pawn", "pawn", "pawn", "knight"], lead: 14 });
  });

  // [GAME-17 §2] A watcher can turn the board around.
  it("shows watchers either side and players their own [GAME-17]", () => {
    const shown = play(checkers, OPENING);
    expect(flipBoard(toTableViewModel(shown, undefined)).bottom).toBe(2);
    expect(flipBoard(flipBoard(toTableViewModel(shown, undefined))).bottom).toBe(1);
    expect(flipBoard(toTableViewModel(shown, BOLA.id)).bottom).toBe(2);
  });

  // [CLOCK-01 §4,9 r16] Only the clock of the player to move runs, and only after two moves.
  it("runs the mover's clock after two plies and stops both while a move is in flight [CLOCK-01]", () => {
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

  it("keeps the mover's clock running while a move may not have arrived [CLOCK-08]", () => {
    const viewModel = makePendingViewModel();
    const [atOnce, later] = [10_000, 15_000];
    expect(toRemainingMs(viewModel, 1, later)).toBe(toRemainingMs(viewModel, 1, atOnce));
    const server = withoutPending(viewModel);
    expect(server.turn).toBe(1);
    expect(toRemainingMs(server, 1, later)).toBe(toRemainingMs(server, 1, atOnce) - 5_000);
    expect(toRemainingMs(server, 2, later)).toBe(toRemainingMs(server, 2, atOnce));
  });
});
