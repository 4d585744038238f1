import type { RefusalView } from "@holo/protocol/refusals/refusals.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { queryClient } from "../../lib/api/query.tsx";
import { loadSession } from "../../lib/session/session.ts";
import { onFrame, useConnection, watchStats } from "../../lib/socket/socket.ts";

/** Maximum age of the figures (specification 9). */
export const REFETCH_MS = 10_000;
const RETRIES = 2;
/** At most one refresh per interval, however many games begin and end. */
const THROTTLE_MS = 2_000;

/** Query key prefix of all admin queries, so that one call refreshes them all. */
export function adminKey(playerId: string, ...names: readonly string[]): readonly string[] {
  return ["admin", playerId, ...names];
}

export function refreshAdmin(): void {
  void queryClient.invalidateQueries({ queryKey: ["admin"] });
}

/** The overview, refreshed on every relevant socket frame and every ten seconds. */
export function useOverview(playerId: string) {
  const connection = useConnection();
  const { data, error, isError, refetch } = useQuery({
    queryKey: adminKey(playerId, "overview"),
    queryFn: ({ signal }) => fetchApi("adminOverview", {}, signal),
    refetchInterval: REFETCH_MS,
    retry: (failures, fault) => failures < RETRIES && !isAccessDenied(fault),
  });

  useAccessDenied(error);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    function refreshSoon() {
      timer ??= setTimeout(() => {
        timer = undefined;
        refreshAdmin();
      }, THROTTLE_MS);
    }
    const stopStats = watchStats(refreshSoon);
    const stopFrames = onFrame(({ type }) => {
      if (type === "payment" || type === "settings") refreshAdmin();
    });
    return () => {
      clearTimeout(timer);
      stopStats();
      stopFrames();
    };
  }, []);

  return { overview: data, isError, isLive: !isError && connection === "connected", refetch };
}

export function isAccessDenied(fault: Error | null): boolean {
  return (fault?.cause as RefusalView | undefined)?.code === "access_denied";
}

/** Reloads the session after a refusal, since the role may have been revoked. */
export function useAccessDenied(fault: Error | null): void {
  useEffect(() => {
    if (isAccessDenied(fault)) void loadSession();
  }, [fault]);
}
