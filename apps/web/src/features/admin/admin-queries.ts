import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { fetchApi } from "../../lib/api/api.ts";
import { queryClient } from "../../lib/api/query.tsx";
import { onFrame, useConnection, watchLobby } from "../../lib/socket/socket.ts";
import { isAccessDenied, useAccessDenied } from "./use-access-denied.ts";

/** What admins are shown is never older than this (specification 9). */
export const REFETCH_MS = 10_000;
const RETRIES = 2;
/** While many games begin and end the house is asked this often, and not for each of them. */
const THROTTLE_MS = 2_000;

/** Every list and sum of the page is kept under this, so that one word brings all of them up to date. */
export function adminKey(playerId: string, ...names: readonly string[]): readonly string[] {
  return ["admin", playerId, ...names];
}

export function refreshAdmin(): void {
  void queryClient.invalidateQueries({ queryKey: ["admin"] });
}

/** The figures of the house, fresh after everything the page hears of, and every ten seconds. */
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
    function gather() {
      timer ??= setTimeout(() => {
        timer = undefined;
        refreshAdmin();
      }, THROTTLE_MS);
    }
    const stopLobby = watchLobby({
      onMatch: gather,
      onMatchGone: gather,
      onAvailability: () => {},
      onResumed: refreshAdmin,
    });
    const stopFrames = onFrame(({ type }) => {
      if (type === "payment" || type === "settings") refreshAdmin();
    });
    return () => {
      clearTimeout(timer);
      stopLobby();
      stopFrames();
    };
  }, []);

  return { overview: data, isError, isLive: !isError && connection === "connected", refetch };
}
