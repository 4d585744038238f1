import { checkers } from "@holo/checkers/checkers.ts";
import { expect, it } from "vitest";
import { toReceived } from "./offers/offers-view.ts";
import { toResultText } from "./result/result-text.ts";
import { toTurnText } from "./status/turn-text.ts";
import { ADA, play } from "./testing/play.ts";
import { toTableViewModel } from "./view-model.ts";

const OPENING = "join c3-d4 b6-a5 b2-c3 a7-b6";
const MONEY = /HC|coin|fee|stake|refund/i;
const view = (steps: string) => toTableViewModel(play(checkers, steps, 0), ADA.id);

it("speaks of no money while it waits, in offers and results [FREE-08]", () => {
  const draw = view(`${OPENING} draw/2`);
  const over = `${OPENING} draw/2 draw/1/accept`;
  const rematch = view(`${over} rematch/2`);
  const texts = [
    toTurnText(view(""), "connected"),
    ...toReceived(draw),
    toResultText(view(over)),
    ...toReceived(rematch),
    toResultText(view("join cancel/2")),
  ];
  expect(texts).toHaveLength(5);
  expect(JSON.stringify(texts)).not.toMatch(MONEY);
  expect(toReceived(rematch)[0]?.lines).toEqual(["bola wants a rematch. You play black."]);
});
