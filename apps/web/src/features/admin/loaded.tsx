import type { ReactNode } from "react";
import { Loading, Skeleton } from "../../ui/feedback/skeleton.tsx";

interface AwaitedProps<Data> {
  readonly query: {
    readonly data: Data | undefined;
    readonly isError: boolean;
    readonly refetch: () => unknown;
  };
  /** "Loading admins..." */
  readonly loading: string;
  /** "The list of admins could not be loaded." */
  readonly failed: string;
  readonly children: (data: Data) => ReactNode;
}

/** A part of the page that is loaded by itself, and may fail by itself. What was there already stays. */
export function Loaded<Data>({ query: { data, isError, refetch }, loading, failed, children }: AwaitedProps<Data>) {
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
