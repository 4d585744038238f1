import { z } from "zod";
import { empty, playerId, text } from "../fields.ts";
import type { Route } from "../route.ts";

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

export const WITHDRAWAL_HOLD_ROUTES = {
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
