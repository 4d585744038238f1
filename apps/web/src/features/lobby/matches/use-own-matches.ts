import type { LobbyFilter } from "@holo/protocol/game/games.ts";
import { EVERY_MATCH } from "@holo/protocol/lobby/lobby.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../../lib/api/api.ts";
import { refreshQueries } from "../../../lib/api/query.tsx";
import { onFrame } from "../../../lib/socket/socket.ts";

const MINE = ["matches", "mine"];

export function useOwnMatches(filter: LobbyFilter, count: number, viewerId: string | null) {
  const { data, isError, isPlaceholderData, refetch } = useQuery({
    queryKey: [...MINE, viewerId, filter, count],
    queryFn: ({ signal }) => fetchApi("matches", { query: toQuery(filter, count) }, signal),
    enabled: viewerId !== null,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  useEffect(
    () =>
      onFrame(({ type }) => {
        // Pushes from before the connection are lost.
        if (type === "open_game" || type === "hello") void refreshQueries(MINE);
      }),
    [],
  );
  return { list: data, isOld: isPlaceholderData, isError, refetch };
}

function toQuery({ status, game, stakeMin, stakeMax, limitMinutes, search }: LobbyFilter, count: number) {
  return {
    mine: "true" as const,
    count: String(count),
    ...(status !== null && { status }),
    ...(game !== null && { game }),
    ...(stakeMin !== EVERY_MATCH.stakeMin && { stakeMin: `${stakeMin}` as const }),
    ...(stakeMax !== EVERY_MATCH.stakeMax && { stakeMax: `${stakeMax}` as const }),
    ...(limitMinutes !== null && { limitMinutes: `${limitMinutes}` as const }),
    ...(search !== "" && { search }),
  };
}
