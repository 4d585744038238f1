import type { ListedStatus, LobbyFilter, MatchView } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH, isListed, toSearch } from "@holo/protocol/lobby/lobby.ts";
import { listGameTypes } from "@holo/rules/registry.ts";
import { LIMIT_MINUTES, STAKES } from "@holo/table/stakes.ts";

/**
 * What the page shows. It is kept in the address, so that it survives a reload and can be shared.
 */
export interface MatchFilter extends LobbyFilter {
  readonly mine: boolean;
}

export const NO_FILTER: MatchFilter = { ...EVERY_MATCH, mine: false };

const STATUSES: readonly ListedStatus[] = ["pending", "active", "completed"];

export function parseFilter(query: string): MatchFilter {
  const params = new URLSearchParams(query);
  const find = <Value extends string | number>(name: string, values: readonly Value[]): Value | null =>
    values.find((value) => String(value) === params.get(name)) ?? null;
  const [from, to = from] = params.get("stake")?.split("-") ?? [];
  const stakeMin = STAKES.find((stake) => String(stake) === from) ?? NO_FILTER.stakeMin;
  const stakeMax = STAKES.find((stake) => String(stake) === to && stake >= stakeMin) ?? NO_FILTER.stakeMax;
  return {
    mine: params.get("show") === "mine",
    status: find("status", STATUSES),
    game: find("game", listGameTypes()),
    stakeMin,
    stakeMax,
    limitMinutes: find("minutes", LIMIT_MINUTES),
    search: toSearch(params.get("search") ?? ""),
  };
}

/** The inverse: the part of an address after `?`; empty for all matches. */
export function formatFilter({ mine, status, game, stakeMin, stakeMax, limitMinutes, search }: MatchFilter): string {
  const isAnyStake = stakeMin === NO_FILTER.stakeMin && stakeMax === NO_FILTER.stakeMax;
  const parts: Readonly<Record<string, string | number | null>> = {
    show: mine ? "mine" : null,
    status,
    game,
    stake: isAnyStake ? null : stakeMin === stakeMax ? stakeMin : `${stakeMin}-${stakeMax}`,
    minutes: limitMinutes,
    search: search === "" ? null : search,
  };
  const given = Object.entries(parts).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  return new URLSearchParams(given).toString();
}

/** How many of the filters are set; the tab is none. */
export function countFilters(filter: MatchFilter): number {
  return [...new URLSearchParams(formatFilter({ ...filter, mine: false })).keys()].length;
}

export function toLobbyFilter({ mine: _, ...filter }: MatchFilter): LobbyFilter {
  return filter;
}

/** Whether the filter shows a match; the player's own list has cancelled ones too (ruling 11). */
export function isShown(match: MatchView, filter: MatchFilter): boolean {
  if (match.status !== "cancelled") return isListed(match, filter);
  return filter.mine && filter.status === null && isListed({ ...match, status: "completed" }, filter);
}
