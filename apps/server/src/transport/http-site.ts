import { hash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Context } from "hono";

type Coding = "br" | "gzip" | "identity";

interface SiteFile {
  readonly type: string;
  readonly cacheControl: string;
  readonly tag: string;
  readonly bodies: ReadonlyMap<Coding, Uint8Array<ArrayBuffer>>;
}

/** The built page, in memory: nothing outside it can be asked for, and no request waits for a disk. */
export interface Site {
  /** The file at this path; else the page itself, with status 404 where the path is none of its own. */
  serve(context: Context): Response;
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

/** Where the page has a screen today: its routes are in apps/web/src/app/routes.tsx, and a test holds both equal. */
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
  "/leaderboard",
  "/about",
  "/terms",
  "/privacy",
  "/contact",
]);
const GAME_SCREEN = /^\/game\/[0-9a-f-]{36}$/;
/** As the page's routes write it. */
const GAME_ROUTE = "/game/:gameId";

/** What each route is made of beside the frame: apps/web/build/page-ahead.ts writes it. */
const AHEAD = "/ahead.json";
const WORKER = "/sw.js";
const REMOVER = "/sw-off.js";
const CODING_ENDINGS: Readonly<Record<string, Coding>> = { ".br": "br", ".gz": "gzip" };
const FOREVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

export interface SiteOptions {
  /** Whether browsers may keep the page with a service worker. Where not, the worker they ask for is one that removes whatever they have. */
  readonly hasWorker: boolean;
}

/** Reads the folder once. Without it there is no page, and every path is answered so: the API works alone. */
export async function loadSite(folder: string, { hasWorker }: SiteOptions): Promise<Site> {
  const files = existsSync(folder) ? await readFiles(folder) : new Map<string, SiteFile>();
  const remover = files.get(REMOVER);
  if (remover !== undefined && !(hasWorker && files.has(WORKER))) files.set(WORKER, remover);
  const page = files.get("/index.html");
  const links = readLinks(files.get(AHEAD));
  files.delete(AHEAD);
  return {
    serve(context) {
      const file = files.get(context.req.path);
      if (file !== undefined) return respond(context, file, 200);
      if (page === undefined) return context.text("The page has not been built.", 404);
      const route = findRoute(context.req.path);
      if (route === null) return respond(context, page, 404);
      const answer = respond(context, page, 200);
      const link = links.get(route);
      if (link !== undefined) answer.headers.set("link", link);
      return answer;
    },
  };
}

/** Null where the page has no screen. */
function findRoute(pathname: string): string | null {
  const screen = pathname.length > 1 && pathname.endsWith("/") ? pathname.slice(0, -1) : pathname;
  if (SCREENS.has(screen)) return screen;
  return GAME_SCREEN.test(screen) ? GAME_ROUTE : null;
}

/** By route, the header that has a browser fetch the route's parts together with the frame. */
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

async function readFiles(folder: string): Promise<Map<string, SiteFile>> {
  const files = new Map<string, SiteFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const sources = names.filter((name) => !(path.extname(name) in CODING_ENDINGS));
  for (const name of sources) {
    const content = new Uint8Array(await readFile(path.join(folder, name)));
    const bodies = new Map<Coding, Uint8Array<ArrayBuffer>>([["identity", content]]);
    for (const [ending, coding] of Object.entries(CODING_ENDINGS)) {
      if (names.includes(name + ending))
        bodies.set(coding, new Uint8Array(await readFile(path.join(folder, name + ending))));
    }
    const url = `/${name.split(path.sep).join("/")}`;
    files.set(url, {
      type: TYPES[path.extname(name)] ?? "application/octet-stream",
      // The build names assets by their content; everything else keeps its name from release to release.
      cacheControl: url.startsWith("/assets/") ? FOREVER : ASK_AGAIN,
      tag: hash("sha256", content, "base64url").slice(0, 22),
      bodies,
    });
  }
  return files;
}

/** The best coding the client takes; one weighted 0 is refused by it. */
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
  return new Response(body, { status, headers });
}
