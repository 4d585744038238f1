import type { MatchView } from "@holo/protocol/game/games.ts";

export interface MatchSection {
  readonly id: string;
  readonly title: string;
  readonly matches: readonly MatchView[];
}

/** The parts of a list, in its own order. Open matches are counted: players can join them. */
export function toSections(matches: readonly MatchView[], hasMore: boolean): readonly MatchSection[] {
  const [open, live, finished] = [
    matches.filter(({ status }) => status === "pending"),
    matches.filter(({ status }) => status === "active"),
    matches.filter(({ status }) => status === "completed" || status === "cancelled"),
  ];
  const isCut = hasMore && open.length === matches.length;
  return [
    { id: "open-now", title: `Open now (${open.length}${isCut ? "+" : ""})`, matches: open },
    { id: "live", title: "Live", matches: live },
    { id: "finished", title: "Finished", matches: finished },
  ].filter((section) => section.matches.length > 0);
}
