import { navigate } from "wouter/use-browser-location";

/**
 * While the outline is shown its links load no page: React renders the one that was pressed. Its
 * first render replaces them: a press in progress and the focus go over to the page's own links.
 */
export function followOutline(place: HTMLElement): void {
  let focused: HTMLAnchorElement | null = null;
  place.addEventListener("click", (event) => {
    const link = findPressedLink(event);
    if (link === null) return;
    event.preventDefault();
    navigate(link.pathname);
  });
  place.addEventListener("mousedown", (event) => {
    const link = findPressedLink(event);
    if (link !== null) addEventListener("mouseup", ({ target }) => followReplaced(link, target), { once: true });
  });
  place.addEventListener("focusin", ({ target }) => {
    focused = findLink(target);
  });
  place.addEventListener("focusout", () => {
    // A link that is being removed loses the focus before it is disconnected.
    const left = focused;
    queueMicrotask(() => {
      if (left === focused && left?.isConnected === true) focused = null;
    });
  });
  const observer = new MutationObserver(() => {
    const isLost = focused?.isConnected === false && document.activeElement === document.body;
    if (isLost) findSameLink(place, focused)?.focus();
    observer.disconnect();
  });
  observer.observe(place, { childList: true });
}

function findPressedLink(event: MouseEvent): HTMLAnchorElement | null {
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = isPlain ? findLink(event.target) : null;
  return link === null || link.hash !== "" ? null : link;
}

function findLink(target: EventTarget | null): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>("[aria-busy] a[href]") : null;
}

/** A link that is replaced before the button is released gets no click. */
function followReplaced(link: HTMLAnchorElement, target: EventTarget | null): void {
  if (link.isConnected || !(target instanceof Element)) return;
  if (target.closest("a")?.href === link.href) navigate(link.pathname);
}

function findSameLink(place: HTMLElement, link: HTMLAnchorElement | null): HTMLAnchorElement | undefined {
  if (link === null) return undefined;
  return [...place.querySelectorAll("a")].find((other) => other.href === link.href && other.text === link.text);
}
