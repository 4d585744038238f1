import { retryUntilDone } from "../api/retry.ts";

/**
 * A bad connection may lose two requests. After three with the server up, the chunk no longer
 * exists.
 */
const TRIES_MAX = 3;
const RELOADED_KEY = "holo.reloaded-for";

const failedStyles = new Set<HTMLLinkElement>();

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failedStyles.add(target);
  },
  // An element's error event does not bubble.
  true,
);

interface LoadOptions {
  /** The service worker keeps it, so it does not wait for stylesheets that failed elsewhere. */
  readonly isPrecached?: boolean;
  /** The page works without it, so its absence never causes a reload. */
  readonly isOptional?: boolean;
}

/**
 * Loads a chunk that is needed now. Retries while the server is unreachable. If the server is up
 * and the chunk is missing, reloads the page once, then rejects.
 */
export function loadChunk<Module>(
  load: () => Promise<Module>,
  { isPrecached = false, isOptional = false }: LoadOptions = {},
): Promise<Module> {
  let failuresWithServer = 0;
  let isFirst = true;
  return new Promise((resolve, reject) => {
    async function attempt(): Promise<boolean> {
      const isLocal = isPrecached && isFirst;
      isFirst = false;
      try {
        resolve(isLocal ? await load() : await fetchChunk(load));
        return true;
      } catch (error) {
        failuresWithServer = (await isServerReachable()) ? failuresWithServer + 1 : 0;
        if (failuresWithServer === TRIES_MAX) {
          if (isOptional || !mayReload()) reject(error);
          // The promise stays pending, so that the page shows no error while it reloads.
          else location.reload();
          return true;
        }
        // The first failure with the server up is retried at once.
        return failuresWithServer === 1 && (await attempt());
      }
    }
    retryUntilDone(attempt);
  });
}

/** Fetches a chunk that nothing waits for: one attempt, rejects on failure. */
export async function fetchChunk<Module>(load: () => Promise<Module>): Promise<Module> {
  await replaceFailedStyles();
  return await load();
}

/** A failed stylesheet remains in the page, and a later import would consider it loaded. */
async function replaceFailedStyles(): Promise<void> {
  const replacing = [...failedStyles].map((link) => {
    failedStyles.delete(link);
    const fresh = link.cloneNode() as HTMLLinkElement;
    return new Promise<void>((resolve, reject) => {
      fresh.addEventListener("load", () => resolve());
      fresh.addEventListener("error", () => reject(new Error(`the stylesheet ${fresh.href} cannot be fetched`)));
      link.replaceWith(fresh);
    });
  });
  await Promise.all(replacing);
}

/**
 * Allows one reload per address and build, so that a page cannot reload forever. Some browsers
 * never retry a failed module (https://github.com/whatwg/html/issues/6768).
 */
function mayReload(): boolean {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const key = `${entry?.src ?? ""} ${location.pathname}`;
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === key) return false;
    sessionStorage.setItem(RELOADED_KEY, key);
    return true;
  } catch {
    // Storage is blocked, so nothing would stop the reloads.
    return false;
  }
}

/** While the server does not answer, a missing chunk means nothing. */
async function isServerReachable(): Promise<boolean> {
  try {
    return (await fetch("/", { cache: "no-store" })).ok;
  } catch {
    // An unreachable server is one of the two answers.
    return false;
  }
}
