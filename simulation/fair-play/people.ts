import type { Draw } from "./draw.ts";
import type { Pace } from "./game.ts";
import { GAMES, type Game, type Skill } from "./library.ts";
import { toLevel } from "./plan.ts";

/** Who someone is: drawn once, unknown to the server. */
export interface Traits {
  readonly strength: number;
  readonly skill: Skill;
  readonly pace: Pace;
  readonly gamesPerDay: number;
  /** The part of their games that is against friends. */
  readonly friendShare: number;
  readonly game: Game;
  readonly depositNaira: number;
  readonly paysByCard: boolean;
  readonly card: string;
  readonly bankAccount: string;
  readonly device: string;
  /** What they log in from: the carrier's address, or the home's. */
  readonly address: string;
  readonly area: number;
  /** The hour of the evening at which they come. */
  readonly hour: number;
  /** Looks for weak opponents in the lobby. */
  readonly isFarmer: boolean;
  readonly ageDays: number;
}

/** Two who play each other again and again. */
export interface FixedPair {
  readonly kind: "night" | "coach";
  /** Indexes of people. */
  readonly people: readonly [number, number];
  readonly games: number;
}

export interface Population {
  readonly traits: readonly Traits[];
  readonly friends: readonly (readonly number[])[];
  readonly pairs: readonly FixedPair[];
}

const DEPOSIT = { medianNaira: 8_000, sigma: 0.9, leastNaira: 5_000, mostNaira: 400_000 };
const AREAS = 5;
const SHARES = { phone: 0.08, card: 0.03, cafe: 0.01, carrier: 0.8 };
const CARRIER_ADDRESSES = [6, 12] as const;
const NIGHT_PAIRS = { share: 0.02, games: [30, 120] as const, gap: 120 };
const COACH_PAIRS = { share: 0.005, games: [8, 40] as const, gap: [400, 900] as const };
const FARMERS = { share: 0.01, strength: 2_000 };
const YOUNG_SHARE = 0.35;
const AGE_DAYS_MAX = 400;

let numbers = 0;
/** A bank account's number that no one else has. */
export function newBankAccount(): string {
  numbers += 1;
  return String(1_000_000_000 + numbers);
}

export function drawTraits(draw: Draw, name: string, addresses: readonly string[]): Traits {
  const isFarmer = draw.chance(FARMERS.share);
  const strength = isFarmer ? FARMERS.strength + draw.between(0, 200) : draw.normal(1_450, 280);
  const depositNaira = Math.min(
    DEPOSIT.mostNaira,
    Math.max(DEPOSIT.leastNaira, draw.lognormal(DEPOSIT.medianNaira, DEPOSIT.sigma)),
  );
  return {
    strength,
    skill: toLevel(strength),
    pace: { medianMs: Math.min(9_000, Math.max(1_800, draw.lognormal(4_000, 0.4))), spread: draw.between(0.6, 1) },
    gamesPerDay: Math.min(20, draw.lognormal(3, 1.1)),
    friendShare: draw.beta(0.6, 3),
    game: draw.weighted([
      [GAMES[0], 65],
      [GAMES[1], 35],
    ]),
    depositNaira: Math.round(depositNaira / 500) * 500,
    paysByCard: draw.chance(0.6),
    card: `SIG_${name}`,
    bankAccount: newBankAccount(),
    device: `phone of ${name}`,
    address: draw.chance(SHARES.carrier) ? draw.pick(addresses) : `home of ${name}`,
    area: draw.whole(0, AREAS - 1),
    hour: Math.min(22.5, Math.max(16, draw.normal(19.8, 1.5))),
    isFarmer,
    ageDays: draw.chance(YOUNG_SHARE) ? draw.between(0, 14) : draw.between(14, AGE_DAYS_MAX),
  };
}

export function drawAddresses(draw: Draw): readonly string[] {
  return Array.from({ length: draw.whole(...CARRIER_ADDRESSES) }, (_, index) => `carrier ${index}`);
}

export function drawPopulation(draw: Draw, count: number, addresses: readonly string[]): Population {
  const traits = Array.from({ length: count }, (_, index) => drawTraits(draw, `person ${index}`, addresses));
  const share = (part: number, join: (one: number, other: number) => void): void => {
    for (let index = 0; index < count; index += 1) {
      const other = draw.whole(0, count - 1);
      if (draw.chance(part / 2) && other !== index) join(index, other);
    }
  };
  // A phone that a family shares is used from one home.
  share(SHARES.phone, (one, other) => {
    const { device, address, area } = traits[one]!;
    traits[other] = { ...traits[other]!, device, address, area };
  });
  share(SHARES.card, (one, other) => {
    traits[other] = { ...traits[other]!, card: traits[one]!.card, paysByCard: true };
  });
  share(SHARES.cafe, (one, other) => {
    const cafe = { device: "computer of the cafe", address: "the cafe" };
    traits[one] = { ...traits[one]!, ...cafe };
    traits[other] = { ...traits[other]!, ...cafe };
  });

  const friends = traits.map(({ friendShare }, index) => {
    const many = friendShare > 0.02 ? draw.whole(1, 3) : 0;
    return Array.from({ length: many }, () => draw.whole(0, count - 1)).filter((friend) => friend !== index);
  });
  // Friends know each other, and come at the same hour.
  for (const [index, known] of friends.entries()) {
    for (const friend of known) {
      if (!friends[friend]!.includes(index)) (friends[friend] as number[]).push(index);
      traits[friend] = { ...traits[friend]!, hour: traits[index]!.hour };
    }
  }

  return { traits, friends, pairs: drawPairs(draw, traits) };
}

function drawPairs(draw: Draw, traits: Traits[]): readonly FixedPair[] {
  const count = traits.length;
  const free = draw.shuffle(traits.map((_, index) => index));
  const pairs: FixedPair[] = [];
  const take = (kind: FixedPair["kind"], games: readonly [number, number]): void => {
    const [one, other] = [free.pop(), free.pop()];
    if (one === undefined || other === undefined || traits[one]!.device === traits[other]!.device) return;
    pairs.push({ kind, people: [one, other], games: draw.whole(...games) });
  };
  // Parts of whole pairs appear in some populations.
  const whole = (expected: number): number => Math.floor(expected) + (draw.chance(expected % 1) ? 1 : 0);
  for (let left = whole((count * NIGHT_PAIRS.share) / 2); left > 0; left -= 1) take("night", NIGHT_PAIRS.games);
  for (let left = whole((count * COACH_PAIRS.share) / 2); left > 0; left -= 1) take("coach", COACH_PAIRS.games);
  for (const { kind, people } of pairs) {
    const [one, other] = people;
    // Who plays a friend every night for coins is about as strong; a coach is not.
    const gap = kind === "coach" ? draw.between(...COACH_PAIRS.gap) : draw.normal(0, NIGHT_PAIRS.gap);
    const strength = Math.min(2_300, traits[other]!.strength + gap);
    traits[one] = { ...traits[one]!, strength, skill: toLevel(strength) };
  }
  return pairs;
}
