import { whenIdle } from "../lib/chunks/idle.ts";
import { ASK_PATH, type OpenPath, TAKE_OVER } from "../worker/worker-decisions.ts";

const ADDRESS = "/sw.js";
const IDLE_TIMEOUT_MS = 1_000;

/** The worker has focused this page after a notice was pressed. */
export function followNotices(go: (path: string) => void): void {
  navigator.serviceWorker?.addEventListener("message", ({ data }: MessageEvent<Partial<OpenPath> | null>) => {
    const path = data?.openPath;
    if (typeof path === "string" && path !== location.pathname) go(path);
  });
}

/**
 * Registers the service worker once the page has loaded and the browser is idle. A newer worker
 * waits until no page is at a table.
 */
export function registerWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data, ports }) => {
    if (data === ASK_PATH) ports[0]?.postMessage(location.pathname);
  });
  if (document.readyState === "complete") registerWhenIdle();
  else addEventListener("load", registerWhenIdle, { once: true });
}

function registerWhenIdle(): void {
  whenIdle(() => void register(), IDLE_TIMEOUT_MS);
}

async function register(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker.register(ADDRESS, { updateViaCache: "none" });
    offerTakeOver(registration);
    registration.addEventListener("updatefound", () => {
      registration.installing?.addEventListener("statechange", () => offerTakeOver(registration));
    });
    document.addEventListener("visibilitychange", () => offerTakeOver(registration));
  } catch {
    // Unsupported, forbidden or unreachable: only starting offline needs the worker.
  }
}

/** The worker decides: it asks all open pages. */
function offerTakeOver({ waiting }: ServiceWorkerRegistration): void {
  waiting?.postMessage(TAKE_OVER);
}
