import { useInfiniteQuery } from "@tanstack/react-query";

interface PagesOptions<Page, Row> {
  readonly queryKey: readonly string[];
  readonly load: (from: string | undefined, signal: AbortSignal) => Promise<Page>;
  readonly toRows: (page: Page) => readonly Row[];
  readonly refetchInterval?: number;
}

export function usePages<Page extends { readonly next: string | null }, Row>({
  queryKey,
  load,
  toRows,
  refetchInterval,
}: PagesOptions<Page, Row>) {
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => pages.flatMap(toRows),
    refetchInterval: refetchInterval ?? false,
    staleTime: 0,
  });
}
