import { checkers } from "@holo/checkers/checkers.ts";
import { chess } from "@holo/chess/chess.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { describe, expect, it } from "vitest";
import type { PendingMove } from "../store/table-view.ts";
import { ADA, BOLA, play } from "../testing/play.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { formatAnnouncement, formatMoved, formatPremoveChange, toTableNotification } from "./announcement.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const OVER = `${OPENING} resign/2`;

function view(steps: string, viewer: { readonly id: PlayerId } | null = ADA): TableViewModel {
  return toTableViewModel(play(checkers, steps), viewer?.id);
}

describe("formatAnnouncement", () => {
  it("states the player, the squares and what follows", () => {
    const shown = play(checkers, "join c3-d4 b6-c5");
    expect(formatAnnouncement(toTableViewModel(shown, ADA.id), 1)).toBe("bola: b6 to c5. Your turn. You must capture.");
    expect(formatAnnouncement(toTableViewModel(shown, BOLA.id), 1)).toBe("You: b6 to c5. Opponent's turn.");
    expect(formatAnnouncement(toTableViewModel(shown, undefined), 1)).toBe("bola: b6 to c5. ada to move.");
  });

  it("names the piece in chess, and a check", () => {
    const check = play(chess, "join e4 f5 Qh5+");
    expect(formatAnnouncement(toTableViewModel(check, BOLA.id), 2)).toBe("ada: queen d1 to h5. Your turn. Check.");
    expect(formatMoved(toTableViewModel(check, BOLA.id), 1)).toBe("You: pawn f7 to f5.");
  });
});

describe("formatPremoveChange", () => {
  const { rules, table } = play(chess, "join");
  const NOTHING = { premove: null, pending: null, rules, table } as const;
  const KEPT = { ...NOTHING, premove: { seat: 2, path: [1, 18] } } as const;

  it("announces a premove that is chosen or dropped", () => {
    expect(formatPremoveChange(NOTHING, KEPT)).toBe("Premove: knight b8 to c6.");
    expect(formatPremoveChange(KEPT, NOTHING)).toBe("Premove dropped.");
  });

  it("announces neither a played nor an unchanged premove", () => {
    const played = { ...NOTHING, pending: { atVersion: 3 } as PendingMove };
    expect(formatPremoveChange(KEPT, played)).toBe("");
    expect(formatPremoveChange(KEPT, { ...KEPT })).toBe("");
    expect(formatPremoveChange(NOTHING, NOTHING)).toBe("");
  });
});

describe("toTableNotification", () => {
  it("notifies a player of their turn and the opponent's move", () => {
    expect(toTableNotification(view("join"), view("join c3-d4"))).toBeNull();
    expect(toTableNotification(view("join", BOLA), view("join c3-d4", BOLA))).toMatchObject({
      title: "Your turn",
      body: "ada played c3-d4.",
    });
    expect(toTableNotification(view("join", null), view("join c3-d4", null))).toBeNull();
  });

  it("notifies of the result once", () => {
    expect(toTableNotification(view(OPENING), view(OVER))).toMatchObject({ title: "You won", body: "bola resigned." });
    expect(toTableNotification(view(OVER), view(OVER))).toBeNull();
  });
});
