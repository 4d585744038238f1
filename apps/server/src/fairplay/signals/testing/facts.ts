import type { GameId, PlayerId } from "@holo/kernel/ids.ts";
import { type Instant, MINUTE_MS } from "@holo/kernel/instant.ts";
import type { MoveFigures } from "../../engine/move-figures.ts";
import type { Edge, FlowFacts, MoneyFacts, PlayedGame } from "../facts.ts";
import { UNKNOWN_STRENGTH } from "../strength.ts";

let count = 0;

/** Lost on the board to a stranger, unless told otherwise. */
export function makeGame(changes: Partial<PlayedGame> = {}): PlayedGame {
  count += 1;
  return {
    gameId: `game-${count}` as GameId,
    game: "chess",
    playerId: "loser" as PlayerId,
    opponentId: "winner" as PlayerId,
    score: 0,
    opponent: { rating: 1450, deviation: 60 },
    end: "checkmate",
    pairing: "address",
    at: (count * MINUTE_MS) as Instant,
    finalScore: null,
    own: null,
    ...changes,
  };
}

const times = (many: number, changes: Partial<PlayedGame>): readonly PlayedGame[] =>
  Array.from({ length: many }, () => makeGame(changes));

/** Given up in an even position. */
export const thrown = (many: number) => times(many, { end: "resignation", finalScore: 20 });
/** Given up in a lost one. */
export const lost = (many: number) => times(many, { end: "resignation", finalScore: -700 });
export const won = (many: number) => times(many, { score: 1 });

const FIGURES: MoveFigures = {
  rating: 1_500,
  moves: 32,
  choices: 30,
  errors: 2,
  lost: 1,
  firstChoices: 12,
  realChoices: 0,
  realFirst: 0,
  expectedFirst: 0,
  varianceFirst: 0,
  freeMs: [],
  medianMs: 6_000,
  spreadMs: 8_000,
};
export const moved = (own: Partial<MoveFigures>, many = 1) => times(many, { own: { ...FIGURES, ...own } });

export const toEdge = (games: readonly PlayedGame[], elsewhere: readonly PlayedGame[] = []): Edge => ({
  games,
  elsewhere,
});

export const sourceKey = "loser" as PlayerId;

/** Of ₦20,000 that one winner has all of what was not a fee. */
export function makeMoney(changes: Partial<MoneyFacts> = {}): MoneyFacts {
  return {
    won: 50e6,
    wonFromSource: 50e6,
    holders: [{ sourceKey, isOwn: true, coins: 50e6, won: 50e6, wonFromSource: 50e6 }],
    deposited: 65e6,
    kept: 0,
    quick: 1,
    captiveKeys: new Set(["winner" as PlayerId]),
    sources: 1,
    rateKobo: 30_600,
    recentCoins: 50e6,
    ownCoins: 50e6,
    ...changes,
  };
}

/** Nothing but the coins speaks against them: old accounts that play as they do elsewhere. */
export function makeFacts(changes: Partial<FlowFacts> = {}): FlowFacts {
  return {
    money: makeMoney(),
    last: toEdge([]),
    way: toEdge([]),
    encounters: [],
    seeks: [],
    means: { strength: 0, kinds: new Set(), isDetour: false },
    age: { sourceDays: 100, playerDays: 100 },
    ...changes,
  };
}

/** What both sides of an edge know: no one has played elsewhere. */
export function makeEncounter(won: number, lost: number, gap: number | null = null) {
  if (gap === null) return { won, lost, winner: UNKNOWN_STRENGTH, loser: UNKNOWN_STRENGTH };
  return { won, lost, winner: { rating: 1450 + gap, deviation: 60 }, loser: { rating: 1450, deviation: 60 } };
}
