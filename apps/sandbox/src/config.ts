import type { Kobo } from "@holo/kernel/money.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { SandboxOptions } from "./sandbox.ts";
import { parseSettings } from "./settings.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Useless elsewhere: the real provider does not know it. */
const SANDBOX_KEY = "sk_test_sandbox";

/** In development a webhook is retried within seconds. */
const RETRY_SCALE = 1 / 60;
/** Long enough for a person to see a transfer in progress. */
const TRANSFER_SETTLES_AFTER_MS = 4_000;

/**
 * Reads the variables of apps/sandbox/README.md; an empty one counts as unset. Refuses with all
 * faults, and always in production.
 */
export function parseConfig(environment: Environment): Result<SandboxOptions, readonly string[]> {
  const read = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const readNumber = (name: string, standIn: number): number => Number(read(name) ?? standIn);
  const faults: string[] = [];
  if (read("NODE_ENV") === "production") faults.push("NODE_ENV is production, where no money is pretended");
  const port = readNumber("PORT", 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) faults.push("PORT must be a whole number from 0 to 65535");
  const secretKey = read("PAYSTACK_SECRET_KEY") ?? SANDBOX_KEY;
  if (!secretKey.startsWith("sk_test_")) faults.push("PAYSTACK_SECRET_KEY must be a test key");
  const publicUrl = read("PUBLIC_URL");
  if (publicUrl !== undefined && !URL.canParse(publicUrl)) faults.push("PUBLIC_URL must be a URL");
  const kobo = read("BALANCE_KOBO");
  if (kobo !== undefined && !/^\d{1,15}$/.test(kobo)) faults.push("BALANCE_KOBO must be a whole number");
  const settings = parseSettings({
    webhookUrl: read("WEBHOOK_URL") ?? null,
    retryScale: readNumber("RETRY_SCALE", RETRY_SCALE),
    transferSettlesAfterMs: readNumber("TRANSFER_SETTLES_AFTER_MS", TRANSFER_SETTLES_AFTER_MS),
  });
  if (!settings.ok) faults.push(`out of range: ${settings.refusal.join(", ")}`);
  if (faults.length > 0 || !settings.ok) return refuse(faults);
  const host = read("HOST");
  const publicHost = read("PUBLIC_HOST");
  const stateFile = read("STATE_FILE");
  return ok({
    port,
    secretKey,
    settings: settings.value,
    ...(host === undefined ? {} : { host }),
    ...(publicHost === undefined ? {} : { publicHost }),
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.replace(/\/+$/, "") }),
    ...(stateFile === undefined ? {} : { stateFile }),
    ...(kobo === undefined ? {} : { balance: BigInt(kobo) as Kobo }),
  });
}
