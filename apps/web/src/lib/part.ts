const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 8_000;
/** A bad line loses one request, and another; who is there and never has it does not have it. */
const TRIES = 3;
const RELOADED_KEY = "holo.reloaded-for";

/** Stylesheets that could not be fetched. */
const failedStyles = new Set<HTMLLinkElement>();

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") failedStyles.add(target);
  },
  // an element's own error does not bubble
  true,
);

interface PartOptions {
  /** The device keeps it: then it does not wait for what other parts could not fetch. */
  readonly isKept?: boolean;
  /** The page goes on as well without it, and is not loaded anew for its sake. */
  readonly isSpared?: boolean;
}

/**
 * Fetches a part of the page that is loaded only when it is needed. While the server is out of reach it goes on trying, so that what is
 * asked for in a tunnel appears at its end. Where the part is not to be had although the server is there, the page is loaded anew, once; after that, and
 * where the part can be spared, it rejects.
 */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  { isKept = false, isSpared = false }: PartOptions = {},
): Promise<Part> {
  let timesThere = 0;
  let isFirst = true;
  for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    try {
      const isAtHand = isKept && isFirst;
      isFirst = false;
      return isAtHand ? await load() : await fetchPart(load);
    } catch (error) {
      timesThere = (await isServerThere()) ? timesThere + 1 : 0;
      if (timesThere === TRIES) {
        if (isSpared || !mayReload()) throw error;
        return await reload();
      }
    }
    // at once where the server is back
    if (timesThere !== 1) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** Fetches a part that nobody waits for: once, and it rejects where the part cannot be had now. */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part> {
  await renewStyles();
  return await load();
}

/** One that failed stays in the page, where who asks for it once more takes it for loaded: it is put there anew. */
async function renewStyles(): Promise<void> {
  const renewing = [...failedStyles].map((link) => {
    failedStyles.delete(link);
    const fresh = link.cloneNode() as HTMLLinkElement;
    return new Promise<void>((resolve, reject) => {
      fresh.addEventListener("load", () => resolve());
      fresh.addEventListener("error", () => reject(new Error(`the stylesheet ${fresh.href} cannot be fetched`)));
      link.replaceWith(fresh);
    });
  });
  await Promise.all(renewing);
}

/**
 * Once for each address of each build: what a new page cannot fetch either would load it for ever. A part can be gone with its build, and some browsers
 * ask no more for a module that failed once (https://github.com/whatwg/html/issues/6768).
 */
function mayReload(): boolean {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const occasion = `${entry?.src ?? ""} ${location.pathname}`;
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === occasion) return false;
    sessionStorage.setItem(RELOADED_KEY, occasion);
    return true;
  } catch {
    // Storage is closed to this page: nothing would end it.
    return false;
  }
}

/** Never resolves: the page is on its way out, and need not show that something is missing. */
function reload(): Promise<never> {
  location.reload();
  return new Promise(() => undefined);
}

/** Whether it answers with the page: while it cannot be reached, or is not ready, nothing can be said of its parts. */
async function isServerThere(): Promise<boolean> {
  try {
    return (await fetch("/", { cache: "no-store" })).ok;
  } catch {
    // No network, no server: the very thing asked for.
    return false;
  }
}
