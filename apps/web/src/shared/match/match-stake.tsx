import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { CoinAmount } from "../money/coin-amount.tsx";
import { toMatchTerms } from "./match.ts";

/** What each player stakes in all, or "Free". */
export function MatchStake({ match }: { readonly match: MatchView }) {
  return isFree(match.stake) ? (
    <span className="money">Free</span>
  ) : (
    <CoinAmount coins={toMatchTerms(match).stakeTotal} />
  );
}
