import type { OwnFairPlayView } from "@holo/protocol/fair-play.ts";
import { useQuery } from "@tanstack/react-query";
import { fetchApi } from "../../../lib/api/api.ts";
import { queryClient } from "../../../lib/api/query.tsx";

const NOTHING: OwnFairPlayView = { held: [], cases: [] };

interface OwnFairPlay {
  readonly fairPlay: OwnFairPlayView;
  readonly applyFairPlay: (changed: OwnFairPlayView) => void;
}

/** Below the wallet's key: it is loaded again with it. A wallet without it is whole. */
export function useOwnFairPlay(playerId: string): OwnFairPlay {
  const queryKey = ["wallet", playerId, "fair-play"];
  const { data } = useQuery({ queryKey, queryFn: ({ signal }) => fetchApi("ownFairPlay", {}, signal), staleTime: 0 });
  return {
    fairPlay: data ?? NOTHING,
    applyFairPlay: (changed) => queryClient.setQueryData<OwnFairPlayView>(queryKey, changed),
  };
}
