import { QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { registerLoads } from "../session/session.ts";

/** Caches answers of the server. Pushed state has its own stores. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: 2, refetchOnWindowFocus: true } },
});

registerLoads({
  cancel: () => queryClient.cancelQueries(),
  reload: () => void queryClient.invalidateQueries(),
});

export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}

/**
 * Loads the queries below a key again after a change. `invalidateQueries` would wait for a first
 * load in progress, whose answer may be older than the change.
 */
export async function refreshQueries(queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}
