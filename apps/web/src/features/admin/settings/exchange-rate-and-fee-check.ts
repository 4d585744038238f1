import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { parseNaira } from "../../../shared/money/naira-amount.ts";

/** `7.4`, `7.40 %`: up to two decimals, the precision of a basis point. */
const PERCENT = /^(?<whole>\d{1,3})(?:\.(?<part>\d{0,2}))?\s*%?$/;

/** Basis points of a typed percentage: 740 for `7.4`. The caller checks the range. */
export function parsePercent(text: string): Result<number, "not_percent"> {
  const groups = PERCENT.exec(text.trim())?.groups;
  if (groups === undefined) return refuse("not_percent");
  return ok(Number(groups.whole) * 100 + Number((groups.part ?? "").padEnd(2, "0")));
}

interface SettingsDraft {
  readonly rate: string;
  readonly fee: string;
}

export interface SettingsDraftFault {
  readonly field: keyof SettingsDraft;
  readonly text: string;
}

export function parseSettings(
  { rate, fee }: SettingsDraft,
  now: SettingsView,
): Result<SettingsView, SettingsDraftFault> {
  const kobo = parseNaira(rate);
  if (!kobo.ok || kobo.value === 0n)
    return refuse({ field: "rate", text: "Please enter naira, such as 306 or 306.50" });
  const basisPoints = parsePercent(fee);
  if (!basisPoints.ok) return refuse({ field: "fee", text: "Please enter a percentage, such as 7.4" });
  const wished = { rateKobo: Number(kobo.value), feeBps: basisPoints.value };
  const isSame = wished.rateKobo === now.rateKobo && wished.feeBps === now.feeBps;
  return isSame ? refuse({ field: "rate", text: "That's the current value" }) : ok(wished);
}
