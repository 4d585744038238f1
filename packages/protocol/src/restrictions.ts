import { z } from "zod";
import { formField, instant, whole } from "./fields.ts";
import { EXCLUSION_TERMS } from "./restriction-terms.ts";
import type { Route, View } from "./route.ts";

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
  /** End of the player's self-exclusion. */
  excludedUntil: instant.nullable(),
  /** Since when the account is closing: it neither plays nor deposits. */
  closingAt: instant.nullable(),
  /** The reason of a ban as the player reads it; null: not banned. */
  blockedFor: z.string().nullable(),
  /** Why the player can neither play nor withdraw, but deposit (ruling 33); null: they can. */
  moneyHold: z.enum(["dispute", "debt"]).nullable(),
  /** Why staff hold the player's withdrawals, as the player reads it; null: they do not. */
  withdrawalsHeldFor: z.string().nullable(),
});
export type RestrictionsView = View<typeof restrictions>;

/** Left out: unchanged. Null: no limit. */
const newLimit = whole.nullable().optional();

export const RESTRICTION_ROUTES = {
  limits: { method: "get", path: "/api/limits", access: "player", refusals: [], response: restrictions },
  /**
   * A stricter limit holds at once, a looser one a day later. A limit that holds already drops the
   * pending one.
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
  /** No deposit and no new game for this long; it cannot be undone (ruling 27). */
  excludeSelf: {
    method: "post",
    path: "/api/self-exclusion",
    access: "player",
    refusals: ["wrong_password"],
    body: z.strictObject({ term: z.enum(EXCLUSION_TERMS), password: formField }),
    response: restrictions,
  },
} as const satisfies Record<string, Route>;
