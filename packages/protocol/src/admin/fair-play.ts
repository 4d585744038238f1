import { z } from "zod";
import { coins, empty, instant, playerId, whole } from "../fields.ts";
import { player } from "../games.ts";
import type { Route, View } from "../route.ts";

const period = z.enum(["day", "week", "month"]);
export type FairPlayPeriod = View<typeof period>;

const signal = z.enum([
  /** Both withdrew to one bank account. */
  "shared_bank_account",
  /** Many games, and almost all coins went one way. */
  "one_sided",
  /** Several games were lost within few moves. */
  "quick_losses",
]);
export type FairPlaySignal = View<typeof signal>;

const suspect = player.extend({
  /** Whether staff hold this player's withdrawals. */
  isHeld: z.boolean(),
});

/** Two players, and what happened between them in the period. */
const suspiciousPair = z.strictObject({
  /** The player who lost coins to `to`, on balance. */
  from: suspect,
  to: suspect,
  /** What `from` lost to `to` on balance, without fees. */
  netCoins: coins,
  /** Games that ended by win or draw. */
  games: whole,
  /** Of these, those that `from` lost. */
  lost: whole,
  /** Of these, those that `from` won. */
  won: whole,
  /** Of these, those that either lost within few moves. */
  quickLosses: whole,
  /** Of these, those that a player chose: in the lobby, by address or invitation. */
  chosen: whole,
  lastGameAt: instant.nullable(),
  /** Since when they have a bank account in common; null: they have none. */
  sharedSinceAt: instant.nullable(),
  signals: z.array(signal),
});
export type SuspiciousPairView = View<typeof suspiciousPair>;

const suspiciousPairs = z.strictObject({
  sinceAt: instant,
  /** Most signals first, then most coins. At most 100 by their games. */
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
] as const;
/** The admin module checks the reason. */
const holdOrder = z.strictObject({ playerId, reason: z.string().max(500) });

export const FAIR_PLAY_ROUTES = {
  /**
   * Pairs of players for staff to look at; nothing follows from the list by itself. Without pairs
   * of the viewer and of those whose file the viewer may not read.
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
   * Nothing is paid out to the player, who reads the reason in the wallet. Allowed to those who may
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
  releaseWithdrawals: {
    method: "post",
    path: "/api/admin/holds/end",
    access: "admin",
    refusals: HOLD_REFUSALS,
    body: holdOrder,
    response: empty,
  },
} as const satisfies Record<string, Route>;
