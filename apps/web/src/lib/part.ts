const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 8_000;

/**
 * Fetches a part of the page that is loaded only when it is needed. While the server is out of reach it goes on trying, so that what is
 * asked for in a tunnel appears at its end. Rejects where the server is there and the part is not.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let waitMs = RETRY_MIN_MS; ; waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)) {
    try {
      return await load();
    } catch (error) {
      if ((await fetchShell()) !== null) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
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
