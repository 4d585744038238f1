/**
 * The page that a visitor returns to after registering, in any tab: a mailed link opens a new one,
 * without the history state of `wanted-page.ts`. No link can set it.
 */
const KEY = "holo.kept-page";
/** As long as a game waits for an opponent. */
const KEPT_MS = 30 * 60_000;
/** Only these pages are kept: others do not expire. */
const INVITATION = /^\/invite\/[\w-]{43}$/;

export function savePage(path: string, now = Date.now()): void {
  if (!INVITATION.test(path)) return;
  try {
    localStorage.setItem(KEY, `${now + KEPT_MS} ${path}`);
  } catch {
    // Storage is blocked: the visitor must open the link again.
  }
}

/** Null for none, or for one that has expired. */
export function findSavedPage(now = Date.now()): string | null {
  try {
    const [until = "", path = ""] = (localStorage.getItem(KEY) ?? "").split(" ");
    return Number(until) > now && INVITATION.test(path) ? path : null;
  } catch {
    // Storage is blocked.
    return null;
  }
}

export function dropSavedPage(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked: nothing was kept.
  }
}
