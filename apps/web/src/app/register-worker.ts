import { whenIdle } from "../lib/chunks/idle.ts";
import { TAKE_OVER } from "../worker/messages.ts";

const ADDRESS = "/sw.js";
const ELSE_AFTER_MS = 1_000;

/**
 * Brings the service worker once the page has been loaded and the browser is idle; where it cannot be had, the page goes without. A newer one waits
 * until no page is at a table: it is asked to begin when it has come, and whenever this page is left for another window.
 */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") waitIdle();
  else addEventListener("load", waitIdle, { once: true });
}

function waitIdle(): void {
  whenIdle(() => void register(), ELSE_AFTER_MS);
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(ADDRESS, { updateViaCache: "none" });
    offerTurn(registration);
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => offerTurn(registration));
    });
    document.addEventListener("visibilitychange", () => offerTurn(registration));
  } catch {
    // Forbidden here, or out of reach: everything but a start without a network works as well without it.
  }
}

/** The worker itself knows which pages are open, and decides. */
function offerTurn({ waiting }: ServiceWorkerRegistration): void {
  waiting?.postMessage(TAKE_OVER);
}
