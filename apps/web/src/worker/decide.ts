/** What the service worker decides, without the browser around it. */

/** A request as the worker sees it. */
export interface WorkerRequest {
  readonly method: string;
  readonly url: string;
  /** "navigate" where a page is to be shown. */
  readonly mode: string;
}

/**
 * `page`: a navigation, which the network answers and in its absence the kept page. `kept`: a file of the build, whose name is its content.
 * `none`: not the worker's business; the browser asks as if there were no worker.
 */
export type Handling = "page" | "kept" | "none";

/** Every cache of ours begins so; others of this origin are left alone. */
const CACHE_PREFIX = "holo-";
/** What no page is at, whatever it answers: the API with its files, the socket, downloads, and what operators ask for. */
const NO_PAGE = /^\/(?:api|socket|downloads|metrics|healthz|readyz|openapi\.json|assets|icons)(?:\/|$)/;
/** The page's own files beside the assets, such as the worker itself, have an ending; its screens have none. */
const FILE = /\.[^/]+$/;
const TABLE = /^\/game\//;

/**
 * Whether the worker answers this request. `kept` are the paths it holds; what is anybody's own is never among them, so that nothing of a
 * player can be shown to who comes after them.
 */
export function decideHandling(asked: WorkerRequest, origin: string, kept: ReadonlySet<string>): Handling {
  const { method, url, mode } = asked;
  const { origin: ofRequest, pathname } = new URL(url);
  if (method !== "GET" || ofRequest !== origin) return "none";
  if (mode === "navigate") return NO_PAGE.test(pathname) || FILE.test(pathname) ? "none" : "page";
  return kept.has(pathname) ? "kept" : "none";
}

/** Whether an answer to a navigation is shown as it is. What a proxy says while the server is away (502 to 504) is not: the kept page says it better. */
export function isPageAnswer(status: number): boolean {
  return status < 502 || status > 504;
}

/** Whether a newer worker may take over from the one that serves these pages: not while any of them is at a table. */
export function mayTakeOver(pages: readonly string[]): boolean {
  return !pages.some((url) => TABLE.test(new URL(url).pathname));
}

export function toCacheName(build: string): string {
  return CACHE_PREFIX + build;
}

/** Which caches the worker of this build deletes: those of all other builds. */
export function listOldCaches(names: readonly string[], build: string): readonly string[] {
  return names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== toCacheName(build));
}

/** Whether the page as it is served belongs to the build whose files are kept; during a release it may be the next one's. */
export function isOfBuild(html: string, entry: string): boolean {
  return html.includes(`src="${entry}"`);
}
