import { type ReactNode, useEffect, useState } from "react";
import "./skeleton.css";

const QUICK_MS = 300;

interface LoadingProps {
  /** "Loading matches..." */
  readonly text: string;
  /** Skeletons in the final geometry. */
  readonly children?: ReactNode;
}

/** What stands in until something has loaded. What takes less than 300 ms shows nothing, since a flash reads as a fault. */
export function Loading({ text, children }: LoadingProps) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), QUICK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" aria-busy="true">
      {slow && (
        <>
          <div aria-hidden="true">{children}</div>
          <p className="meta" role="status">
            {text}
          </p>
        </>
      )}
    </div>
  );
}

/** A block in the place of what is to come; sizes are CSS lengths. */
export function Skeleton({ width = "100%", height = "1em" }: { readonly width?: string; readonly height?: string }) {
  return <span className="skeleton" style={{ width, height }} />;
}
