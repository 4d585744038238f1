import { type ReactNode, useEffect, useState } from "react";
import { classes } from "../text/classes.ts";
import "./skeleton.css";

/** To avoid a flash of the text. */
const QUICK_MS = 300;
/** A lost connection is reported after the same time. A request may take far longer to fail. */
const LATE_MS = 4_000;

function useAfter(ms: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return isOver;
}

/** Whether what loads is late enough to say so. */
export function useLate(): boolean {
  return useAfter(LATE_MS);
}

/** Follows the text that says what loads. */
export function SlowConnection({ onTryAgain = reload }: Pick<LoadingProps, "onTryAgain">) {
  return (
    <>
      {" "}
      Your connection is slow or lost.{" "}
      <button type="button" className="link alone" onClick={onTryAgain}>
        Try again
      </button>
    </>
  );
}

function reload(): void {
  window.location.reload();
}

interface LoadingProps {
  readonly text: string;
  /** Repeats the request of a part of a page. Default: reloads the page. */
  readonly onTryAgain?: (() => void) | undefined;
  readonly children?: ReactNode;
}

export function Loading({ text, onTryAgain, children }: LoadingProps) {
  const slow = useAfter(QUICK_MS);
  const late = useLate();
  return (
    <div className="loading" aria-busy="true">
      <div aria-hidden="true">{children}</div>
      {slow && (
        <p className={classes("meta", late && "late")} role="status">
          {text}
          {late && <SlowConnection onTryAgain={onTryAgain} />}
        </p>
      )}
    </div>
  );
}

/** A placeholder block. Sizes are CSS lengths. */
export function Skeleton({ width = "100%", height = "1em" }: { readonly width?: string; readonly height?: string }) {
  return <span className="skeleton" style={{ width, height }} />;
}
