import { useSyncExternalStore } from "react";

/** Desktop width (specification 2), as in the style sheets. */
const WIDE = "(min-width: 1024px)";

export function useWide(): boolean {
  return useSyncExternalStore(onWidthChanged, isWide, () => false);
}

function onWidthChanged(listener: () => void): () => void {
  const query = matchMedia(WIDE);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

function isWide(): boolean {
  return matchMedia(WIDE).matches;
}
