import { type ReactNode, useEffect, useState } from "react";
import { classes } from "../text/classes.ts";
import "./skeleton.css";

/** To avoid a flash of the text. */
const QUICK_MS = 300;
/** A lost connection is reported after the same time. A request may take far longer to fail. */
const LATE_MS = 4_000;

interface LoadingProps {
  readonly text: string;
  /** Repeats the request of a part of a page. Default: reloads the page. */
  readonly onTryAgain?: () => void;
  readonly children?: ReactNode;
}

export function Loading({ text, onTryAgain = () => window.location.reload(), children }: LoadingProps) {
  const [slow, setSlow] = useState(false);
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timers = [setTimeout(() => setSlow(true), QUICK_MS), setTimeout(() => setLate(true), LATE_MS)];
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <div className="loading" aria-busy="true">
      <div aria-hidden="true">{children}</div>
      {slow && (
        <p className={classes("meta", late && "late")} role="status">
          {text}
          {late && (
            <>
              {" "}
              Your connection is slow or lost.{" "}
              <button type="button" className="link alone" onClick={onTryAgain}>
                Try again
              </button>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** A placeholder block. Sizes are CSS lengths. */
export function Skeleton({ width = "100%", height = "1em" }: { readonly width?: string; readonly height?: string }) {
  return <span className="skeleton" style={{ width, height }} />;
}
