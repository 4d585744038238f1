import type { OutcomesView } from "@holo/protocol/accounts/players.ts";

export function addOutcomes(all: readonly OutcomesView[]): OutcomesView {
  return all.reduce((sum, { wins, losses, draws }) => ({
    wins: sum.wins + wins,
    losses: sum.losses + losses,
    draws: sum.draws + draws,
  }));
}

export function countGames({ wins, losses, draws }: OutcomesView): number {
  return wins + losses + draws;
}

/** Wins among completed games in percent, to one decimal (specification 9). */
export function formatWinRate(outcomes: OutcomesView): string {
  const count = countGames(outcomes);
  return count === 0 ? "None yet" : `${((outcomes.wins / count) * 100).toFixed(1)}%`;
}
