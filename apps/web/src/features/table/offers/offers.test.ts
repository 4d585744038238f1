import { checkers } from "@holo/checkers/checkers.ts";
import { toGameId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { describe, expect, it } from "vitest";
import { formatActionRefusal, type TableAction } from "../actions/table-action.ts";
import { toTableNotification } from "../events/table-notification.ts";
import { ADA, BOLA, FEE_BPS, NEXT_GAME, play } from "../testing/play.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { toOfferNotifications } from "./offer-notifications.ts";
import { toOfferButton, toReceived } from "./offers-view.ts";
import { type RematchFunds, toRematchView, toShortage } from "./rematch-view.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const OVER = `${OPENING} resign/2`;
const RICH: RematchFunds = { balance: wholeCoins(500), feeBps: FEE_BPS, hasOpenGame: false, forbidden: null };

function see(steps: string, viewer: { readonly id: string } | null = ADA): TableViewModel {
  return toTableViewModel(play(checkers, steps), viewer?.id);
}

/** The notifications between two states of a game. */
function hear(before: string, then: string, viewer: { readonly id: string } | null = ADA) {
  return toOfferNotifications(see(before, viewer), see(`${before} ${then}`, viewer));
}

describe("asking for a draw or a takeback", () => {
  it("has its place only in an active game, for its players, and in its time [GAME-08b]", () => {
    expect(toOfferButton(see("join c3-d4 b6-a5 b2-c3"), "draw")).toBeNull();
    expect(toOfferButton(see(OPENING, null), "draw")).toBeNull();
    expect(toOfferButton(see(OVER), "draw")).toBeNull();
    expect(toOfferButton(see("join c3-d4 b6-a5"), "takeback")).toBeNull();
    expect(toOfferButton(see("join c3-d4 b6-a5 b2-c3"), "takeback")).toEqual({ label: "Request Takeback", why: null });
    expect(toOfferButton(see(OPENING), "draw")).toEqual({ label: "Offer Draw", why: null });
  });

  it("waits for an answer, and answers before it asks", () => {
    expect(toOfferButton(see(`${OPENING} draw/1`), "draw")).toEqual({
      label: "Draw offered",
      why: "Waiting for bola to answer.",
    });
    expect(toOfferButton(see(`${OPENING} takeback/2`), "takeback")).toEqual({
      label: "Request Takeback",
      why: "bola asks to take a move back: answer that first.",
    });
  });

  it("comes again after two more moves of one's own, and never where the other wants to be asked no more", () => {
    const declined = `${OPENING} draw/1 draw/2/decline`;
    expect(toOfferButton(see(declined), "draw")?.blockedReason).toBe(
      "You can ask again after 2 more moves of your own.",
    );
    expect(toOfferButton(see(`${declined} g3-h4 f6-g5`), "draw")?.blockedReason).toBe(
      "You can ask again after one more move of your own.",
    );
    expect(toOfferButton(see(`${declined} g3-h4 f6-g5 h4:f6 e7:g5`), "draw")?.blockedReason).toBeNull();
    expect(toOfferButton(see(declined, BOLA), "draw")?.blockedReason).toBeNull();
    expect(toOfferButton(see(`${OPENING} draw/1 draw/2/decline_all`), "draw")?.blockedReason).toBe(
      "bola wants to be asked no more in this game.",
    );
  });

  it("takes back no more than has been played [ERR-21]", () => {
    const back = `${OPENING} takeback/1 takeback/2/accept`;
    expect(toOfferButton(see(back), "takeback")).toEqual({
      label: "Request Takeback",
      why: "Not enough moves to take back.",
    });
  });
});

describe("what the opponent asks", () => {
  it("shows a draw offer and a takeback request side by side, to the one who is asked alone", () => {
    const asked = `${OPENING} takeback/2 draw/2`;
    expect(toReceived(see(asked)).map(({ title }) => title)).toEqual(["Draw Offer", "Takeback Request"]);
    expect(toReceived(see(asked, BOLA))).toEqual([]);
    expect(toReceived(see(asked, null))).toEqual([]);
  });

  it("names the sums of a draw", () => {
    const [offer] = toReceived(see(`${OPENING} draw/2`));
    expect(offer?.lines[0]).toBe("bola offers a draw. Stakes returned (minus holo fee): 60.00 HC each.");
  });

  it("names the moves that would go back: the asker's last, and the answer to it", () => {
    const [unanswered] = toReceived(see(`${OPENING} takeback/2`));
    expect(unanswered?.lines[0]).toBe("bola asks to take back a7-b6. The clocks stay as they are.");
    const [answered] = toReceived(see(`${OPENING} takeback/1`, BOLA));
    expect(answered?.lines[0]).toBe(
      "ada asks to take back b2-c3, and with it your a7-b6. The clocks stay as they are.",
    );
  });

  it("names everything that a rematch costs and pays, the colours swapped, for a minute", () => {
    const [offer] = toReceived(see(`${OVER} rematch/2`));
    expect(offer).toMatchObject({ title: "Rematch Offer", until: 67_000 });
    expect(offer?.lines).toEqual([
      "bola offers the same game once more. You play black.",
      "You pay in 64.44 HC (60.00 + 4.44 fee). Win: you receive 120.00 HC. Draw: 60.00 HC back. Cancelled: all 64.44 HC back.",
    ]);
  });
});

describe("a rematch", () => {
  it("can be offered after a game that was played to its end, by its players [GAME-09b]", () => {
    expect(toRematchView(see(OVER), RICH)).toMatchObject({ type: "open", why: null, told: null });
    expect(toRematchView(see(OVER, null), RICH)).toEqual({ type: "none" });
    expect(toRematchView(see(OPENING), RICH)).toEqual({ type: "none" });
    expect(toRematchView(see("join cancel/1"), RICH)).toEqual({ type: "none" });
  });

  it("waits for its answer, and leads to the new game", () => {
    const offered = `${OVER} rematch/1`;
    expect(toRematchView(see(offered), RICH)).toEqual({ type: "offered", until: 67_000 });
    expect(toRematchView(see(offered, BOLA), RICH)).toEqual({ type: "received" });
    const started = { type: "started", gameId: NEXT_GAME };
    expect(toRematchView(see(`${offered} rematch/2/accept`), RICH)).toEqual(started);
    expect(toRematchView(see(`${offered} rematch/2/accept`, null), RICH)).toEqual(started);
  });

  it("is over for the one who was declined, and still open to the other", () => {
    const declined = `${OVER} rematch/1 rematch/2/decline`;
    expect(toRematchView(see(declined), RICH)).toEqual({ type: "closed", why: "bola declined a rematch." });
    expect(toRematchView(see(declined, BOLA), RICH)).toMatchObject({ type: "open" });
  });

  it("tells both why it came to nothing, and is spent after three", () => {
    const left = `${OVER} rematch/1 lapse/2/left`;
    expect(toRematchView(see(left), RICH)).toMatchObject({ type: "open", told: "bola left the table." });
    const short = `${OVER} rematch/1 lapse/2/short_of_coins`;
    expect(toRematchView(see(short), RICH)).toMatchObject({ told: "bola has not enough holocoins for a rematch." });
    expect(toRematchView(see(short, BOLA), RICH)).toMatchObject({
      told: "You have not enough holocoins for a rematch.",
    });
    expect(toRematchView(see(`${left} rematch/1 lapse/2/other_game rematch/1 expire/100000`), RICH)).toEqual({
      type: "closed",
      why: "You have offered a rematch of this game often enough.",
    });
  });

  it("is held up by one's own purse, limit or game, or an opponent who has left", () => {
    const viewModel = see(OVER);
    expect(toRematchView(viewModel, { ...RICH, balance: wholeCoins(64) })).toMatchObject({
      why: "A rematch costs 64.44 HC, and you have 64.00.",
    });
    expect(toRematchView(viewModel, { ...RICH, hasOpenGame: true })).toMatchObject({
      why: "You have another game open.",
    });
    const forbidden = "You let yourself play for at most 2 HC a piece.";
    expect(toRematchView(viewModel, { ...RICH, forbidden })).toMatchObject({ why: forbidden });
    const away: TableViewModel = { ...viewModel, shown: { ...viewModel.shown, awaySinceAt: [null, 5_000] } };
    expect(toRematchView(away, RICH)).toMatchObject({ why: "bola has left the table." });
    expect(toShortage(viewModel.terms, { ...RICH, balance: viewModel.terms.buyIn })).toBeNull();
  });
});

describe("what is told of offers", () => {
  it("tells the asker that they wait, and rings for the one who is asked", () => {
    expect(hear(OPENING, "draw/1")).toEqual([
      { type: "told", notice: { kind: "notice", title: "Draw Offered", text: "Waiting for opponent to accept." } },
    ]);
    expect(hear(OPENING, "draw/1", BOLA)).toMatchObject([{ type: "received", kind: "draw", title: "Draw Offer" }]);
    expect(hear(OPENING, "draw/1", null)).toEqual([]);
  });

  it("makes no noise about what is not open any more", () => {
    expect(hear(OPENING, "draw/1 draw/2/decline", BOLA)).toEqual([]);
  });

  it("tells the asker of a no, said or moved", () => {
    expect(hear(`${OPENING} draw/1`, "draw/2/decline")).toMatchObject([
      { notice: { title: "Draw Declined", text: "bola declined." } },
    ]);
    expect(hear(`${OPENING} takeback/1`, "takeback/2/decline_all")).toMatchObject([
      {
        notice: { title: "Takeback Declined", text: "bola declined. They want to be asked no more in this game." },
      },
    ]);
    expect(hear(`${OPENING} draw/2`, "g3-h4", BOLA)).toMatchObject([
      { notice: { title: "Draw Declined", text: "ada moved instead." } },
    ]);
    expect(hear(`${OPENING} draw/2`, "g3-h4", ADA)).toEqual([]);
    expect(hear(`${OPENING} draw/1`, "g3-h4", ADA)).toEqual([]);
  });

  it("tells everyone of a takeback", () => {
    const back = [`${OPENING} takeback/2`, "takeback/1/accept"] as const;
    expect(hear(...back, BOLA)).toEqual([
      {
        type: "told",
        notice: {
          kind: "done",
          title: "Takeback Accepted",
          text: "Your last move is taken back. The clocks stay as they are.",
        },
      },
    ]);
    for (const viewer of [ADA, null]) {
      expect(hear(...back, viewer)).toMatchObject([
        { notice: { text: "bola's last move is taken back. The clocks stay as they are." } },
      ]);
    }
  });

  it("leaves an agreed draw to the end of the game", () => {
    expect(hear(`${OPENING} draw/1`, "draw/2/accept")).toEqual([]);
    expect(hear(`${OPENING} draw/1`, "draw/2")).toEqual([]);
  });

  it("leads both players to the rematch, and nobody who watches", () => {
    const started = [`${OVER} rematch/1`, "rematch/2/accept"] as const;
    expect(hear(...started, BOLA)).toEqual([
      {
        type: "rematch",
        gameId: NEXT_GAME,
        notice: { kind: "done", title: "Rematch Accepted!", text: "Opening new game..." },
      },
    ]);
    expect(hear(...started, ADA)).toMatchObject([{ type: "rematch", notice: { title: "Rematch Started!" } }]);
    expect(hear(...started, null)).toEqual([]);
  });

  it("tells both why a rematch lapsed", () => {
    const lapsed = [`${OVER} rematch/1`, "lapse/2/other_game"] as const;
    expect(hear(...lapsed, ADA)).toMatchObject([
      { notice: { title: "No rematch", text: "bola opened another game." } },
    ]);
    expect(hear(...lapsed, BOLA)).toMatchObject([{ notice: { text: "You opened another game." } }]);
    expect(hear(`${OVER} rematch/1`, "expire/90000")).toMatchObject([
      { notice: { text: "The rematch was not answered within a minute." } },
    ]);
    expect(hear(`${OVER} rematch/1`, "rematch/2/decline")).toMatchObject([{ notice: { title: "Rematch Declined" } }]);
  });
});

describe("what a player who looks elsewhere is told", () => {
  it("is that it is their turn, and what was played", () => {
    expect(toTableNotification(see("join"), see("join c3-d4"))).toBeNull();
    expect(toTableNotification(see("join", BOLA), see("join c3-d4", BOLA))).toMatchObject({
      title: "Your turn",
      body: "ada played c3-d4.",
    });
    expect(toTableNotification(see("join", null), see("join c3-d4", null))).toBeNull();
  });

  it("is how the game ended", () => {
    expect(toTableNotification(see(OPENING), see(OVER))).toMatchObject({ title: "You won", body: "bola resigned." });
    expect(toTableNotification(see(OVER), see(OVER))).toBeNull();
  });
});

describe("an act that was refused", () => {
  const gameId = toGameId("11111111-1111-4111-8111-111111111111");

  it("is told in the words of its refusal [ERR-20b]", () => {
    const act: TableAction = { type: "offer_draw", gameId };
    expect(formatActionRefusal(act, toRefusalView("asked_too_soon"))).toEqual({
      title: "Please wait",
      text: "You can ask again after two more moves of your own.",
    });
  });

  it("is told in the specification's words where the fault is ours [ERR-20]", () => {
    const fault = toRefusalView("something_went_wrong");
    const answer = { gameId, offer: 7, atVersion: 6 } as const;
    for (const [act, text] of [
      [{ type: "resign", gameId }, "Failed to resign from game."],
      [{ type: "cancel", gameId }, "Failed to cancel game."],
      [{ type: "offer_draw", gameId }, "Failed to offer draw."],
      [{ type: "answer_draw", answer: "accept", ...answer }, "Failed to accept draw."],
      [{ type: "answer_takeback", answer: "decline", ...answer }, "Failed to respond to takeback."],
      [{ type: "answer_rematch", answer: "accept", gameId, offer: 7 }, "Failed to accept rematch"],
    ] as const) {
      expect(formatActionRefusal(act, fault)).toEqual({ title: "Error", text });
    }
  });
});
