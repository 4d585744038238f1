import { toKobo } from "@holo/kernel/money.ts";
import type { SolvencyView } from "@holo/protocol/admin/overview.ts";
import { formatNaira } from "../../../shared/money/naira.ts";

interface SolvencyText {
  readonly kind: "covered" | "short" | "unknown";
  readonly text: string;
}

/** Says whether the provider's balance covers what players are owed. Equality is covered. */
export function describeSolvency({ differenceKobo, onTheWayKobo }: SolvencyView): SolvencyText {
  if (differenceKobo === null) {
    return {
      kind: "unknown",
      text: "The provider does not say what it holds at the moment. It is asked again by itself.",
    };
  }
  if (differenceKobo >= 0) {
    const beyond = differenceKobo === 0 ? "exactly what" : `${formatNaira(toKobo(BigInt(differenceKobo)))} more than`;
    return { kind: "covered", text: `Covered: the provider holds ${beyond} players are owed.` };
  }
  const missing = formatNaira(toKobo(BigInt(-differenceKobo)));
  const maybeSent =
    onTheWayKobo > 0
      ? ` Up to ${formatNaira(toKobo(BigInt(onTheWayKobo)))} of that may be withdrawals that have left it already.`
      : "";
  return { kind: "short", text: `Not covered: the provider holds ${missing} less than players are owed.${maybeSent}` };
}

/**
 * The covered share of the bar, in whole percent of the larger amount. Null without the provider's
 * balance.
 */
export function toOwedPercent({ owedKobo, providerKobo }: SolvencyView): number | null {
  if (providerKobo === null) return null;
  const most = Math.max(owedKobo, providerKobo);
  const least = Math.max(Math.min(owedKobo, providerKobo), 0);
  return most <= 0 ? 0 : Math.floor((least / most) * 100);
}
