import type { Coins } from "@holo/kernel/money.ts";
import { type RefusalView, toRefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useSession } from "../../../lib/session/session.ts";
import { toGameTerms } from "../../../shared/match/match.ts";
import { useSeatRefusal } from "../../../shared/restrictions/use-seat-refusal.ts";
import type { MatchChoice } from "./match-choice.ts";

interface CreateRefusal {
  readonly buyIn: Coins;
  /** Why the player may not create a match on these terms now; null if they may. */
  readonly refusal: RefusalView | null;
  /** A deposit would help. */
  readonly isShort: boolean;
}

export function useCreateRefusal({ game, stake }: MatchChoice): CreateRefusal {
  const { balance, settings } = useSession();
  const { buyIn } = toGameTerms(game, stake, settings.feeBps);
  const restriction = useSeatRefusal(stake);
  const isShort = restriction === null && balance < buyIn;
  const refusal = isShort ? toRefusalView("insufficient_to_create", { need: buyIn, have: balance }) : restriction;
  return { buyIn, refusal, isShort };
}
