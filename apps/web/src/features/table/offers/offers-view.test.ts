import { checkers } from "@holo/checkers/checkers.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, play } from "../testing/play.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { toOfferButton, toOwnOffer, toReceived } from "./offers-view.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const OVER = `${OPENING} resign/2`;

function view(steps: string, viewer: { readonly id: PlayerId } | null = ADA): TableViewModel {
  return toTableViewModel(play(checkers, steps), viewer?.id);
}

describe("toOfferButton", () => {
  it("shows a button only to players of an active game, after enough moves [GAME-08]", () => {
    expect(toOfferButton(view("join c3-d4 b6-a5 b2-c3"), "draw")).toBeNull();
    expect(toOfferButton(view(OPENING, null), "draw")).toBeNull();
    expect(toOfferButton(view(OVER), "draw")).toBeNull();
    expect(toOfferButton(view("join c3-d4 b6-a5"), "takeback")).toBeNull();
    expect(toOfferButton(view("join c3-d4 b6-a5 b2-c3"), "takeback")).toEqual({
      label: "Request Takeback",
      blockedReason: null,
    });
    expect(toOfferButton(view(OPENING), "draw")).toEqual({ label: "Offer Draw", blockedReason: null });
  });

  it("blocks the button while an offer is pending", () => {
    expect(toOfferButton(view(`${OPENING} draw/1`), "draw")).toEqual({
      label: "Draw offered",
      blockedReason: "Waiting for bola to answer.",
    });
  });

  // [GAME-15 §2 r18] While an opponent's draw offer or takeback request is pending, the button for an own one is
  // away. An own offer is shown at the table until it is answered, without a toast.
  it("shows no button while the opponent's offer of the same kind is pending [GAME-15]", () => {
    expect(toOfferButton(view(`${OPENING} takeback/2`), "takeback")).toBeNull();
    expect(toOfferButton(view(`${OPENING} takeback/2`), "draw")?.blockedReason).toBeNull();
    expect(toOfferButton(view(`${OPENING} draw/2`), "draw")).toBeNull();
  });

  it("blocks the button for two own moves after a decline, and for good after 'no more'", () => {
    const declined = `${OPENING} draw/1 draw/2/decline`;
    expect(toOfferButton(view(declined), "draw")?.blockedReason).toBe(
      "You can ask again after 2 more moves of your own.",
    );
    expect(toOfferButton(view(`${declined} g3-h4 f6-g5`), "draw")?.blockedReason).toBe(
      "You can ask again after one more move of your own.",
    );
    expect(toOfferButton(view(`${declined} g3-h4 f6-g5 h4:f6 e7:g5`), "draw")?.blockedReason).toBeNull();
    expect(toOfferButton(view(declined, BOLA), "draw")?.blockedReason).toBeNull();
    expect(toOfferButton(view(`${OPENING} draw/1 draw/2/decline_all`), "draw")?.blockedReason).toBe(
      "bola has turned off further offers.",
    );
  });

  it("blocks the button once the player has used ten takebacks [OFFER-07]", () => {
    const again = " takeback/2 takeback/1/accept a7-b6".repeat(10);
    expect(toOfferButton(view(OPENING + again, BOLA), "takeback")?.blockedReason).toBe(
      "You have used all 10 takebacks of this game.",
    );
    expect(toOfferButton(view(OPENING + again, ADA), "takeback")?.blockedReason).toBeNull();
  });

  // [ERR-21 §8 r1] A takeback that is too early shows 'Not enough moves to take back'. The earlier client's other
  // internal errors cannot occur.
  it("blocks a takeback of more moves than were played [ERR-21]", () => {
    const back = `${OPENING} takeback/1 takeback/2/accept`;
    expect(toOfferButton(view(back), "takeback")).toEqual({
      label: "Request Takeback",
      blockedReason: "Not enough moves to take back.",
    });
  });
});

describe("toOwnOffer", () => {
  it("shows the player's own offers until they are answered [GAME-15]", () => {
    const waiting = "Waiting for opponent to accept.";
    expect(toOwnOffer(view(`${OPENING} draw/1`))).toEqual({ title: "Draw Offered.", text: waiting });
    expect(toOwnOffer(view(`${OPENING} draw/1 takeback/1`))?.title).toBe("Draw Offered. Takeback Requested.");
    expect(toOwnOffer(view(`${OPENING} draw/1`, BOLA))).toBeNull();
    expect(toOwnOffer(view(OPENING, null))).toBeNull();
    expect(toOwnOffer(view(`${OPENING} draw/1 draw/2/decline`))).toBeNull();
  });
});

describe("toReceived", () => {
  it("shows a draw offer and a takeback request side by side, to their receiver only", () => {
    const asked = `${OPENING} takeback/2 draw/2`;
    expect(toReceived(view(asked)).map(({ title }) => title)).toEqual(["Draw Offer", "Takeback Request"]);
    expect(toReceived(view(asked, BOLA))).toEqual([]);
    expect(toReceived(view(asked, null))).toEqual([]);
  });

  it("states the amounts of a draw", () => {
    const [offer] = toReceived(view(`${OPENING} draw/2`));
    expect(offer?.short).toBe("60.00 HC each");
    expect(offer?.lines[0]).toBe("bola offers a draw. Stakes returned (minus holo fee): 60.00 HC each.");
  });

  it("names the asker's last move and the answer to it", () => {
    const [unanswered] = toReceived(view(`${OPENING} takeback/2`));
    expect(unanswered?.lines[0]).toBe("bola asks to take back a7-b6. The clocks stay as they are.");
    expect(unanswered?.short).toBe("a7-b6");
    const [answered] = toReceived(view(`${OPENING} takeback/1`, BOLA));
    expect(answered?.short).toBe("b2-c3, a7-b6");
    expect(answered?.lines[0]).toBe(
      "ada asks to take back b2-c3, and with it your a7-b6. The clocks stay as they are.",
    );
  });

  it("states the costs, payouts, swapped colours and time limit of a rematch", () => {
    const [offer] = toReceived(view(`${OVER} rematch/2`));
    expect(offer).toMatchObject({ title: "Rematch Offer", until: 67_000 });
    expect(offer?.lines).toEqual([
      "bola wants a rematch. You play black.",
      "You pay in 64.44 HC (60.00 + 4.44 fee). Win: you receive 120.00 HC. Draw: 60.00 HC back. Cancelled: all 64.44 HC back.",
    ]);
  });
});
