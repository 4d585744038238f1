import { checkers } from "@holo/checkers/checkers.ts";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { wholeCoins } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, FEE_BPS, NEXT_GAME, play } from "../testing/play.ts";
import { type TableViewModel, toTableViewModel } from "../view-model.ts";
import { type RematchFunds, toRematchView, toShortage } from "./rematch-view.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const OVER = `${OPENING} resign/2`;
const RICH: RematchFunds = { balance: wholeCoins(500), feeBps: FEE_BPS, hasOpenGame: false, restriction: null };

function view(steps: string, viewer: { readonly id: PlayerId } | null = ADA): TableViewModel {
  return toTableViewModel(play(checkers, steps), viewer?.id);
}

describe("toRematchView", () => {
  it("is open to the players of a finished game [GAME-09]", () => {
    expect(toRematchView(view(OVER), RICH)).toMatchObject({ type: "open", blockedReason: null, lapse: null });
    expect(toRematchView(view(OVER, null), RICH)).toEqual({ type: "none" });
    expect(toRematchView(view(OPENING), RICH)).toEqual({ type: "none" });
    expect(toRematchView(view("join cancel/1"), RICH)).toEqual({ type: "none" });
  });

  it("waits for an answer and leads to the new game", () => {
    const offered = `${OVER} rematch/1`;
    expect(toRematchView(view(offered), RICH)).toEqual({ type: "offered", until: 67_000 });
    expect(toRematchView(view(offered, BOLA), RICH)).toEqual({ type: "received" });
    const started = { type: "started", gameId: NEXT_GAME };
    expect(toRematchView(view(`${offered} rematch/2/accept`), RICH)).toEqual(started);
    expect(toRematchView(view(`${offered} rematch/2/accept`, null), RICH)).toEqual(started);
  });

  it("is closed to the declined player and open to the other", () => {
    const declined = `${OVER} rematch/1 rematch/2/decline`;
    expect(toRematchView(view(declined), RICH)).toEqual({ type: "closed", reason: "bola declined a rematch." });
    expect(toRematchView(view(declined, BOLA), RICH)).toMatchObject({ type: "open" });
  });

  it("states why an offer expired, and closes after three", () => {
    const left = `${OVER} rematch/1 lapse/2/left`;
    expect(toRematchView(view(left), RICH)).toMatchObject({ type: "open", lapse: "bola left the table." });
    const short = `${OVER} rematch/1 lapse/2/short_of_coins`;
    expect(toRematchView(view(short), RICH)).toMatchObject({
      lapse: "bola doesn't have enough holocoins for a rematch.",
    });
    expect(toRematchView(view(short, BOLA), RICH)).toMatchObject({
      lapse: "You don't have enough holocoins for a rematch.",
    });
    expect(toRematchView(view(`${left} rematch/1 lapse/2/other_game rematch/1 expire/100000`), RICH)).toEqual({
      type: "closed",
      reason: "You can't offer another rematch of this game.",
    });
  });

  it("is blocked by the balance, a restriction, an open game or an absent opponent", () => {
    const viewModel = view(OVER);
    expect(toRematchView(viewModel, { ...RICH, balance: wholeCoins(64) })).toMatchObject({
      blockedReason: "A rematch costs 64.44 HC, and you have 64.00.",
    });
    expect(toRematchView(viewModel, { ...RICH, hasOpenGame: true })).toMatchObject({
      blockedReason: "You have another game open.",
    });
    const restriction = "Your maximum stake is 2 HC per piece.";
    expect(toRematchView(viewModel, { ...RICH, restriction })).toMatchObject({ blockedReason: restriction });
    const away: TableViewModel = { ...viewModel, shown: { ...viewModel.shown, awaySinceAt: [null, 5_000] } };
    expect(toRematchView(away, RICH)).toMatchObject({ blockedReason: "bola has left the table." });
    expect(toShortage(viewModel.terms, { ...RICH, balance: viewModel.terms.buyIn })).toBeNull();
  });
});
