/**
 * The service worker: it serves the page and practice without a network. build/service-worker.ts
 * writes it as /sw.js and lists the files to cache (`PRECACHED_MODULES`).
 */
import {
  ASK_PATH,
  choosePage,
  decideHandling,
  isOfBuild,
  isPageAnswer,
  listOldCaches,
  mayTakeOver,
  type OpenPath,
  type Route,
  TAKE_OVER,
  toCacheName,
  toNoticePath,
  toPushed,
  toRoutes,
} from "./worker-decisions.ts";

/**
 * The part of a service worker's global scope that is used here. TypeScript's WebWorker types
 * conflict with its DOM types.
 */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface InstallEvent extends ExtendableEvent {
  /** Static routing, if the browser has it (Chrome 123). */
  addRoutes?(routes: readonly Route[]): Promise<void>;
}

interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface MessageEvent extends ExtendableEvent {
  readonly data: unknown;
}

interface PushEvent extends ExtendableEvent {
  readonly data: { text(): string } | null;
}

interface NotificationEvent extends ExtendableEvent {
  readonly notification: Notification;
}

interface WindowClient {
  readonly url: string;
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: OpenPath | typeof ASK_PATH, ports?: MessagePort[]): void;
}

interface WorkerEvents {
  readonly install: InstallEvent;
  readonly activate: ExtendableEvent;
  readonly fetch: FetchEvent;
  readonly message: MessageEvent;
  readonly notificationclick: NotificationEvent;
  readonly push: PushEvent;
}

interface WorkerScope {
  readonly location: Location;
  readonly registration: Pick<ServiceWorkerRegistration, "showNotification">;
  readonly clients: {
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly WindowClient[]>;
    openWindow(url: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener<Name extends keyof WorkerEvents>(
    name: Name,
    listener: (happening: WorkerEvents[Name]) => void,
  ): void;
}

/** Injected by build/service-worker.ts: its id, its entry script, and the paths to cache. */
declare const BUILD: { readonly id: string; readonly entry: string; readonly files: readonly string[] };

const ICON = "/icons/icon-192.png";
const PAGE = "/";
/** The page without any screen's outline, because it is shown at every address. */
const SHELL = "/index.html";
/** How long a navigation waits for the network before it shows the cached page. */
const NETWORK_MS_MAX = 3_000;
/** How long a page has to say where it is. Frozen ones do not answer. */
const ANSWER_MS_MAX = 3_000;
/** The same after a press on a notice: Firefox refuses to focus a page a second later. */
const ANSWER_TO_PRESS_MS_MAX = 500;

const worker = globalThis as unknown as WorkerScope;
const { id, entry, files } = BUILD;
const cachedPaths = new Set(files);

worker.addEventListener("install", (event) => {
  event.waitUntil(precache());
  event.waitUntil(addRoutes(event));
});
worker.addEventListener("activate", (event) => event.waitUntil(deleteOldCaches()));
worker.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) event.waitUntil(takeOver());
});
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const path = toNoticePath(event.notification.data);
  if (path !== null) event.waitUntil(openPage(path));
});
worker.addEventListener("push", (event) => event.waitUntil(showPushed(event.data?.text() ?? "")));
worker.addEventListener("fetch", (event) => {
  const handling = decideHandling(event.request, worker.location.origin, cachedPaths);
  if (handling === "page") event.respondWith(answerNavigation(event.request));
  if (handling === "cached") event.respondWith(answerFile(event.request));
});

/** All or nothing: a failed install leaves the earlier worker and its cache in place. */
async function precache(): Promise<void> {
  const name = toCacheName(id);
  const isKept = await caches.has(name);
  try {
    const cache = await caches.open(name);
    const page = await fetch(SHELL, { cache: "no-cache", credentials: "omit" });
    const html = await page.clone().text();
    if (!page.ok || !isOfBuild(html, entry)) throw new Error("the page that is served is of another build");
    await cache.addAll([...files]);
    await cache.put(PAGE, page);
  } catch (fault) {
    // A cache that existed before may be in use.
    if (!isKept) await caches.delete(name);
    throw fault;
  }
}

/** Keeps the requests of open pages away from this worker, see `toRoutes`. */
async function addRoutes(event: InstallEvent): Promise<void> {
  try {
    await event.addRoutes?.(toRoutes(id));
  } catch {
    // The browser knows no such routes: the fetch listener answers the same way.
  }
}

async function deleteOldCaches(): Promise<void> {
  for (const name of listOldCaches(await caches.keys(), id)) await caches.delete(name);
}

async function takeOver(): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const paths = await Promise.all(pages.map((page) => askPath(page, ANSWER_MS_MAX)));
  if (mayTakeOver(paths)) await worker.skipWaiting();
}

/** Null without an answer. A client's `url` is no substitute: it stays the one that was loaded. */
function askPath(page: WindowClient, msMax: number): Promise<string | null> {
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise<string>((resolve) => {
    port1.onmessage = ({ data }) => resolve(String(data));
  });
  page.postMessage(ASK_PATH, [port2]);
  return Promise.race([answer, sleep(msMax)]);
}

/** Nothing while a page is in sight (ruling 45): it shows the same. */
async function showPushed(text: string): Promise<void> {
  const pages = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pushed = toPushed(text);
  if (pushed === null || pages.some(({ visibilityState }) => visibilityState === "visible")) return;
  const { title, body, tag, path } = pushed;
  await worker.registration.showNotification(title, { body, tag, icon: ICON, badge: ICON, data: { path } });
}

async function openPage(path: string): Promise<void> {
  const clients = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const pages = clients.map(async (client) => {
    const answer = await askPath(client, ANSWER_TO_PRESS_MS_MAX);
    return { client, path: answer ?? new URL(client.url).pathname };
  });
  const found = choosePage(await Promise.all(pages), path);
  if (found === null) {
    await worker.clients.openWindow(path);
    return;
  }
  // Not by `navigate`, which loads the page again and is refused to pages that are not controlled.
  found.client.postMessage({ openPath: path });
  await found.client.focus();
}

async function answerNavigation(request: Request): Promise<Response> {
  const network = fetch(request);
  const page = await findCached(PAGE);
  if (page === undefined) return await network;
  // A failed request counts as no answer.
  const answer = await Promise.race([network.catch(() => null), sleep(NETWORK_MS_MAX)]);
  return answer !== null && isPageAnswer(answer.status) ? answer : page;
}

async function answerFile(request: Request): Promise<Response> {
  return (await findCached(request.url)) ?? (await fetch(request));
}

/** Also undefined if the browser cleared the cache or refuses to open it. */
async function findCached(address: string): Promise<Response | undefined> {
  try {
    const cache = await caches.open(toCacheName(id));
    return await cache.match(address);
  } catch {
    return undefined;
  }
}

function sleep(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
