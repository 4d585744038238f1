import type { ReleasePlatform, ReleaseView } from "@holo/protocol/releases.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Visitor } from "../../../accounts/accounts.ts";
import type { RateLimiter } from "../../../platform/rate-limiter.ts";
import type { Download, Releases } from "../../../releases/releases.ts";
import { toStream } from "../file-stream.ts";
import { toRefusal } from "../refusal.ts";
import { parseRange, type RequestedRange } from "./byte-range.ts";

export interface DownloadsOptions {
  readonly releases: Pick<Releases, "findDownload">;
  readonly toVisitor: (context: Context) => Visitor;
  /** Counts the requests of each address. */
  readonly requests: RateLimiter;
}

const PATH = "/downloads/:fileName";
const TYPES: Readonly<Record<ReleasePlatform, string>> = {
  android: "application/vnd.android.package-archive",
  windows: "application/vnd.microsoft.portable-executable",
};

/** The files of the releases. One that is not there is a page that is not there. */
export function mountDownloads(app: OpenAPIHono, { releases, toVisitor, requests }: DownloadsOptions): void {
  // Hono asks here for HEAD as well, and sends no body for it.
  app.get(PATH, async (context) => {
    if (!requests.tryAcquire(toVisitor(context).address)) return toRefusal(context, "too_many_requests");
    const download = await releases.findDownload(context.req.param("fileName"));
    return download === null ? await context.notFound() : await respond(context, download);
  });
}

async function respond(context: Context, { release, read }: Download): Promise<Response> {
  const { sizeBytes } = release;
  const tag = `"${release.sha256}"`;
  const headers = new Headers(toHeaders(release, tag));
  if (isKnown(context.req.header("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const wish = toRequestedRange(context, sizeBytes, tag);
  if (wish.type === "none") {
    headers.set("content-range", `bytes */${sizeBytes}`);
    headers.set("cache-control", "no-store");
    headers.set("content-length", "0");
    return new Response(null, { status: 416, headers });
  }
  const range = wish.type === "part" ? wish.range : { first: 0, last: sizeBytes - 1 };
  if (wish.type === "part") headers.set("content-range", `bytes ${range.first}-${range.last}/${sizeBytes}`);
  headers.set("content-length", String(range.last - range.first + 1));
  const body = context.req.method === "HEAD" ? null : toStream(await read(range));
  return new Response(body, { status: wish.type === "part" ? 206 : 200, headers });
}

function toHeaders({ platform, fileName }: ReleaseView, tag: string): Readonly<Record<string, string>> {
  return {
    "accept-ranges": "bytes",
    // A version is never another file.
    "cache-control": "public, max-age=31536000, immutable",
    "content-disposition": `attachment; filename="${fileName}"`,
    // Whatever is in the file, opened in a browser it may do nothing.
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": TYPES[platform],
    etag: tag,
  };
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(tag) || known.includes("*");
}

/** A part of what somebody has the beginning of is of use to them only where it is still the same (RFC 9110, section 13.1.5). */
function toRequestedRange(context: Context, sizeBytes: number, tag: string): RequestedRange {
  const condition = context.req.header("if-range");
  if (context.req.method !== "GET" || (condition !== undefined && condition !== tag)) return { type: "all" };
  return parseRange(context.req.header("range"), sizeBytes);
}
