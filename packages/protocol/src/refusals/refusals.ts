import type { Instant } from "@holo/kernel/instant.ts";
import { type Coins, formatCoins, formatNaira, type Kobo } from "@holo/kernel/money.ts";
import { ACCOUNT_REFUSALS } from "./account-refusals.ts";
import { GAME_REFUSALS } from "./game-refusals.ts";
import { STAFF_REFUSALS } from "./staff-refusals.ts";
import { WALLET_REFUSALS } from "./wallet-refusals.ts";
import { WIRE_REFUSALS } from "./wire-refusals.ts";

/** The specification gives some of the texts (section 8). */
export const REFUSALS = {
  ...WIRE_REFUSALS,
  ...ACCOUNT_REFUSALS,
  ...GAME_REFUSALS,
  ...WALLET_REFUSALS,
  ...STAFF_REFUSALS,
} as const;

export type RefusalCode = keyof typeof REFUSALS;

export interface RefusalFigures {
  readonly need?: Coins;
  readonly have?: Coins;
  readonly minutes?: number;
  readonly hours?: number;
  readonly count?: number;
  readonly period?: "day" | "week" | "month";
  readonly limit?: Kobo;
  readonly left?: Kobo;
  readonly stake?: number;
  readonly until?: Instant;
  readonly version?: string;
}

export interface RefusalView<Code extends RefusalCode = RefusalCode> {
  readonly code: Code;
  readonly title: string;
  readonly text: string;
}

/** A refusal's text with its figures: needed amounts round up, available ones down. */
export function toRefusalView<Code extends RefusalCode>(code: Code, figures: RefusalFigures = {}): RefusalView<Code> {
  const { title, text } = REFUSALS[code];
  const filled = text
    .replace("{need}", figures.need === undefined ? "" : formatCoins(figures.need, "up"))
    .replace("{have}", figures.have === undefined ? "" : formatCoins(figures.have, "down"))
    .replace("{minutes}", figures.minutes === undefined ? "" : String(figures.minutes))
    .replace("{hours}", figures.hours === undefined ? "" : String(figures.hours))
    .replace("{count}", figures.count === undefined ? "" : String(figures.count))
    .replace("{period}", figures.period ?? "")
    .replace("{limit}", figures.limit === undefined ? "" : formatNaira(figures.limit))
    .replace("{left}", figures.left === undefined ? "" : formatNaira(figures.left))
    .replace("{stake}", figures.stake === undefined ? "" : String(figures.stake))
    .replace("{until}", figures.until === undefined ? "" : formatUntil(figures.until))
    .replace("{version}", figures.version ?? "");
  return { code, title, text: filled };
}

/** In Nigerian time, with its name, because the reader's time zone is unknown here. */
function formatUntil(at: Instant): string {
  // Created lazily: on a slow phone it costs more than everything else in the page's modules.
  const lagos = new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "Africa/Lagos",
  });
  return `${lagos.format(at)} (Lagos time)`;
}
