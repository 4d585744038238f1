import { useEffect } from "react";

const BLINK_MS = 1_000;

/** Alternates the page's title with a call, until that is null. */
export function useBlinkingTitle(call: string | null): void {
  useEffect(() => {
    if (call === null) return;
    const shown = `${call} · Holo Arena`;
    let own = document.title;
    const timer = setInterval(() => {
      if (document.title === shown) document.title = own;
      else {
        // A page that opened meanwhile has set its own.
        own = document.title;
        document.title = shown;
      }
    }, BLINK_MS);
    return () => {
      clearInterval(timer);
      if (document.title === shown) document.title = own;
    };
  }, [call]);
}
