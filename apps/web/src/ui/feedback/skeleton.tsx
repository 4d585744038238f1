import { type ReactNode, useEffect, useState } from "react";
import "./skeleton.css";

const QUICK_MS = 300;

interface LoadingProps {
  readonly text: string;
  readonly children?: ReactNode;
}

/** Its text waits for 300 ms, to avoid a flash. */
export function Loading({ text, children }: LoadingProps) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), QUICK_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="loading" aria-busy="true">
      <div aria-hidden="true">{children}</div>
      {slow && (
        <p className="meta" role="status">
          {text}
        </p>
      )}
    </div>
  );
}

/** A placeholder block. Sizes are CSS lengths. */
export function Skeleton({ width = "100%", height = "1em" }: { readonly width?: string; readonly height?: string }) {
  return <span className="skeleton" style={{ width, height }} />;
}
