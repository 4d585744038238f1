import { checkers } from "@holo/checkers/checkers.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, NEXT_GAME, play } from "../testing/play.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { toOfferNotifications } from "./offer-notifications.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const OVER = `${OPENING} resign/2`;

function view(steps: string, viewer: { readonly id: PlayerId } | null = ADA): TableViewModel {
  return toTableViewModel(play(checkers, steps), viewer?.id);
}

function notify(before: string, then: string, viewer: { readonly id: PlayerId } | null = ADA) {
  return toOfferNotifications(view(before, viewer), view(`${before} ${then}`, viewer));
}

describe("toOfferNotifications", () => {
  it("announces an offer to the opponent only, since its player sees it on the page", () => {
    expect(notify(OPENING, "draw/1")).toEqual([]);
    expect(notify(OPENING, "takeback/1")).toEqual([]);
    expect(notify(OPENING, "draw/1", BOLA)).toMatchObject([{ type: "received", kind: "draw", title: "Draw Offer" }]);
    expect(notify(OPENING, "draw/1", null)).toEqual([]);
  });

  it("is silent about an offer that is not pending any more", () => {
    expect(notify(OPENING, "draw/1 draw/2/decline", BOLA)).toEqual([]);
  });

  it("tells a player that their offer was declined, by an answer or a move", () => {
    expect(notify(`${OPENING} draw/1`, "draw/2/decline")).toMatchObject([
      { notice: { title: "Draw Declined", text: "bola declined." } },
    ]);
    expect(notify(`${OPENING} takeback/1`, "takeback/2/decline_all")).toMatchObject([
      {
        notice: { title: "Takeback Declined", text: "bola declined. They've turned off further offers." },
      },
    ]);
    expect(notify(`${OPENING} draw/2`, "g3-h4", BOLA)).toMatchObject([
      { notice: { title: "Draw Declined", text: "ada moved instead." } },
    ]);
    expect(notify(`${OPENING} draw/2`, "g3-h4", ADA)).toEqual([]);
    expect(notify(`${OPENING} draw/1`, "g3-h4", ADA)).toEqual([]);
  });

  it("announces a takeback to everyone", () => {
    const back = [`${OPENING} takeback/2`, "takeback/1/accept"] as const;
    expect(notify(...back, BOLA)).toEqual([
      {
        type: "notice",
        notice: {
          kind: "done",
          title: "Takeback Accepted",
          text: "Your last move was taken back. The clocks stay as they are.",
        },
      },
    ]);
    for (const viewer of [ADA, null]) {
      expect(notify(...back, viewer)).toMatchObject([
        { notice: { text: "bola's last move is taken back. The clocks stay as they are." } },
      ]);
    }
  });

  it("leaves an agreed draw to the end of the game", () => {
    expect(notify(`${OPENING} draw/1`, "draw/2/accept")).toEqual([]);
    expect(notify(`${OPENING} draw/1`, "draw/2")).toEqual([]);
  });

  it("leads both players to the rematch, but no spectators", () => {
    const started = [`${OVER} rematch/1`, "rematch/2/accept"] as const;
    expect(notify(...started, BOLA)).toEqual([
      {
        type: "rematch",
        gameId: NEXT_GAME,
        notice: { kind: "done", title: "Rematch Accepted!", text: "Opening new game..." },
      },
    ]);
    expect(notify(...started, ADA)).toMatchObject([{ type: "rematch", notice: { title: "Rematch Started!" } }]);
    expect(notify(...started, null)).toEqual([]);
  });

  it("tells both players why a rematch offer expired", () => {
    const lapsed = [`${OVER} rematch/1`, "lapse/2/other_game"] as const;
    expect(notify(...lapsed, ADA)).toMatchObject([
      { notice: { title: "No rematch", text: "bola opened another game." } },
    ]);
    expect(notify(...lapsed, BOLA)).toMatchObject([{ notice: { text: "You opened another game." } }]);
    expect(notify(`${OVER} rematch/1`, "expire/90000")).toMatchObject([
      { notice: { text: "The rematch was not answered within a minute." } },
    ]);
    expect(notify(`${OVER} rematch/1`, "rematch/2/decline")).toMatchObject([{ notice: { title: "Rematch Declined" } }]);
  });
});
