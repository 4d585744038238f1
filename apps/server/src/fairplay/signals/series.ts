import type { Signal } from "../finding.ts";
import type { Edge } from "./facts.ts";
import { isThrown } from "./thrown.ts";

const GAMES_FROM = 15;
/** Who throws games throws more of them. */
const THROWN_BELOW = 0.3;
const BITS = -4;

/** Many games of two that were played out, as friends do all night: mules have no time for it. */
export function judgeSeries({ games: all }: Edge): Signal {
  const pairs = [...Map.groupBy(all, ({ playerId, opponentId }) => `${playerId} ${opponentId}`).values()];
  const games = pairs.reduce((longest, one) => (one.length > longest.length ? one : longest), []);
  const lost = games.filter(({ score }) => score === 0);
  const thrown = lost.filter(isThrown).length;
  const isPlayed = games.length >= GAMES_FROM && thrown < THROWN_BELOW * lost.length;
  return {
    name: "series",
    version: 1,
    class: "money",
    bits: isPlayed ? BITS : 0,
    figures: { games: games.length, thrown },
    threshold: GAMES_FROM,
  };
}
