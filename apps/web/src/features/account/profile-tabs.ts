import type { MatchView, ProfileView } from "@holo/protocol/views.ts";

export type ProfileTab = "all" | "active" | "pending" | "history";

/** The specification names the tabs and that each has a sentence for when it is empty. */
export const PROFILE_TABS: readonly { readonly id: ProfileTab; readonly text: string; readonly empty: string }[] = [
  { id: "all", text: "All", empty: "You haven't participated in any matches yet." },
  { id: "active", text: "Active", empty: "You have no active match." },
  { id: "pending", text: "Pending", empty: "You have no pending match." },
  { id: "history", text: "History", empty: "You haven't completed any matches yet." },
];

/** The first tab shows only the latest (specification 9). */
const ALL_TAB_MAX = 5;

/** Cancelled games appear in the history (ruling 11). @param matches newest first */
export function selectTab(matches: readonly MatchView[], tab: ProfileTab): readonly MatchView[] {
  switch (tab) {
    case "all":
      return matches.slice(0, ALL_TAB_MAX);
    case "active":
    case "pending":
      return matches.filter((match) => match.status === tab);
    case "history":
      return matches.filter((match) => match.status === "completed" || match.status === "cancelled");
  }
}

/** The figure beside a tab. Cancelled games count nowhere (ruling 11), so the history's figure may be below its rows. */
export function countTab({ games, matches }: Pick<ProfileView, "games" | "matches">, tab: ProfileTab): number {
  switch (tab) {
    case "all":
      return selectTab(matches, tab).length;
    case "active":
    case "pending":
      return games[tab];
    case "history":
      return games.completed;
  }
}

/** "58.7%": wins among completed games, one decimal (specification 9). */
export function formatWinRate({ wins, completed }: Pick<ProfileView["games"], "wins" | "completed">): string {
  return `${(completed === 0 ? 0 : (wins / completed) * 100).toFixed(1)}%`;
}
