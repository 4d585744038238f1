import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { JsonObject } from "./http/json.ts";

/** The behaviour without faults. All but the address can be changed at run time. */
export interface Settings {
  /** Where webhooks go; null lets each attempt fail. */
  readonly webhookUrl: string | null;
  /** live: every 3 minutes four times, then hourly for 72 hours; test: hourly for 10 hours. */
  readonly retryPlan: "live" | "test";
  /** Multiplies every wait of the plan. */
  readonly retryScale: number;
  /** The receiver's time limit, on the machine's clock. */
  readonly webhookTimeoutMs: number;
  /** From acceptance to outcome, on the sandbox's clock. */
  readonly transferSettlesAfterMs: number;
  readonly refundSettlesAfterMs: number;
  /** The party that pays the fee of a charge. */
  readonly feeBearer: "account" | "customer";
  /** Banks on one page. Below the real 100, so that a short list needs paging. */
  readonly banksPerPageMax: number;
  /** 429 above this rate; null for no limit. */
  readonly callsPerMinuteMax: number | null;
  /** How long a call without an answer stays open, on the machine's clock. */
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

export function parseSettings(given: JsonObject): Result<Partial<Settings>, readonly string[]> {
  const wrong = Object.keys(given).filter((name) => {
    const check = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Settings] : undefined;
    return check === undefined || !check(given[name]);
  });
  return wrong.length === 0 ? ok(given as Partial<Settings>) : refuse(wrong);
}
