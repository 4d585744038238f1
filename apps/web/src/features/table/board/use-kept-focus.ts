import { useEffect } from "react";

/**
 * Moves the focus to the board when the focused element disappears, as bars do during a game.
 * Otherwise keyboard players would start again at the top of the page.
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
      // Otherwise the focus was left by a press elsewhere.
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
