import type { IncomingMessage, ServerResponse } from "node:http";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { type Answer, FAILURES, refusal } from "./answer.ts";
import { formatJson, isObject, type JsonObject, parseJson } from "./json.ts";

const BODY_BYTES_MAX = 1_000_000;

const TOO_LARGE = refusal(413, "Request body is too large", "too_large", "Send less");

export async function readBody(request: IncomingMessage): Promise<Result<string, Answer>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return refuse(TOO_LARGE);
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks).toString("utf8"));
}

export function parseBody(text: string): Result<JsonObject, Answer> {
  try {
    const body = parseJson(text === "" ? "{}" : text);
    return isObject(body) ? ok(body) : refuse(FAILURES.badJson);
  } catch {
    // A body that is not JSON is refused.
    return refuse(FAILURES.badJson);
  }
}

export function sendText(response: ServerResponse, status: number, contentType: string, text: string): void {
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-store" });
  response.end(text);
}

export function sendAnswer(response: ServerResponse, { status, body }: Answer): void {
  sendText(response, status, "application/json; charset=utf-8", formatJson(body));
}
