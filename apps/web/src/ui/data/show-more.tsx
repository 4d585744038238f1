import { Button } from "../button/button.tsx";

interface ShowMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** Below a list of which there may be more. */
export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button size="small" busy={isFetchingNextPage && "Loading..."} onClick={() => void fetchNextPage()}>
      Show more
    </Button>
  );
}
