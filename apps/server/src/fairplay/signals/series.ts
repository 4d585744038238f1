import type { Signal } from "../finding.ts";
import type { Edge } from "./facts.ts";
import { isThrown } from "./thrown.ts";

const GAMES_FROM = 15;
/** Who throws games throws more of them. */
const THROWN_BELOW = 0.3;
/** From `GAMES_FROM` games; one more bit for each doubling. */
const BITS = -4;
const BITS_MIN = -7;

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
    bits: isPlayed ? Math.max(BITS_MIN, BITS - Math.log2(games.length / GAMES_FROM)) : 0,
    figures: { games: games.length, thrown },
    threshold: GAMES_FROM,
  };
}
