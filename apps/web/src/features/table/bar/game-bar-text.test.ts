import { checkers } from "@holo/checkers/checkers.ts";
import { type Coins, ZERO_COINS } from "@holo/kernel/money.ts";
import { describe, expect, it } from "vitest";
import { ADA, BOLA, play } from "../testing/play.ts";
import { toTableViewModel } from "../view-model.ts";
import { formatSum, toGameBarText } from "./game-bar-text.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";

function textAfter(steps: string, playerId = ADA.id) {
  return toGameBarText(toTableViewModel(play(checkers, steps), playerId), "connected");
}

describe("the bar's text", () => {
  it("says whose turn it is, against whom and for how much", () => {
    expect(textAfter(OPENING)).toMatchObject({
      title: "Your turn",
      detail: "against bola",
      isOwn: true,
      sum: "120 HC",
    });
    expect(textAfter(OPENING, BOLA.id)).toMatchObject({
      title: "Opponent's turn",
      detail: "against ada",
      isOwn: false,
    });
  });

  it("runs the clock of the player to move", () => {
    const { tick, isLow } = textAfter(OPENING);
    expect(tick(5_000).text).toBe("9:59");
    expect(tick(65_000).text).toBe("8:59");
    expect(tick(65_000).nextMs).not.toBeNull();
    expect([isLow(65_000), isLow(560_000)]).toEqual([false, true]);
    expect(textAfter(OPENING, BOLA.id).tick(65_000).text).toBe("8:59");
  });

  it("counts down to the first move, which is urgent for its own player", () => {
    expect(textAfter("join").tick(31_000).text).toBe("0:30");
    expect(textAfter("join").isLow(2_000)).toBe(true);
    expect(textAfter("join", BOLA.id).isLow(2_000)).toBe(false);
  });

  it("names an offer that waits for an answer", () => {
    expect(textAfter(`${OPENING} draw/1`, BOLA.id).title).toBe("Draw Offer");
    expect(textAfter(`${OPENING} draw/2`).title).toBe("Your turn");
  });
});

describe("a sum", () => {
  it.each([
    [240_000_000n, "240 HC"],
    [64_440_000n, "64.44 HC"],
    [12_888_000n, "12.89 HC"],
    [ZERO_COINS, "Free"],
  ])("of %s is %s", (coins, text) => {
    expect(formatSum(coins as Coins)).toBe(text);
  });
});
