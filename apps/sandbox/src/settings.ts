import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { JsonObject } from "./http/json.ts";

/** How this stand-in behaves when no fault says otherwise. All but the address can be changed while it runs. */
export interface Settings {
  /** Where webhooks go; null: nowhere, each attempt fails. */
  readonly webhookUrl: string | null;
  /** Whose plan of retries: live, every 3 min four times, then hourly for 72 h; test, hourly for 10 h. */
  readonly retryPlan: "live" | "test";
  /** Multiplies every wait of the plan. */
  readonly retryScale: number;
  /** How long a webhook's receiver may take, on the machine's clock. */
  readonly webhookTimeoutMs: number;
  /** From a transfer's acceptance to its outcome, on the sandbox's clock. */
  readonly transferSettlesAfterMs: number;
  readonly refundSettlesAfterMs: number;
  /** Who pays the fee of a charge. */
  readonly feeBearer: "account" | "customer";
  /** The most that one page of banks holds. Below the real 100, so that paging is needed with few banks. */
  readonly banksPerPageMax: number;
  /** 429 above so many calls within a minute; null: never. */
  readonly callsPerMinuteMax: number | null;
  /** How long a call that gets no answer is kept open, on the machine's clock. */
  readonly holdMs: number;
  readonly businessName: string;
}

export const DEFAULT_SETTINGS: Settings = {
  webhookUrl: null,
  retryPlan: "live",
  retryScale: 1,
  webhookTimeoutMs: 30_000,
  transferSettlesAfterMs: 0,
  refundSettlesAfterMs: 0,
  feeBearer: "account",
  banksPerPageMax: 10,
  callsPerMinuteMax: null,
  holdMs: 120_000,
  businessName: "Holo Arena",
};

const isDuration = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isCount = (value: unknown): boolean => isDuration(value) && value !== 0;
const isUrl = (value: unknown): boolean => typeof value === "string" && /^https?:/.test(value) && URL.canParse(value);

const CHECKS: { readonly [Name in keyof Settings]: (value: unknown) => boolean } = {
  webhookUrl: (value) => value === null || isUrl(value),
  retryPlan: (value) => value === "live" || value === "test",
  retryScale: (value) => typeof value === "number" && Number.isFinite(value) && value >= 0,
  webhookTimeoutMs: isCount,
  transferSettlesAfterMs: isDuration,
  refundSettlesAfterMs: isDuration,
  feeBearer: (value) => value === "account" || value === "customer",
  banksPerPageMax: isCount,
  callsPerMinuteMax: (value) => value === null || isCount(value),
  holdMs: isCount,
  businessName: (value) => typeof value === "string" && value !== "",
};

/** A change of some settings, or the names of those that are unknown or out of range. */
export function parseSettings(given: JsonObject): Result<Partial<Settings>, readonly string[]> {
  const wrong = Object.keys(given).filter((name) => {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Settings] : undefined;
    return check === undefined || !check(given[name]);
  });
  return wrong.length === 0 ? ok(given as Partial<Settings>) : refuse(wrong);
}
