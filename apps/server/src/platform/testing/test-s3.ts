import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FilesLocation } from "../files/files.ts";

export interface TestS3 {
  readonly place: Extract<FilesLocation, { type: "s3" }>;
  readonly objects: ReadonlyMap<string, Buffer>;
  fail(status: number | null): void;
  close(): Promise<void>;
}

const ACCESS_KEY = "AKIATEST";
const SECRET_KEY = "secret/with+signs";
const REGION = "af-south-1";
const PAGE = 2;

const sha256 = (content: Buffer | string): string => createHash("sha256").update(content).digest("hex");
const hmac = (key: Buffer | string, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/**
 * A minimal in-memory S3 with one bucket. Rejects requests without a valid AWS Signature Version 4
 * or with other content than was signed. Lists two objects per page.
 */
export async function startTestS3(draftsFolder: string): Promise<TestS3> {
  const objects = new Map<string, Buffer>();
  let failing: number | null = null;
  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (failing !== null) return void response.writeHead(failing).end("<Error/>");
    if (!isSigned(request, body)) return void response.writeHead(403).end("<Error>SignatureDoesNotMatch</Error>");
    answer(objects, request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    place: {
      type: "s3",
      endpoint: `http://127.0.0.1:${port}`,
      region: REGION,
      bucket: "holo-files",
      prefix: "arena/",
      accessKeyId: ACCESS_KEY,
      secretAccessKey: SECRET_KEY,
      draftsFolder,
    },
    objects,
    fail(status) {
      failing = status;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function isSigned(request: IncomingMessage, body: Buffer): boolean {
  const given = /Credential=(\S+), SignedHeaders=(\S+), Signature=(\S+)/.exec(request.headers.authorization ?? "");
  const [, credential = "", signedHeaders = "", signature = ""] = given ?? [];
  const [accessKey, day = "", region = ""] = credential.split("/");
  const url = new URL(request.url ?? "/", "http://store");
  const query = [...url.searchParams].map((pair) => pair.map(encodeURIComponent).join("=")).sort();
  const headers = signedHeaders.split(";").map((name) => `${name}:${request.headers[name]}\n`);
  const hash = String(request.headers["x-amz-content-sha256"]);
  const canonical = [request.method, url.pathname, query.join("&"), headers.join(""), signedHeaders, hash].join("\n");
  const scope = `${day}/${region}/s3/aws4_request`;
  const signed = ["AWS4-HMAC-SHA256", request.headers["x-amz-date"], scope, sha256(canonical)].join("\n");
  const key = [region, "s3", "aws4_request"].reduce(hmac, hmac(`AWS4${SECRET_KEY}`, day));
  const isContent = hash === "UNSIGNED-PAYLOAD" ? body.byteLength === 0 : hash === sha256(body);
  return accessKey === ACCESS_KEY && region === REGION && isContent && signature === hmac(key, signed).toString("hex");
}

function answer(objects: Map<string, Buffer>, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://store");
  if (request.method === "PUT") objects.set(pathname, body);
  if (request.method === "DELETE") objects.delete(pathname);
  if (request.method !== "GET") return void response.writeHead(request.method === "DELETE" ? 204 : 200).end();
  if (searchParams.has("list-type")) return void response.end(list(objects, pathname, searchParams));
  const content = objects.get(pathname);
  if (content === undefined) return void response.writeHead(404).end("<Error>NoSuchKey</Error>");
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
  if (first === undefined) return void response.end(content);
  response.writeHead(206).end(content.subarray(Number(first), Number(last) + 1));
}

function list(objects: ReadonlyMap<string, Buffer>, bucket: string, query: URLSearchParams): string {
  const [prefix = "", after = ""] = [query.get("prefix") ?? "", query.get("start-after") ?? ""];
  const keys = [...objects.keys()].map((path) => path.slice(bucket.length + 1)).sort();
  const listed = keys.filter((key) => key.startsWith(prefix) && key > after);
  const contents = listed
    .slice(0, PAGE)
    .map((key) => `<Contents><Key>${key}</Key><LastModified>2026-01-31T12:00:00.000Z</LastModified></Contents>`);
  return `<ListBucketResult><IsTruncated>${listed.length > PAGE}</IsTruncated>${contents.join("")}</ListBucketResult>`;
}
