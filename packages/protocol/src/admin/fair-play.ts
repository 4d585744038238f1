import { z } from "zod";
import { coins, empty, instant, playerId, text, whole } from "../fields.ts";
import { player } from "../game/games.ts";
import type { Route, View } from "../route.ts";

const period = z.enum(["day", "week", "month"]);
export type FairPlayPeriod = View<typeof period>;

const signal = z.enum([
  "shared_bank_account",
  /** Many games, and almost all coins went one way. */
  "one_sided",
  "quick_losses",
]);
export type FairPlaySignal = View<typeof signal>;

const suspect = player.extend({
  isHeld: z.boolean(),
});

const suspiciousPair = z.strictObject({
  /** The player who lost coins to `to`, on balance. */
  from: suspect,
  to: suspect,
  /** What `from` lost to `to` on balance, without fees. */
  netCoins: coins,
  /** Games that ended by win or draw. */
  games: whole,
  lost: whole,
  won: whole,
  /** Of these, those that either player lost within few moves. */
  quickLosses: whole,
  /**
   * Of these, those between players who chose each other: in the lobby, by address or invitation.
   */
  chosen: whole,
  lastGameAt: instant.nullable(),
  /** Since when both use one bank account; null: they do not. */
  sharedSinceAt: instant.nullable(),
  signals: z.array(signal),
});
export type SuspiciousPairView = View<typeof suspiciousPair>;

const suspiciousPairs = z.strictObject({
  sinceAt: instant,
  /** By number of signals, then by coins. At most 100 by games and 100 by bank account. */
  pairs: z.array(suspiciousPair),
});
export type SuspiciousPairsView = View<typeof suspiciousPairs>;

const HOLD_REFUSALS = [
  "reason_missing",
  "own_matter",
  "admin_matter",
  "ceo_matter",
  "unknown_player",
  "hold_unchanged",
  "hold_changed",
] as const;
const holdOrder = z.strictObject({ playerId, reason: z.string().max(500) });

export const FAIR_PLAY_ROUTES = {
  /**
   * Pairs of players for staff to review; the list triggers nothing. Omits pairs of the viewer and
   * of players whose file the viewer may not read.
   */
  suspiciousPairs: {
    method: "get",
    path: "/api/admin/pairs",
    access: "admin",
    refusals: [],
    query: z.strictObject({ period }),
    response: suspiciousPairs,
  },
  /**
   * Nothing is paid out to the player, who sees the reason in the wallet. Allowed to staff who may
   * ban the player.
   */
  holdWithdrawals: {
    method: "post",
    path: "/api/admin/holds",
    access: "admin",
    refusals: HOLD_REFUSALS,
    body: holdOrder,
    response: empty,
  },
  /** Ends the hold that the page showed, and none that began since. */
  releaseWithdrawals: {
    method: "post",
    path: "/api/admin/holds/end",
    access: "admin",
    refusals: HOLD_REFUSALS,
    body: holdOrder.extend({ holdId: text(20) }),
    response: empty,
  },
} as const satisfies Record<string, Route>;
