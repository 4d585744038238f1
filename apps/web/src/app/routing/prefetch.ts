import { whenIdle } from "../../lib/chunks/idle.ts";
import { listUnfetched } from "../../lib/chunks/lazy-chunk.ts";
import { findRoute } from "./routes.tsx";

interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** Prefetching starts this long after a page was shown. */
const IDLE_DELAY_MS = 1_500;
/** A slower first load indicates a slow network. */
const FAST_LOAD_MS_MAX = 3_000;
/** The likely next pages, most likely first. */
const VISITOR_PAGES = ["/login", "/matches", "/register", "/leaderboard", "/"];
const PLAYER_PAGES = ["/matches", "/game/next", "/create-match", "/wallet", "/leaderboard", "/profile", "/"];

/**
 * Prefetches a link's page on hover, focus and press. With Save-Data only on press, 0.1 s before
 * the click.
 */
export function prefetchOnHover(): void {
  const follow = ({ target }: Event) => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
    if (link !== null && link.origin === location.origin) void findRoute(link.pathname)?.page.prefetch();
  };
  addEventListener("pointerdown", follow, { passive: true });
  if (currentNetwork()?.saveData === true) return;
  addEventListener("pointerover", follow, { passive: true });
  addEventListener("focusin", follow);
}

/**
 * Prefetches, one at a time while the browser is idle, the dialogs of the shown page and, on a fast
 * network, the likely next pages. Returns the function that stops it.
 */
export function prefetchWhenIdle(isPlayer: boolean): () => void {
  let isOn = true;
  let stop = (): void => undefined;
  const timer = setTimeout(async () => {
    const line = currentNetwork();
    if (line?.saveData === true) return;
    const likely = isPlayer ? PLAYER_PAGES : VISITOR_PAGES;
    const pages = isFastNetwork(line, currentLoadMs()) ? likely.flatMap((path) => findRoute(path)?.page ?? []) : [];
    for (const chunk of [...listUnfetched(), ...pages.filter((page) => !page.isLoaded())]) {
      await new Promise<void>((resolve) => {
        stop = whenIdle(resolve, 0);
      });
      if (!isOn || document.visibilityState === "hidden" || !navigator.onLine) return;
      await chunk.prefetch();
      // After a failed chunk, stop: the network is overloaded.
      if (!chunk.isLoaded()) return;
    }
  }, IDLE_DELAY_MS);
  return () => {
    isOn = false;
    clearTimeout(timer);
    stop();
  };
}

/** `loadMs` is the duration of the first page's load, 0 while it loads. */
export function isFastNetwork(line: NetworkInformation | undefined, loadMs: number): boolean {
  if (line?.saveData === true || loadMs === 0 || loadMs > FAST_LOAD_MS_MAX) return false;
  return line?.effectiveType === undefined || line.effectiveType === "4g";
}

function currentNetwork(): NetworkInformation | undefined {
  return (navigator as { readonly connection?: NetworkInformation }).connection;
}

function currentLoadMs(): number {
  const [loading] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return loading?.loadEventEnd ?? 0;
}
