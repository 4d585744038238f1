import { whenIdle } from "../../lib/chunks/idle.ts";
import { listUnfetched } from "../../lib/chunks/lazy-chunk.ts";
import { findRoute } from "./routes.tsx";

/** What the browser tells of the line, where it does. */
interface NetworkInformation {
  readonly saveData?: boolean;
  readonly effectiveType?: string;
}

/** So long after a page was shown what it may lead to is fetched: what it is made of itself comes first. */
const IDLE_DELAY_MS = 1_500;
/** A first page that took longer came over a line that has enough to do. */
const FAST_LOAD_MS_MAX = 3_000;
/** Where who is here is likely to go next, the likeliest first. */
const VISITOR_PAGES = ["/login", "/matches", "/register", "/leaderboard", "/"];
const PLAYER_PAGES = ["/matches", "/game/next", "/create-match", "/wallet", "/leaderboard", "/profile", "/"];

/**
 * Fetches the page behind a link as soon as somebody shows that they are about to follow it. Who saves data shows it by the press alone, which comes a
 * tenth of a second before the click.
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
 * Fetches what the page that is shown may need next, one after the other while the browser is idle: its dialogs, which a player may want when the line is
 * gone, and on a good line the pages its viewer may go to. Goes on until called off by what it returns.
 */
export function prefetchWhenIdle(isPlayer: boolean): () => void {
  let isOn = true;
  let stop = (): void => undefined;
  const timer = setTimeout(async () => {
    const line = currentNetwork();
    if (line?.saveData === true) return;
    const likely = isPlayer ? PLAYER_PAGES : VISITOR_PAGES;
    const pages = isFastNetwork(line, currentLoadMs()) ? likely.flatMap((path) => findRoute(path)?.page ?? []) : [];
    for (const part of [...listUnfetched(), ...pages.filter((page) => !page.isLoaded())]) {
      await new Promise<void>((resolve) => {
        stop = whenIdle(resolve, 0);
      });
      if (!isOn || document.visibilityState === "hidden" || !navigator.onLine) return;
      await part.prefetch();
      // a line that has lost one has enough to do
      if (!part.isLoaded()) return;
    }
  }, IDLE_DELAY_MS);
  return () => {
    isOn = false;
    clearTimeout(timer);
    stop();
  };
}

/** @param loadMs how long the first page took, 0 while it loads */
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
