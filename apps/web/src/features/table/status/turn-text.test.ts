import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import { toInstant } from "@holo/kernel/instant.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, makePendingViewModel, play } from "../testing/play.ts";
import { toTableViewModel } from "../view-model.ts";
import { toTurnText } from "./turn-text.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";

describe("toTurnText", () => {
  it("counts down to the automatic cancellation of a waiting game [GAME-03]", () => {
    const text = toTurnText(toTableViewModel(play(checkers, ""), ADA.id), "connected");
    expect(text).toMatchObject({ title: "Waiting for opponent to join...", until: 1_800_000, unit: "minutes" });
    expect(text.detail).toBe("If nobody joins, you're refunded in");
    const spectators = toTurnText(toTableViewModel(play(checkers, ""), undefined), "connected");
    expect(spectators).toMatchObject({ title: text.title, detail: "Closes in", until: 1_800_000 });
  });

  // [GAME-04 §2] An active game shows 'Your turn' or 'Opponent's turn'.
  it("counts down to each player's first move [GAME-04 STATE-11]", () => {
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

  it("names the player to move for spectators", () => {
    expect(toTurnText(toTableViewModel(play(checkers, OPENING), undefined), "connected").title).toBe("ada to move");
  });

  it("states a duty to capture and a check to the player to move only [CHESS-09]", () => {
    const due = play(checkers, "join c3-d4 b6-c5");
    expect(toTurnText(toTableViewModel(due, ADA.id), "connected").detail).toBe("You must capture.");
    expect(toTurnText(toTableViewModel(due, BOLA.id), "connected").detail).toBe("");
    const check = play(chess, "join e4 f5 Qh5+");
    expect(toTurnText(toTableViewModel(check, BOLA.id), "connected").detail).toBe("Your king is in check.");
  });

  it("says whom the table waits for after an outage, and for how long [CLOCK-09]", () => {
    const shown = play(checkers, OPENING);
    const { clock } = shown.table;
    const waiting = (awaited: readonly (1 | 2)[], playerId = BOLA.id) => {
      const table = { ...shown.table, clock: { ...clock, awaited, returnBy: toInstant(700_000), turnStartedAt: null } };
      return toTurnText(toTableViewModel({ ...shown, table }, playerId), "connected");
    };
    const until = { until: 700_000, unit: "minutes" };
    expect(waiting([1, 2])).toMatchObject({ detail: "Waiting for both players to come back:", ...until });
    expect(waiting([1])).toMatchObject({ detail: "Not back yet. Their clock starts in", ...until });
    // Ada has returned and is to move; only her opponent is awaited.
    expect(waiting([2], ADA.id)).toMatchObject({ title: "Your turn", until: null });
  });

  it("puts a lost connection first", () => {
    const viewModel = toTableViewModel(play(checkers, "join"), ADA.id);
    expect(toTurnText(viewModel, "reconnecting")).toMatchObject({ detail: "Reconnecting...", until: null });
    expect(toTurnText(viewModel, "offline").detail).toBe("You are offline.");
  });

  // [PRES-04 §4] The page tells 'You are offline.' from 'Holo Arena is not answering. Trying again...', and does not
  // call the opponent online while it cannot know.
  it("tells a device without a network from a server that is away [PRES-04]", () => {
    const viewModel = toTableViewModel(play(checkers, "join"), ADA.id);
    expect(toTurnText(viewModel, "silent").detail).toBe("Connection problem. Trying again...");
    expect(toTurnText(viewModel, "unreachable").detail).toBe("Holo Arena is not answering. Trying again...");
    expect(toTurnText(viewModel, "busy").detail).toBe("Holo Arena is busy right now. Trying again...");
    expect(toTurnText(viewModel, "displaced").detail).toBe("You have too many tabs open. Close one and reload.");
  });

  // [TURN-04 §4] While a premove waits the banner says 'Premove set, tap to cancel', and a press cancels it.
  it("says that a premove is set [TURN-04]", () => {
    const shown = { ...play(checkers, OPENING), premove: { seat: 2, path: [17, 26] } } as const;
    const viewModel = toTableViewModel(shown, BOLA.id);
    expect(toTurnText(viewModel, "connected")).toMatchObject({ title: "Opponent's turn", hasPremove: true });
    expect(toTurnText(viewModel, "reconnecting")).toMatchObject({ detail: "Reconnecting...", hasPremove: false });
  });

  // [CLOCK-08 §4 r16] While a move may not have reached the server, its player sees a message and their own clock
  // keeps running.
  it("says that a move may not have arrived and that the clock may run [CLOCK-08]", () => {
    const viewModel = makePendingViewModel();
    expect(toTurnText(viewModel, "connected")).toMatchObject({ title: "Opponent's turn", detail: "", isOwn: false });
    expect(toTurnText(viewModel, "connected", true)).toMatchObject({
      title: "Sending your move...",
      detail: "Your clock may run on.",
      isOwn: true,
    });
    expect(toTurnText(viewModel, "offline", true).detail).toBe("You are offline. Your clock may run on.");
    expect(toTurnText(viewModel, "reconnecting", true).detail).toBe("Reconnecting... Your clock may run on.");
  });
});
