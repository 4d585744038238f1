import type { ProfileView } from "@holo/protocol/accounts/session.ts";
import type { MatchView } from "@holo/protocol/game/games.ts";

export type ProfileTab = "all" | "active" | "pending" | "history";

/** Specification 9 names the tabs and requires an empty text for each. */
export const PROFILE_TABS: readonly { readonly id: ProfileTab; readonly text: string; readonly empty: string }[] = [
  { id: "all", text: "All", empty: "You haven't participated in any matches yet." },
  { id: "active", text: "Active", empty: "You have no active match." },
  { id: "pending", text: "Pending", empty: "You have no pending match." },
  { id: "history", text: "History", empty: "You haven't completed any matches yet." },
];

/** The All tab shows only the newest games (specification 9). */
const ALL_TAB_MAX = 5;

/**
 * Cancelled games appear only in History, after the completed ones, because its count omits them
 * (ruling 11). `matches` is newest first.
 */
export function selectTab(matches: readonly MatchView[], tab: ProfileTab): readonly MatchView[] {
  switch (tab) {
    case "all":
      return matches.filter(({ status }) => status !== "cancelled").slice(0, ALL_TAB_MAX);
    case "active":
    case "pending":
      return matches.filter((match) => match.status === tab);
    case "history":
      return matches.filter((match) => match.status === "completed");
  }
}

export function selectCancelled(matches: readonly MatchView[]): readonly MatchView[] {
  return matches.filter((match) => match.status === "cancelled");
}

/** The matches that a tab is about. It may list fewer: see `selectTab`. */
export function countTab({ pending, active, completed }: ProfileView["games"], tab: ProfileTab): number {
  switch (tab) {
    case "all":
      return pending + active + completed;
    case "active":
      return active;
    case "pending":
      return pending;
    case "history":
      return completed;
  }
}

/** Wins among completed staked games with one decimal, "58.7%" (specification 9, ruling 41). */
export function formatWinRate(games: Pick<ProfileView["games"], "wins" | "completed" | "free">): string {
  const staked = games.completed - games.free;
  return `${(staked === 0 ? 0 : (games.wins / staked) * 100).toFixed(1)}%`;
}
