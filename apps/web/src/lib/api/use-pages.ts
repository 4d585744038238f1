import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";

interface PagesOptions<Page, Row> {
  readonly queryKey: readonly string[];
  readonly load: (from: string | undefined, signal: AbortSignal) => Promise<Page>;
  readonly toRows: (page: Page) => readonly Row[];
  readonly refetchInterval?: number;
}

/** `data`: the rows of all loaded pages. */
export function usePages<Page extends { readonly next: string | null }, Row>({
  queryKey,
  load,
  toRows,
  refetchInterval,
}: PagesOptions<Page, Row>) {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next,
    select: ({ pages }) => ({ rows: pages.flatMap(toRows), pageCount: pages.length }),
    refetchInterval: refetchInterval ?? false,
    staleTime: 0,
  });
  const { data, isError, isFetching, hasNextPage, fetchNextPage, refetch } = query;
  const pageCount = data?.pageCount ?? 0;
  const key = queryKey.join(" ");
  const [asked, setAsked] = useState({ key, pageCount: 0 });
  const isAsked = asked.key === key && asked.pageCount > pageCount;
  const isPending = isAsked && hasNextPage && !isError;

  useEffect(() => {
    // A reload cancels a page that is being loaded, and must not be cancelled itself.
    if (isPending && !isFetching) void fetchNextPage({ cancelRefetch: false });
  }, [isPending, isFetching, fetchNextPage]);

  return {
    data: data?.rows,
    isError,
    refetch,
    hasNextPage,
    isFetchingNextPage: isPending || query.isFetchingNextPage,
    fetchNextPage() {
      setAsked({ key, pageCount: pageCount + 1 });
      void fetchNextPage({ cancelRefetch: false });
    },
  };
}
