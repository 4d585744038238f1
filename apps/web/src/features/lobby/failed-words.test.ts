import { toCoins } from "@holo/kernel/money.ts";
import { toRefusalView } from "@holo/protocol/refusals.ts";
import { describe, expect, it } from "vitest";
import { type LobbyAct, toFailedWords } from "./failed-words.ts";

describe("what is said of an act of the lobby that failed", () => {
  it.each<readonly [LobbyAct, string]>([
    ["create", "Failed to create match. Please try again."],
    ["join", "Failed to join match. Please try again."],
    ["cancel", "Failed to cancel match"],
  ])("to %s names the act where the fault is ours [ERR-07]", (act, text) => {
    for (const code of ["something_went_wrong", "unavailable"] as const) {
      expect(toFailedWords(act, toRefusalView(code))).toEqual({ title: "Error", text });
    }
  });

  it("is the refusal's own where it has a reason [ERR-09]", () => {
    expect(toFailedWords("join", toRefusalView("match_gone"))).toEqual({
      title: "Match no longer available",
      text: "This match may have been filled by another player.",
    });
  });

  it("names the figures where the coins went elsewhere before a match was created [ERR-15]", () => {
    const short = toRefusalView("insufficient_to_create", { need: toCoins(64_440_000n), have: toCoins(1_000_000n) });
    expect(toFailedWords("create", short)).toEqual({
      title: "Error",
      text: "Insufficient balance to create this match. You need 64.44 holocoins (you have 1.00)",
    });
  });
});
