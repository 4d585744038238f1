import type { Signal } from "../finding.ts";
import type { Edge } from "./facts.ts";
import { isThrown } from "./thrown.ts";

const GAMES_FROM = 3;

/** Lost positions in which the clock ran out. It annoys people and moves no coins: only shown. */
export function judgeStalling({ games }: Edge): Signal {
  const stalled = games.filter(
    (game) => game.score === 0 && game.end === "time" && game.finalScore !== null && !isThrown(game),
  );
  return {
    name: "stalling",
    version: 1,
    class: "play",
    bits: 0,
    figures: { stalled: stalled.length, games: games.length },
    threshold: GAMES_FROM,
  };
}
