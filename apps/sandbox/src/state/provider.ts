import { randomBytes } from "node:crypto";
import type { JsonObject } from "../http/json.ts";
import type { Clock } from "./clock.ts";
import type { Scheduler } from "./scheduler.ts";
import type { State } from "./state.ts";

export interface Provider {
  readonly state: State;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly domain: string;
  readonly publicUrl: () => string;
  /** Queues a webhook. `reference` is its subject, for faults and the state view. */
  notify(event: string, reference: string, data: JsonObject): void;
}

export const INTEGRATION = 100_032;

const CODE_LENGTH = 15;
const CODE_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** For example `RCP_` and 15 random letters and digits. */
export function makeCode(prefix: string): string {
  return prefix + [...randomBytes(CODE_LENGTH)].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join("");
}

export function formatInstant(at: number): string {
  return new Date(at).toISOString();
}
