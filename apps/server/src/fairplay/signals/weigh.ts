import type { FlowFinding, Signal, SignalClass } from "../finding.ts";
import { judgeAge } from "./age.ts";
import { judgeCaptivity } from "./captivity.ts";
import { judgeErrors } from "./errors.ts";
import type { Edge, FlowFacts, MoneyFacts } from "./facts.ts";
import { judgeHaste } from "./haste.ts";
import { judgeMeans } from "./means.ts";
import { judgeMeeting } from "./meeting.ts";
import { judgePlayed } from "./played.ts";
import { judgeResults } from "./results.ts";
import { judgeSeries } from "./series.ts";
import { judgeStalling } from "./stalling.ts";
import { CERTAIN_BITS, isThrown, judgeThrown } from "./thrown.ts";

/** Of the rules and weights together. */
export const JUDGEMENT_VERSION = 1;

const CAPS: Readonly<Record<SignalClass, number>> = {
  money: 8,
  play: CERTAIN_BITS,
  meeting: 5,
  means: 6,
  age: 2,
  engine: 0,
};
/** From so many bits of captivity on, one game given up makes the whole way count. */
const STAR_FROM = 3.4;
const LIST_FROM = 8;
/** Less is not even listed: no one cheats for it. */
const SMALL_KOBO = 1_000_000;
/** Less is listed only. */
const HELD_FROM_KOBO = 4_000_000;
/** At `LIST_FROM` bits so much is held; half of it for each bit more, twice for each bit less. */
const LARGE_KOBO = 12_000_000;
/** Money and play say the same, and both clearly: the sum hardly counts. */
const CLEAR = { bits: 14, money: 6, play: 4 };
/** From so many bits of thrown games on, others' coins count: ten times the own at most. */
const OF_OTHERS = { fromBits: 6, max: 10 };
/** From so many bits of other signals on, the age counts. */
const BESIDE_MIN = 2;
/** A chain or star weighs more than its step to the player: so many times, or so many bits. */
const WAY = { times: 2, bits: 5 };

export interface Weighed {
  readonly signals: readonly Signal[];
  readonly bits: number;
  readonly decision: FlowFinding["decision"] | null;
}

/** `shift`, within half a bit, moves the thresholds, so that no one can find them by trying. */
export function weighFlow(facts: FlowFacts, shift: number): Weighed {
  const { last } = facts;
  const captivity = judgeCaptivity(facts.money);
  // One game given up says little, unless all else that the player has came from there.
  const isStar = captivity.bits >= STAR_FROM && last.games.some(isThrown);
  const along = (judge: (edge: Edge) => Signal) => judgeAlong(judge, facts, isStar);
  const errors = along(judgeErrors);
  const played = judgePlayed(last);
  const isLarge = toKobo(facts.money, false) >= LARGE_KOBO;
  // Who errs no more than elsewhere lost to someone stronger, whatever the ratings say.
  const results = played.bits < 0 ? silence(judgeResults(facts.encounters)) : judgeResults(facts.encounters);
  const signals = [
    captivity,
    judgeSeries(last),
    // A large sum is looked at even if it was lost with the usual errors.
    isLarge ? silence(played) : played,
    along(judgeThrown),
    // Bad moves and lost games are one thing seen twice: only the clearer of them counts.
    errors.bits > results.bits ? errors : silence(errors),
    errors.bits > results.bits ? silence(results) : results,
    along(judgeHaste),
    judgeMeeting(facts.seeks),
    judgeMeans(facts.means),
    judgeAge(facts.age),
    judgeStalling(last),
  ];
  const byClass = sumByClass(signals);
  const bits = [...byClass.values()].reduce((sum, one) => sum + one, 0);
  // What a source throws to several winners is one sum. An honest loser's is not.
  const kobo = toKobo(facts.money, judgeThrown(last).bits >= OF_OTHERS.fromBits);
  return { signals, bits, decision: decide(kobo, { bits, byClass, shift }) };
}

const silence = (signal: Signal): Signal => ({ ...signal, bits: 0 });

interface Weights {
  readonly bits: number;
  readonly byClass: ReadonlyMap<SignalClass, number>;
  readonly shift: number;
}

function decide(kobo: number, { bits, byClass, shift }: Weights): Weighed["decision"] {
  if (kobo < SMALL_KOBO) return null;
  if ((byClass.get("play") ?? 0) >= CERTAIN_BITS) return "hold";
  const age = byClass.get("age") ?? 0;
  const beside = bits - age - (byClass.get("money") ?? 0);
  const isLarge = kobo >= LARGE_KOBO;
  // All new players are young: beside captive coins of a small sum that is no second sign.
  const heard = bits - (isLarge || beside >= BESIDE_MIN ? 0 : age);
  const isSuspect = heard >= LIST_FROM - Math.abs(shift);
  if (!isSuspect && !isLarge) return null;
  if (isClear(bits, byClass)) return "hold";
  if (kobo >= Math.max(HELD_FROM_KOBO, LARGE_KOBO / 2 ** (bits - shift - LIST_FROM))) return "hold";
  return isSuspect ? "list" : null;
}

function isClear(bits: number, byClass: Weights["byClass"]): boolean {
  const [money, play] = [byClass.get("money") ?? 0, byClass.get("play") ?? 0];
  return bits >= CLEAR.bits && money >= CLEAR.money && play >= CLEAR.play;
}

function toKobo({ ownCoins, recentCoins, rateKobo }: MoneyFacts, withOthers: boolean): number {
  const coins = withOthers ? Math.max(ownCoins, Math.min(recentCoins, ownCoins * OF_OTHERS.max)) : ownCoins;
  return (coins * rateKobo) / 1_000_000;
}

export function isSmall(money: MoneyFacts): boolean {
  return toKobo(money, false) < SMALL_KOBO;
}

function sumByClass(signals: readonly Signal[]): ReadonlyMap<SignalClass, number> {
  const sums = new Map<SignalClass, number>();
  for (const { class: name, bits } of signals) {
    sums.set(name, Math.max(0, Math.min(CAPS[name], (sums.get(name) ?? 0) + bits)));
  }
  return sums;
}

/** Who won from a mule in good faith is not suspected for how the mule got the coins. */
function judgeAlong(judge: (edge: Edge) => Signal, { last, way }: FlowFacts, isStar: boolean): Signal {
  const [step, whole] = [judge(last), judge(way)];
  const most = Math.max(WAY.times * step.bits, isStar ? WAY.bits : 0);
  return whole.bits <= step.bits ? step : { ...whole, bits: Math.min(whole.bits, most) };
}
