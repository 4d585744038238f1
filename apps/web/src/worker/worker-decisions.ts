/** A page's message to a waiting worker: take over unless a page is at a table. */
export const TAKE_OVER = "take over";
/** The worker's question to a page, which answers with its path on the port that comes with it. */
export const ASK_PATH = "ask path";

interface WorkerRequest {
  readonly method: string;
  readonly url: string;
  /** "navigate" for a page load. */
  readonly mode: string;
}

/**
 * `page`: a navigation, network first, then the cached page. `cached`: a file of this build, from
 * the cache. `none`: not handled, the browser fetches it.
 */
type Handling = "page" | "cached" | "none";

/** Prefix of our caches; others of this origin are not touched. */
const CACHE_PREFIX = "holo-";
/** Paths that are never pages: API, socket, downloads, operators' endpoints. */
const NO_PAGE = /^\/(?:api|socket|downloads|metrics|healthz|readyz|openapi\.json|assets|icons)(?:\/|$)/;
/** Files beside the assets, such as the worker itself, have an extension; pages have none. */
const FILE = /\.[^/]+$/;
const TABLE = /^\/game\//;

/**
 * How the worker handles a request.
 * @param cachedPaths never personal data: the next user of the device could read it
 */
export function decideHandling(asked: WorkerRequest, origin: string, cachedPaths: ReadonlySet<string>): Handling {
  const { method, url, mode } = asked;
  const { origin: ofRequest, pathname } = new URL(url);
  if (method !== "GET" || ofRequest !== origin) return "none";
  if (mode === "navigate") return NO_PAGE.test(pathname) || FILE.test(pathname) ? "none" : "page";
  return cachedPaths.has(pathname) ? "cached" : "none";
}

/**
 * Whether a navigation's answer is shown as it is. A proxy's 502 to 504, and the like above, are
 * replaced by the cached page.
 */
export function isPageAnswer(status: number): boolean {
  return status < 502;
}

/**
 * Whether a newer worker may take over: not while any page is at a table. Null is a page that did
 * not answer.
 */
export function mayTakeOver(paths: readonly (string | null)[]): boolean {
  return paths.every((path) => path !== null && !TABLE.test(path));
}

export function toCacheName(build: string): string {
  return CACHE_PREFIX + build;
}

/** A rule of the browser's static routing for service workers. The first match applies. */
export interface Route {
  readonly condition: { readonly requestMode: "navigate" } | { readonly urlPattern: string };
  readonly source: "fetch-event" | "network" | { readonly cacheName: string };
}

/**
 * The routes of a build's worker: only navigations start it. Any other request could restart it
 * while a newer worker takes over, and Chromium would then leave it in control until it is idle.
 */
export function toRoutes(build: string): readonly Route[] {
  return [
    { condition: { requestMode: "navigate" }, source: "fetch-event" },
    { condition: { urlPattern: "/assets/*" }, source: { cacheName: toCacheName(build) } },
    { condition: { urlPattern: "/*" }, source: "network" },
  ];
}

export function listOldCaches(names: readonly string[], build: string): readonly string[] {
  return names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== toCacheName(build));
}

/** Whether the served page belongs to this build. During a release it may be the next one's. */
export function isOfBuild(html: string, entry: string): boolean {
  return html.includes(`src="${entry}"`);
}

/** Sent to a page that a pressed notice has focused: it goes to that path. */
export interface OpenPath {
  readonly openPath: string;
}

export function toNoticePath(data: unknown): string | null {
  const path = typeof data === "object" && data !== null && "path" in data ? data.path : null;
  return typeof path === "string" && /^\/(?![/\\])/.test(path) ? path : null;
}

/** Which page a pressed notice focuses: one at the path, else any; null for none. */
export function choosePage<Page extends { readonly path: string }>(pages: readonly Page[], path: string): Page | null {
  return pages.find((page) => page.path === path) ?? pages[0] ?? null;
}

interface Pushed {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly path: string;
}

/** A message of the server to a closed page; null if it is none. */
export function toPushed(text: string): Pushed | null {
  try {
    const pushed: unknown = JSON.parse(text);
    const path = toNoticePath(pushed);
    const { title, body, tag } = Object(pushed);
    const isComplete = [title, body, tag].every((field) => typeof field === "string");
    return path !== null && isComplete ? { title, body, tag, path } : null;
  } catch {
    return null;
  }
}
