import type { ReactNode } from "react";
import { Loading, Skeleton } from "../../ui/feedback/skeleton.tsx";

interface LoadedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly isError: boolean;
    readonly refetch: () => unknown;
  };
  readonly loading: string;
  readonly failed: string;
  readonly children: (data: Data) => ReactNode;
}

export function Loaded<Data>({ query: { data, isError, refetch }, loading, failed, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data);
  if (!isError) {
    return (
      <Loading text={loading}>
        <Skeleton height="64px" />
      </Loading>
    );
  }
  return (
    <p className="muted">
      {failed}{" "}
      <button type="button" className="link alone" onClick={() => void refetch()}>
        Try again
      </button>
    </p>
  );
}
