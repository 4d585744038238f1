import { toCoins } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { describe, expect, it } from "vitest";
import { type MatchCommandType, toFailureText } from "./failure-text.ts";

describe("the text of a failed lobby command", () => {
  // [ERR-07 §8] A match that cannot be cancelled shows the reason, or 'Failed to cancel match'.
  // [ERR-08 §8] A match that cannot be joined shows the reason, or 'Failed to join match. Please try again.'.
  // [ERR-16 §8] Any other failure to create shows 'Failed to create match. Please try again.'.
  it.each<readonly [MatchCommandType, string]>([
    ["create", "Failed to create match. Please try again."],
    ["join", "Failed to join match. Please try again."],
    ["cancel", "Failed to cancel match"],
  ])("for %s names the command if the fault is the server's [ERR-07 ERR-08 ERR-16]", (command, text) => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      expect(toFailureText(command, toRefusalView(code))).toEqual({ title: "Error", text });
    }
  });

  // [ERR-09 §8] A seat that was already taken shows 'Match no longer available' and 'This match may have been filled
  // by another player.'.
  it("is the refusal's text if it states a reason [ERR-09]", () => {
    expect(toFailureText("join", toRefusalView("match_gone"))).toEqual({
      title: "Match no longer available",
      text: "This match may have been filled by another player.",
    });
  });

  // [ERR-15 §8] If the coins were spent elsewhere before the match was created, it shows 'Insufficient balance to
  // create this match.', with the figures.
  it("names the missing coins if the balance shrank before a match was created [ERR-15]", () => {
    const short = toRefusalView("insufficient_to_create", { need: toCoins(64_440_000n), have: toCoins(1_000_000n) });
    expect(toFailureText("create", short)).toEqual({
      title: "Error",
      text: "Insufficient balance to create this match. You need 64.44 holocoins (you have 1.00)",
    });
  });
});
