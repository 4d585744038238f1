import { useEffect } from "react";

/**
 * Bars come and go while somebody plays by keys. Where what had the focus is gone or hidden, the board gets it: otherwise it would fall back
 * to the page as a whole, and the way to the board would begin anew at the header.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    function keepFocused({ target }: FocusEvent): void {
      focused = target;
    }
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || document.activeElement !== document.body) return;
      const isGone = !focused.checkVisibility();
      focused = null;
      // else it was left by a press beside it
      if (isGone) document.querySelector<HTMLElement>(".board [tabindex='0']")?.focus({ preventScroll: true });
    });
    addEventListener("focusin", keepFocused);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      removeEventListener("focusin", keepFocused);
      observer.disconnect();
    };
  }, []);
}
