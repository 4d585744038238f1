import type { Draw } from "./draw.ts";
import type { Pairing } from "./lobby.ts";

export const SCHEME_KINDS = ["A", "B", "C", "D", "E", "engine"] as const;
export type SchemeKind = (typeof SCHEME_KINDS)[number];

/** How coins reach those who withdraw them. */
export type Shape = "star" | "chain" | "ring";

/** What someone who dumps coins has decided; all of it is drawn (reference, section 5). */
export interface Dumping {
  readonly type: "dumping";
  readonly sources: number;
  readonly mules: number;
  /** Accounts between a deposit and its withdrawal, the last included. */
  readonly hops: number;
  readonly shape: Shape;
  readonly gamesPerEdge: number;
  /** After how many plies a thrown game ends. */
  readonly plies: number;
  /** The part of the games that are resigned in a position that is not lost. */
  readonly thrown: number;
  readonly winBacks: number;
  readonly honestGames: number;
  /** Before the games, and between the games and the withdrawal. */
  readonly waitDays: readonly [number, number];
  /** Over how many days the games are spread. */
  readonly spreadDays: number;
  readonly pairing: Pairing;
  /** The part of the mules that share a phone, a card or a bank account. */
  readonly sharedMeans: number;
  readonly ageDays: number;
  readonly naira: number;
  readonly byCard: boolean;
  readonly isDisputed: boolean;
  readonly disputeAfterDays: number;
}

/** Deposits and withdraws without a game, or lets a program play. */
export type Scheme =
  | Dumping
  | { readonly type: "through"; readonly naira: number; readonly waitHours: number; readonly ageDays: number }
  | {
      readonly type: "engine";
      readonly use: "always" | "sometimes" | "critical";
      readonly games: number;
      readonly naira: number;
      readonly ageDays: number;
    };

const PAIRINGS: readonly Pairing[] = ["matchmaking", "address", "invitation"];
const NAIRA = { least: 20_000, most: 3_000_000 };

export function drawScheme(draw: Draw, kind: SchemeKind | "mixed"): Scheme {
  switch (kind) {
    case "A":
      return { type: "through", naira: drawNaira(draw), waitHours: draw.between(24, 96), ageDays: drawAge(draw) };
    case "B":
      return {
        ...drawDumping(draw),
        sources: 1,
        mules: draw.whole(3, 6),
        hops: 1,
        shape: "star",
        gamesPerEdge: draw.whole(2, 6),
        plies: draw.whole(6, 24),
        thrown: 1,
        winBacks: 0,
      };
    case "C":
      return {
        ...drawDumping(draw),
        sources: 1,
        mules: 1,
        hops: 1,
        shape: "star",
        gamesPerEdge: draw.whole(8, 12),
        winBacks: draw.between(0.05, 0.45),
      };
    case "D": {
      const hops = draw.whole(2, 4);
      return {
        ...drawDumping(draw),
        sources: 1,
        mules: hops,
        hops,
        shape: "chain",
        gamesPerEdge: draw.whole(1, 6),
        pairing: "matchmaking",
      };
    }
    case "E":
      return { ...drawDumping(draw), isDisputed: true, byCard: true };
    case "engine":
      return drawEngine(draw);
    case "mixed":
      return draw.chance(0.12) ? drawEngine(draw) : draw.chance(0.12) ? drawScheme(draw, "A") : drawDumping(draw);
  }
}

function drawEngine(draw: Draw): Scheme {
  return {
    type: "engine",
    use: draw.pick(["always", "sometimes", "critical"] as const),
    games: draw.whole(15, 60),
    naira: draw.whole(10, 60) * 1_000,
    ageDays: drawAge(draw),
  };
}

function drawDumping(draw: Draw): Dumping {
  const mules = draw.weighted([
    [draw.whole(1, 3), 5],
    [draw.whole(4, 12), 3],
  ]);
  const hops = draw.whole(1, Math.min(4, mules));
  const isSlow = draw.chance(0.4);
  return {
    type: "dumping",
    sources: draw.whole(1, 3),
    mules,
    hops,
    shape: hops === 1 ? "star" : draw.pick(["chain", "ring"] as const),
    gamesPerEdge: draw.whole(1, 12),
    plies: draw.whole(6, 80),
    thrown: draw.chance(0.5) ? 1 : draw.unit(),
    winBacks: draw.chance(0.5) ? 0 : draw.between(0, 0.45),
    honestGames: draw.chance(0.5) ? 0 : draw.whole(0, 40),
    waitDays: isSlow ? [draw.between(0, 20), draw.between(1, 45)] : [draw.between(0, 2), draw.between(1, 4)],
    spreadDays: isSlow ? draw.between(0, 14) : draw.between(0, 1),
    pairing: draw.pick(PAIRINGS),
    sharedMeans: draw.chance(0.5) ? 0 : draw.unit(),
    ageDays: drawAge(draw),
    naira: drawNaira(draw),
    byCard: draw.chance(0.7),
    isDisputed: draw.chance(0.6),
    disputeAfterDays: draw.between(2, 45),
  };
}

const drawAge = (draw: Draw): number => draw.between(0, 90);

/** Equally likely at each magnitude. */
function drawNaira(draw: Draw): number {
  const naira = NAIRA.least * (NAIRA.most / NAIRA.least) ** draw.unit();
  return Math.round(naira / 1_000) * 1_000;
}
