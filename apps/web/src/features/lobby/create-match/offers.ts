import type { Coins } from "@holo/kernel/money.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";
import { isFree } from "@holo/table/stakes.ts";
import { toMatchTerms } from "../../../shared/match/match.ts";
import type { MatchChoice } from "./match-choice.ts";

/** The match of another player on these terms that waits longest. `matches`: the newest first. */
export function findOffer(
  matches: readonly MatchView[],
  viewerId: string | undefined,
  { game, stake, limitMinutes }: MatchChoice,
): MatchView | null {
  const offers = listOffers(matches, viewerId).filter(
    (match) => match.game === game && match.stake === stake && match.limitMinutes === limitMinutes,
  );
  return offers.at(-1) ?? null;
}

/**
 * What a player who waits could join instead for at most `funds`: the same game first, then the
 * cheapest. Who waits for coins is offered no free game, and the other way round.
 */
export function findSwitch(
  matches: readonly MatchView[],
  viewerId: string | undefined,
  choice: MatchChoice,
  funds: Coins,
): MatchView | null {
  const toBuyIn = (match: MatchView) => toMatchTerms(match).buyIn;
  const offers = listOffers(matches, viewerId)
    .filter((match) => isFree(match.stake) === isFree(choice.stake) && toBuyIn(match) <= funds)
    .toSorted(
      (a, b) =>
        Number(b.game === choice.game) - Number(a.game === choice.game) ||
        Number(toBuyIn(a) - toBuyIn(b)) ||
        a.createdAt - b.createdAt,
    );
  return offers[0] ?? null;
}

function listOffers(matches: readonly MatchView[], viewerId: string | undefined): readonly MatchView[] {
  return matches.filter(({ status, white }) => status === "pending" && white.id !== viewerId);
}
