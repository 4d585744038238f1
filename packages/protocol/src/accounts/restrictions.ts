import { z } from "zod";
import { formField, instant, whole } from "../fields.ts";
import type { Route, View } from "../route.ts";
import { EXCLUSION_TERMS } from "./restriction-terms.ts";

const limit = z.strictObject({
  /** Null: no limit. */
  value: whole.nullable(),
  /** A looser limit takes effect a day after it was set. */
  next: z.strictObject({ value: whole.nullable(), at: instant }).nullable(),
});
export type LimitView = View<typeof limit>;

export const restrictions = z.strictObject({
  depositDay: limit,
  depositWeek: limit,
  depositMonth: limit,
  stake: limit,
  session: limit,
  excludedUntil: instant.nullable(),
  /** Until when a self-exclusion covers free games too. */
  excludedFromFreeUntil: instant.nullable(),
  /** Since when the account is closing; it can neither play nor deposit. */
  closingAt: instant.nullable(),
  bannedFor: z.string().nullable(),
  /**
   * Why the player can neither play nor withdraw (ruling 33); deposits stay possible. Null: no
   * hold.
   */
  moneyHold: z.enum(["dispute", "debt"]).nullable(),
  withdrawalsHeldFor: z.string().nullable(),
});
export type RestrictionsView = View<typeof restrictions>;

/** Omitted: unchanged. Null: no limit. */
const newLimit = whole.nullable().optional();

export const RESTRICTION_ROUTES = {
  limits: { method: "get", path: "/api/limits", access: "player", refusals: [], response: restrictions },
  /**
   * A stricter limit applies at once, a looser one a day later. The current value drops a pending
   * change.
   */
  updateLimits: {
    method: "patch",
    path: "/api/limits",
    access: "player",
    refusals: ["bad_limit"],
    body: z.strictObject({
      depositDay: newLimit,
      depositWeek: newLimit,
      depositMonth: newLimit,
      stake: newLimit,
      session: newLimit,
    }),
    response: restrictions,
  },
  /** No deposit and no new staked game for this long; it cannot be undone (ruling 27). */
  excludeSelf: {
    method: "post",
    path: "/api/self-exclusion",
    access: "player",
    refusals: ["wrong_password"],
    body: z.strictObject({ term: z.enum(EXCLUSION_TERMS), coversFreeGames: z.boolean(), password: formField }),
    response: restrictions,
  },
} as const satisfies Record<string, Route>;
