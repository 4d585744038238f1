import { useSyncExternalStore } from "react";

/** A desktop's width (specification 2), as in the style sheets. */
const WIDE = "(min-width: 1024px)";

/** Whether the window is as wide as a desktop's now. */
export function useWide(): boolean {
  return useSyncExternalStore(onWidthChanged, isWide);
}

function onWidthChanged(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

function isWide(): boolean {
  return matchMedia(WIDE).matches;
}
