import { gameIdOf, paymentIdOf } from "@holo/kernel/testing/test-ids.ts";
import type { FairPlayActView } from "@holo/protocol/admin/fair-play-cases.ts";
import { expect, it } from "vitest";
import { ADA, CHIDI, makeCase, makeGame } from "./testing/make-case.ts";
import { toTimeline } from "./timeline.ts";

it("tells games, the case and what people did in the order of time", () => {
  const act = (id: string, at: number, change: Partial<FairPlayActView>): FairPlayActView => ({
    ...{ id, at, type: "note", username: "bola", text: null, given: [], isAccepted: null },
    ...change,
  });
  const back = [{ player: CHIDI, coins: "12500000" }];
  const shown = makeCase({
    openedAt: 20,
    games: [
      makeGame({ id: gameIdOf("1"), updatedAt: 10 }),
      makeGame({ id: gameIdOf("2"), updatedAt: 5, winner: null }),
    ],
    payments: [
      { id: paymentIdOf("1"), player: CHIDI, kind: "deposit", kobo: 2_000_000, at: 1, status: "completed" },
      { id: paymentIdOf("2"), player: ADA, kind: "withdrawal", kobo: 700_000, at: 19, status: "failed" },
      { id: paymentIdOf("3"), player: ADA, kind: "deposit", kobo: 500_000, at: 2, status: "pending" },
    ],
    acts: [
      act("1", 30, { type: "message", username: "ada", text: "We are friends." }),
      act("2", 40, { type: "proposed", text: "All given up" }),
      act("3", 50, { type: "forfeited", username: "emeka", given: back }),
      act("4", 60, { type: "appealed", username: "ada", text: "No!" }),
      act("5", 70, { type: "appeal_answered", username: "funke", text: "Sorry", isAccepted: true, given: back }),
      act("6", 80, { type: "released", username: null }),
    ],
  });
  expect(toTimeline(shown).map(({ title, text }) => (text === null ? title : `${title}: ${text}`))).toEqual([
    "chidi deposited ₦20,000",
    "ada began to deposit ₦5,000",
    "ada drew with chidi after 14 moves",
    "ada won against chidi after 14 moves",
    "ada asked to withdraw ₦7,000, which wasn't paid",
    "Case opened: coins moved through games, 64.44 HC",
    "ada wrote: We are friends.",
    "bola proposed to forfeit: All given up",
    "emeka confirmed the forfeit: chidi 12.50 HC",
    "ada appealed: No!",
    "funke accepted the appeal: chidi 12.50 HC: Sorry",
    "Sent by itself: the time was over",
  ]);
});
