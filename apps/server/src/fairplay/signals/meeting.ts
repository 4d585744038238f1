import type { Signal } from "../finding.ts";
import type { Seek } from "./facts.ts";
import { toPoissonTail, toSpokenBits } from "./tails.ts";

const CAP = 5;

/** Matchmaking that brings the same two together more often than the queue explains. */
export function judgeMeeting(seeks: readonly Seek[]): Signal {
  const met = seeks.filter(({ isWithSource }) => isWithSource).length;
  // On an empty night the opponent is the only candidate, which explains itself.
  const expected = seeks.reduce(
    (sum, { candidates, candidatesOfSource }) => sum + candidatesOfSource / Math.max(1, candidates),
    0,
  );
  return {
    name: "meeting",
    version: 1,
    class: "meeting",
    bits: met < 2 ? 0 : toSpokenBits(toPoissonTail(met, expected), CAP),
    figures: { met, expected, games: seeks.length },
    threshold: expected,
  };
}
