import { randomBytes } from "node:crypto";
import type { JsonObject } from "../http/json.ts";
import type { Clock } from "./clock.ts";
import type { Scheduler } from "./scheduler.ts";
import type { State } from "./state.ts";

/** What every part of the sandbox works with. */
export interface Provider {
  readonly state: State;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  /** "test" or "live", as the key says. */
  readonly domain: string;
  /** Under which a browser reaches the checkout, without a slash at its end. */
  readonly publicUrl: () => string;
  /** Puts a webhook on its way. @param reference what it is about, for faults and for who looks at the state */
  notify(event: string, reference: string, data: JsonObject): void;
}

/** Any integration has a number; this one's is the sandbox's. */
export const INTEGRATION = 100_032;

const CODE_LENGTH = 15;
const CODE_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `RCP_` and 15 letters and digits, nobody else's. */
export function makeCode(prefix: string): string {
  return prefix + [...randomBytes(CODE_LENGTH)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join("");
}

export function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
