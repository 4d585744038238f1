const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 8_000;
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
export async function loadChunk<Module>(
  load: () => Promise<Module>,
  { isPrecached = false, isOptional = false }: LoadOptions = {},
): Promise<Module> {
  let failuresWithServer = 0;
  let isFirst = true;
  for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    try {
      const isLocal = isPrecached && isFirst;
      isFirst = false;
      return isLocal ? await load() : await fetchChunk(load);
    } catch (error) {
      failuresWithServer = (await isServerReachable()) ? failuresWithServer + 1 : 0;
      if (failuresWithServer === TRIES_MAX) {
        if (isOptional || !mayReload()) throw error;
        return await reload();
      }
    }
    // The first failure with the server up is retried at once.
    if (failuresWithServer !== 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
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

/** Never resolves, so that the page does not show an error while it reloads. */
function reload(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
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
