import type { Signal } from "../finding.ts";
import type { MeansFacts } from "./facts.ts";

const STRONGLY = { from: 0.8, bits: 6 };
const WEAKLY = { from: 0.5, bits: 4 };

/**
 * Depositor and payee are joined. Those who share a phone are never paired, so that their coins
 * come only by a detour; to play a friend and later log in on the friend's phone is nothing.
 */
export function judgeMeans({ strength, kinds, isDetour }: MeansFacts): Signal {
  const isOfMoney = kinds.has("bank_account") || kinds.has("card");
  const counted = isDetour || isOfMoney ? strength : 0;
  const bits = counted >= STRONGLY.from ? STRONGLY.bits : counted >= WEAKLY.from ? WEAKLY.bits : 0;
  return {
    name: "means",
    version: 1,
    class: "means",
    bits,
    figures: { strength, isDetour: Number(isDetour), isOfMoney: Number(isOfMoney) },
    threshold: WEAKLY.from,
  };
}
