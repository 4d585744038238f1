import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Context } from "hono";
import { ASSETS, type BuildFiles, type KeptBuildsDeps, keepBuilds } from "./kept-builds.ts";
import type { FindPreview } from "./previews.ts";

const compress = promisify(gzip);

type Coding = "br" | "gzip" | "identity";

interface SiteFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly tag: string;
  readonly bodies: ReadonlyMap<Coding, Uint8Array<ArrayBuffer>>;
}

/** The built page in memory, so requests reach no other file and no disk. */
export interface Site {
  /**
   * The file at this path, else the page, with status 404 for an unknown path. `findPreview`
   * provides tags for the head of a shared page.
   */
  serve(context: Context, findPreview?: FindPreview): Promise<Response>;
  /** Resolves once later and other servers can read this build. */
  readonly kept: Promise<void>;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mp3": "audio/mpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".wav": "audio/wav",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
};

/** The screens of apps/web/src/app/routing/routes.tsx; a test compares both. */
const SCREENS: ReadonlySet<string> = new Set([
  "/",
  "/login",
  "/register",
  "/verify-email",
  "/forgot-password",
  "/reset-password",
  "/matches",
  "/profile",
  "/wallet",
  "/create-match",
  "/admin/revenue",
  "/admin/reports",
  "/admin/players",
  "/admin/fair-play",
  "/leaderboard",
  "/practice",
  "/about",
  "/terms",
  "/privacy",
  "/contact",
  "/fair-play",
]);
const GAME_SCREEN = /^\/game\/[0-9a-f-]{36}$/;
const REVIEW_SCREEN = /^\/game\/[0-9a-f-]{36}\/review$/;
const INVITATION_SCREEN = /^\/invite\/[\w-]{43}$/;
const CASE_SCREEN = /^\/admin\/fair-play\/[0-9a-f-]{36}$/;
const PLAYER_SCREEN = /^\/player\/[\w-]{3,20}$/;
const CASE_ROUTE = "/admin/fair-play/:id";
const PLAYER_ROUTE = "/player/:name";
const GAME_ROUTE = "/game/:gameId";
const REVIEW_ROUTE = "/game/:gameId/review";
const INVITATION_ROUTE = "/invite/:token";
const SHARED: ReadonlySet<string> = new Set([GAME_ROUTE, INVITATION_ROUTE]);

const AHEAD = "/ahead.json";
/** Folder of the pages with an outline, written by apps/web/build/outlines.ts. */
const PAGES = "/pages/";
const WORKER = "/sw.js";
const REMOVER = "/sw-off.js";
const CODING_ENDINGS: Readonly<Record<string, Coding>> = { ".br": "br", ".gz": "gzip" };
const FOREVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

interface SiteOptions {
  readonly hasWorker: boolean;
  /** Where earlier builds and those of other servers are; without it their files are missing. */
  readonly kept?: KeptBuildsDeps;
}

/** Reads the folder once. Without it every path is missing, but the API works. */
export async function loadSite(folder: string, { hasWorker, kept }: SiteOptions): Promise<Site> {
  const built: BuildFiles = existsSync(folder) ? await readFolder(folder) : new Map();
  const files = toSiteFiles(built);
  const remover = files.get(REMOVER);
  if (remover !== undefined && !(hasWorker && files.has(WORKER))) files.set(WORKER, remover);
  const page = files.get("/index.html");
  const pages = takePages(files);
  const links = readLinks(files.get(AHEAD));
  files.delete(AHEAD);
  const builds = kept === undefined ? null : keepBuilds(built, kept);

  async function findKept(url: string): Promise<SiteFile | undefined> {
    if (builds === null || !url.startsWith(`/${ASSETS}`)) return undefined;
    const found = await builds.findNew(url.slice(ASSETS.length + 1));
    const named = new Map([...found].map(([name, content]) => [ASSETS + name, content]));
    for (const [name, file] of toSiteFiles(named)) if (!files.has(name)) files.set(name, file);
    return files.get(url);
  }

  return {
    kept: builds?.stored ?? Promise.resolve(),
    async serve(context, findPreview) {
      const file = files.get(context.req.path) ?? (await findKept(context.req.path));
      if (file !== undefined) return respond(context, file, 200);
      if (page === undefined) return context.text("The page has not been built.", 404);
      const route = findRoute(context.req.path);
      if (route === null) return respond(context, page, 404);
      const tags = SHARED.has(route) ? ((await findPreview?.(context.req.path, context.req.query())) ?? null) : null;
      const shown = pages.get(toPageFile(route)) ?? page;
      const answer = tags === null ? respond(context, shown, 200) : await respondWith(context, shown, tags);
      const link = links.get(route);
      if (link !== undefined) answer.headers.set("link", link);
      return answer;
    },
  };
}

function findRoute(pathname: string): string | null {
  const screen = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  if (SCREENS.has(screen)) return screen;
  if (INVITATION_SCREEN.test(screen)) return INVITATION_ROUTE;
  if (PLAYER_SCREEN.test(screen)) return PLAYER_ROUTE;
  if (CASE_SCREEN.test(screen)) return CASE_ROUTE;
  if (REVIEW_SCREEN.test(screen)) return REVIEW_ROUTE;
  return GAME_SCREEN.test(screen) ? GAME_ROUTE : null;
}

/** Where apps/web/build/outlines.ts puts a route's page. */
function toPageFile(route: string): string {
  return `${PAGES}${route === "/" ? "home" : route.slice(1).replaceAll(":", "")}.html`;
}

function takePages(files: Map<string, SiteFile>): ReadonlyMap<string, SiteFile> {
  const pages = [...files].filter(([url]) => url.startsWith(PAGES));
  for (const [url] of pages) files.delete(url);
  return new Map(pages);
}

function readLinks(file: SiteFile | undefined): ReadonlyMap<string, string> {
  const content = file?.bodies.get("identity");
  if (content === undefined) return new Map();
  const ahead = JSON.parse(Buffer.from(content).toString("utf8")) as Record<string, readonly string[]>;
  return new Map(Object.entries(ahead).map(([route, names]) => [route, names.map(toLink).join(", ")]));
}

function toLink(name: string): string {
  const relation = name.endsWith(".css") ? "preload; as=style" : "modulepreload";
  return `</${name}>; rel=${relation}; crossorigin`;
}

async function readFolder(folder: string): Promise<BuildFiles> {
  const contents = new Map<string, Uint8Array<ArrayBuffer>>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile())) {
    const name = path.relative(folder, path.join(entry.parentPath, entry.name));
    contents.set(name.split(path.sep).join("/"), new Uint8Array(await readFile(path.join(folder, name))));
  }
  return contents;
}

function toSiteFiles(contents: BuildFiles): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  for (const [name, content] of contents) {
    if (path.extname(name) in CODING_ENDINGS) continue;
    const bodies = new Map<Coding, Uint8Array<ArrayBuffer>>([["identity", content]]);
    for (const [ending, coding] of Object.entries(CODING_ENDINGS)) {
      const body = contents.get(name + ending);
      if (body !== undefined) bodies.set(coding, body);
    }
    const url = `/${name}`;
    files.set(url, {
      type: TYPES[path.extname(name)] ?? "application/octet-stream",
      cacheControl: url.startsWith("/assets/") ? FOREVER : ASK_AGAIN,
      tag: hash("sha256", content, "base64url").slice(0, 22),
      bodies,
    });
  }
  return files;
}

/** The best coding that the client accepts, ignoring those weighted 0. */
function chooseCoding(accepted: string, bodies: SiteFile["bodies"]): Coding {
  const taken = new Set(
    accepted
      .toLowerCase()
      .split(",")
      .map((item) => item.trim().split(/\s*;\s*q\s*=\s*/))
      .filter(([, weight]) => weight === undefined || Number(weight) > 0)
      .map(([coding]) => coding),
  );
  const codings: readonly Coding[] = ["br", "gzip"];
  return codings.find((coding) => taken.has(coding) && bodies.has(coding)) ?? "identity";
}

async function respondWith(context: Context, page: SiteFile, tags: string): Promise<Response> {
  const html = Buffer.from(page.bodies.get("identity") ?? []).toString("utf8");
  const content = Buffer.from(html.replace("</head>", () => `${tags}</head>`));
  const gzipped = new Uint8Array(await compress(content, { level: 4 }));
  const bodies = new Map<Coding, Uint8Array<ArrayBuffer>>([
    ["identity", new Uint8Array(content)],
    ["gzip", gzipped],
  ]);
  const tag = hash("sha256", content, "base64url").slice(0, 22);
  return respond(context, { ...page, tag, bodies }, 200);
}

function respond(context: Context, file: SiteFile, status: 200 | 404): Response {
  const coding = chooseCoding(context.req.header("accept-encoding") ?? "", file.bodies);
  const tag = `"${file.tag}-${coding}"`;
  const headers = new Headers({
    "cache-control": status === 404 ? "no-store" : file.cacheControl,
    "content-type": file.type,
    etag: tag,
    vary: "accept-encoding",
  });
  const known =
    context.req
      .header("if-none-match")
      ?.split(",")
      .map((one) => one.trim().replace(/^W\//, "")) ?? [];
  if (status === 200 && known.includes(tag)) return new Response(null, { status: 304, headers });
  if (coding !== "identity") headers.set("content-encoding", coding);
  const body = file.bodies.get(coding) ?? null;
  headers.set("content-length", String(body?.byteLength ?? 0));
  return new Response(body === null ? null : toSharedStream(body), { status, headers });
}

/** A response copies bytes that it is given directly; every reader of this stream gets the same. */
function toSharedStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
}
