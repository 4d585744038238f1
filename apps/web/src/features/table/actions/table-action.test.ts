import { toGameId } from "@holo/kernel/ids.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { describe, expect, it } from "vitest";
import { formatActionRefusal, type TableAction } from "./table-action.ts";

describe("formatActionRefusal", () => {
  const gameId = toGameId("11111111-1111-4111-8111-111111111111");

  it("uses the refusal's own text [ERR-20]", () => {
    const action: TableAction = { type: "offer_draw", gameId, opponentMoves: 2 };
    expect(formatActionRefusal(action, toRefusalView("asked_too_soon"))).toEqual({
      title: "Please wait",
      text: "You can ask again after two more moves of your own.",
    });
  });

  // [ERR-20 §8] Actions at the table that fail on the server show 'Failed to resign from game.', 'Failed to cancel
  // game.', 'Failed to offer draw.', 'Failed to accept draw.', 'Failed to respond to takeback.' or 'Failed to accept
  // rematch'.
  it("uses the specification's text for a fault of the server [ERR-20]", () => {
    const fault = toRefusalView("something_went_wrong");
    const answer = { gameId, offer: 7, atVersion: 6 } as const;
    for (const [action, text] of [
      [{ type: "resign", gameId }, "Failed to resign from game."],
      [{ type: "cancel", gameId, whileWaiting: false }, "Failed to cancel game."],
      [{ type: "offer_draw", gameId, opponentMoves: 2 }, "Failed to offer draw."],
      [{ type: "answer_draw", answer: "accept", ...answer }, "Failed to accept draw."],
      [{ type: "answer_takeback", answer: "decline", ...answer }, "Failed to respond to takeback."],
      [{ type: "answer_rematch", answer: "accept", gameId, offer: 7 }, "Failed to accept rematch"],
    ] as const) {
      expect(formatActionRefusal(action, fault)).toEqual({ title: "Error", text });
    }
  });
});
