import { Button } from "../button/button.tsx";

interface ShowMoreProps {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

export function ShowMore({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: ShowMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Button size="small" busy={isFetchingNextPage && "Loading..."} onClick={() => void fetchNextPage()}>
      Show more
    </Button>
  );
}
