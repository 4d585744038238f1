import { useInfiniteQuery } from "@tanstack/react-query";

interface PagesOptions<Page, Row> {
  readonly queryKey: readonly string[];
  /** @param from what the page before it named as the next one; undefined: the first */
  readonly load: (from: string | undefined, signal: AbortSignal) => Promise<Page>;
  readonly toRows: (page: Page) => readonly Row[];
  readonly refetchInterval?: number;
}

/** A list that comes page by page: its `data` is what all pages so far hold. */
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
  });
}
