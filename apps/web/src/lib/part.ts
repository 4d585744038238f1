const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 8_000;

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

/**
 * Fetches a part of the page that is loaded only when it is needed. While the server is out of reach it goes on trying, so that what is
 * asked for in a tunnel appears at its end. Rejects where the part is not there although the server was before it was asked for.
 *
 * @param isKept whether the device keeps it: then it does not wait for what other parts could not fetch
 */
export async function loadPart<Part>(load: () => Promise<Part>, isKept = false): Promise<Part> {
  let wasThere = false;
  let isFirst = true;
  for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    try {
      if (!(isKept && isFirst)) await renewStyles();
      isFirst = false;
      return await load();
    } catch (error) {
      const isThere = (await fetchShell()) !== null;
      if (isThere && wasThere) throw error;
      wasThere = isThere;
    }
    if (!wasThere) await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
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

/** Whether the server has a newer build than this page is of. False where it cannot be asked. */
export async function isNewerBuildServed(): Promise<boolean> {
  const entry = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
  const shell = await fetchShell();
  return entry !== null && shell !== null && !shell.includes(new URL(entry.src).pathname);
}

/** The page as it is served now; null where the server cannot be reached or is not ready. */
async function fetchShell(): Promise<string | null> {
  try {
    const answer = await fetch("/", { cache: "no-store" });
    return answer.ok ? await answer.text() : null;
  } catch {
    // No network, no server: the very thing asked for.
    return null;
  }
}
