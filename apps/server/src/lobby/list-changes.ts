import type { MatchChange, MatchView } from "@holo/protocol/game/games.ts";
import { compareMatches, type MatchList } from "@holo/protocol/lobby/lobby.ts";
import type { LobbyChangesFrame } from "@holo/protocol/socket/server-frames.ts";

/** Changes from which `evolveLobby` makes the other list; null if the lists are equal. */
export function toLobbyChanges(before: MatchList, after: MatchList, count: number): LobbyChangesFrame | null {
  const known = new Map(before.matches.map((match) => [match.id, match]));
  const left = new Set(after.matches.map(({ id }) => id));
  const added = after.matches.filter(({ id }) => !known.has(id));
  const changed = after.matches.flatMap((match) => {
    const old = known.get(match.id);
    return old === undefined || old === match ? [] : toMatchChange(old, match);
  });
  const last = after.matches.length === count ? after.matches.at(-1) : undefined;
  // A full list drops the matches after its last one anyway.
  const gone = before.matches.filter(
    (match) => !left.has(match.id) && (last === undefined || compareMatches(match, last) < 0),
  );
  const hasMore = before.hasMore !== after.hasMore;
  if (added.length === 0 && changed.length === 0 && left.size === known.size && !hasMore) return null;
  return {
    type: "lobby_changes",
    ...(added.length > 0 && { added }),
    ...(changed.length > 0 && { changed }),
    ...(gone.length > 0 && { gone: gone.map(({ id }) => id) }),
    ...(hasMore && { hasMore: after.hasMore }),
  };
}

/** None if both are equal. */
function toMatchChange(before: MatchView, after: MatchView): readonly MatchChange[] {
  const differing = Object.entries(after).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(before[field as keyof MatchView]),
  );
  return differing.length === 0 ? [] : [{ ...Object.fromEntries(differing), id: after.id }];
}
