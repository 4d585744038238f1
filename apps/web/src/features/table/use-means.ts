import { useSession } from "../../lib/session.ts";
import { findSeatRefusal } from "../../ui/permit.ts";
import { useLimits } from "../../ui/use-limits.ts";
import type { RematchMeans } from "./rematch-view.ts";
import type { Scene } from "./scene.ts";

/** What a rematch asks of who is at the page. */
export function useMeans({ shown: { table } }: Scene): RematchMeans {
  const { balance, settings, openGame } = useSession();
  const refusal = findSeatRefusal(useLimits(), table.stake, Date.now());
  return { balance, feeBps: settings.feeBps, hasOpenGame: openGame !== null, forbidden: refusal?.text ?? null };
}
