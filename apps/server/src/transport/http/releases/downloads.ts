import { ok } from "@holo/kernel/result.ts";
import type { ReleasePlatform } from "@holo/protocol/release-terms.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import type { Context } from "hono";
import type { ByteRange } from "../../../platform/files/files.ts";
import type { Download, Releases } from "../../../releases/releases.ts";
import type { AccessDeps } from "../access.ts";
import { toStream } from "../file-stream.ts";
import { type HttpApp, mountFileRoute } from "../routes.ts";

interface DownloadsDeps extends AccessDeps {
  readonly releases: Pick<Releases, "findDownload">;
}

const TYPES: Readonly<Record<ReleasePlatform, string>> = {
  android: "application/vnd.android.package-archive",
  windows: "application/vnd.microsoft.portable-executable",
};

type RequestedRange =
  | { readonly type: "all" }
  | { readonly type: "part"; readonly range: ByteRange }
  | { readonly type: "none" };

const ALL: RequestedRange = { type: "all" };
const SINGLE = /^bytes=\s*(?<first>\d{0,15})-(?<last>\d{0,15})\s*$/i;

/** The files of the releases. Also answers HEAD, as Hono does for every GET. */
export function mountDownloads(app: HttpApp, deps: DownloadsDeps): void {
  mountFileRoute(app, "downloadRelease", deps, async (context) => {
    const download = await deps.releases.findDownload(context.req.param("fileName") ?? "");
    return ok(download === null ? await context.notFound() : await respond(context, download));
  });
}

async function respond(context: Context, { release, read }: Download): Promise<Response> {
  const { sizeBytes } = release;
  const tag = `"${release.sha256}"`;
  const headers = new Headers(toHeaders(release, tag));
  if (isKnown(context.req.header("if-none-match"), tag)) return new Response(null, { status: 304, headers });
  const requested = toRequestedRange(context, sizeBytes, tag);
  if (requested.type === "none") {
    headers.set("content-range", `bytes */${sizeBytes}`);
    headers.set("cache-control", "no-store");
    headers.set("content-length", "0");
    return new Response(null, { status: 416, headers });
  }
  const range = requested.type === "part" ? requested.range : { first: 0, last: sizeBytes - 1 };
  if (requested.type === "part") headers.set("content-range", `bytes ${range.first}-${range.last}/${sizeBytes}`);
  headers.set("content-length", String(range.last - range.first + 1));
  const body = context.req.method === "HEAD" ? null : toStream(await read(range));
  return new Response(body, { status: requested.type === "part" ? 206 : 200, headers });
}

function toHeaders({ platform, fileName }: ReleaseView, tag: string): Readonly<Record<string, string>> {
  return {
    "accept-ranges": "bytes",
    // The file of a version never changes.
    "cache-control": "public, max-age=31536000, immutable",
    "content-disposition": `attachment; filename="${fileName}"`,
    // A file that is opened in a browser may do nothing.
    "content-security-policy": "default-src 'none'; sandbox",
    "content-type": TYPES[platform],
    etag: tag,
  };
}

function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  return known.includes(tag) || known.includes("*");
}

/** A range is usable only if the file is still the same (RFC 9110, section 13.1.5). */
function toRequestedRange(context: Context, sizeBytes: number, tag: string): RequestedRange {
  const condition = context.req.header("if-range");
  if (context.req.method !== "GET" || (condition !== undefined && condition !== tag)) return { type: "all" };
  return parseRange(context.req.header("range"), sizeBytes);
}

/**
 * Parses a single range (RFC 9110, section 14.1.2). Several or invalid ranges yield the whole file.
 */
function parseRange(header: string | undefined, sizeBytes: number): RequestedRange {
  const { first = "", last = "" } = SINGLE.exec(header ?? "")?.groups ?? {};
  if (first === "" && last === "") return ALL;
  if (first === "") {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? { type: "none" } : toPart(sizeBytes - length, sizeBytes - 1);
  }
  if (last !== "" && Number(last) < Number(first)) return ALL;
  if (Number(first) >= sizeBytes) return { type: "none" };
  return toPart(Number(first), last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1));
}

function toPart(first: number, last: number): RequestedRange {
  return { type: "part", range: { first, last } };
}
