import type { Signal } from "../finding.ts";
import type { Holder, MoneyFacts } from "./facts.ts";

/** A winner who has so much from one source lives on it. */
export const CAPTIVE_FROM = 0.6;
const WHOLLY_FROM = 0.9;
/** A strong player has less of each of many. */
export const AIMED_SHARE_FROM = 0.2;
const BITS = { partly: 2, wholly: 6, aimed: 3, quick: 1, emptied: 1, large: 1 };
const CAP = 8;
const EMPTIED_BELOW = 0.1;
const QUICK_FROM = 0.5;
/** Honest deposits are rarely so large. */
const LARGE_KOBO = 10_000_000;

/**
 * Coins that lie only with winners who live on them. Strong players win from many; a friend or a
 * lucky beginner looks the same as a mule, so it never holds alone.
 */
export function judgeCaptivity(facts: MoneyFacts): Signal {
  const share = toShare(facts.wonFromSource, facts.won);
  const captivity = toCaptivity(facts);
  const kept = toShare(facts.kept, facts.deposited);
  const kobo = (facts.recentCoins * facts.rateKobo) / 1_000_000;
  const isFed = share >= CAPTIVE_FROM && captivity >= CAPTIVE_FROM;
  const aim = toAim(facts);
  const steps = (Math.min(captivity, WHOLLY_FROM) - CAPTIVE_FROM) / (WHOLLY_FROM - CAPTIVE_FROM);
  const weight = isFed ? BITS.partly + steps * (BITS.wholly - BITS.partly) : 0;
  const aimed = aim >= CAPTIVE_FROM && share >= AIMED_SHARE_FROM ? BITS.aimed : 0;
  const bits =
    Math.max(weight, aimed) > 0
      ? Math.max(weight, aimed) +
        (facts.quick >= QUICK_FROM ? BITS.quick : 0) +
        (kept < EMPTIED_BELOW ? BITS.emptied : 0) +
        (kobo >= LARGE_KOBO ? BITS.large : 0) -
        // Of several depositors, some are together by chance.
        (facts.sources - 1)
      : 0;
  return {
    name: "captivity",
    version: 1,
    class: "money",
    bits: Math.min(CAP, Math.max(0, bits)),
    figures: { captivity, share, aim, quick: facts.quick, kept, sources: facts.sources },
    threshold: CAPTIVE_FROM,
  };
}

/**
 * The part that lies with the player, who may have won much elsewhere, and with those who live on
 * the depositors. Half of all losers lose so to one winner.
 */
function toAim({ holders }: MoneyFacts): number {
  return toLeast(holders, (one) => one.isOwn || isCaptive(one));
}

/**
 * The part of what others have of the deposits that lies with winners who live on them: of several
 * depositors, the least, since one of them alone would do it by chance.
 */
function toCaptivity({ holders }: MoneyFacts): number {
  return toLeast(holders, isCaptive);
}

function isCaptive({ wonFromSource, won }: Holder): boolean {
  return toShare(wonFromSource, won) >= CAPTIVE_FROM;
}

function toLeast(holders: readonly Holder[], isCounted: (one: Holder) => boolean): number {
  const sum = (of: readonly Holder[]) => of.reduce((total, { coins }) => total + coins, 0);
  const each = [...Map.groupBy(holders, ({ sourceKey }) => sourceKey).values()];
  return each.length === 0 ? 0 : Math.min(...each.map((of) => toShare(sum(of.filter(isCounted)), sum(of))));
}

function toShare(part: number, whole: number): number {
  return whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
}
