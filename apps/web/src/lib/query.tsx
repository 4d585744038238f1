import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** For server lists only (matches, profile); what is pushed lives in stores of its own. Loaded with the first page that shows a list. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5_000, gcTime: 5 * 60_000, retry: 2, refetchOnWindowFocus: true } },
});

export function Queries({ children }: { readonly children: ReactNode }) {
  return <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>;
}
