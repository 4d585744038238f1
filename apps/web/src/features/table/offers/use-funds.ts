import { useSession } from "../../../lib/session/session.ts";
import { findSeatRefusal } from "../../../shared/restrictions/seat-restrictions.ts";
import { useRestrictions } from "../../../shared/restrictions/use-restrictions.ts";
import type { TableViewModel } from "../view-model.ts";
import type { RematchFunds } from "./rematch-view.ts";

/** What decides whether the player can afford a rematch and is allowed one. */
export function useFunds({ shown: { table } }: TableViewModel): RematchFunds {
  const { balance, settings, openGame } = useSession();
  const refusal = findSeatRefusal(useRestrictions(), table.stake, Date.now());
  return { balance, feeBps: settings.feeBps, hasOpenGame: openGame !== null, forbidden: refusal?.text ?? null };
}
