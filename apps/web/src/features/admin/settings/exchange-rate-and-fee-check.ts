import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { SettingsView } from "@holo/protocol/platform.ts";
import { parseNaira } from "../../../shared/money/naira-amount.ts";
import { parsePercent } from "./parse-percent.ts";

export interface SettingsDraft {
  /** Naira for one holocoin. */
  readonly rate: string;
  /** Percent. */
  readonly fee: string;
}

export interface SettingsDraftFault {
  readonly field: keyof SettingsDraft;
  readonly text: string;
}

/** Parses a changed exchange rate and platform fee. The server checks the range. */
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
  return isSame ? refuse({ field: "rate", text: "That is what holds already" }) : ok(wished);
}
