import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import { clearTimeout, setTimeout } from "../../platform/runtime.ts";

/** Slower bodies only hold connections open. */
const BODY_TIMEOUT_MS = 20_000;

/** The raw body; null if its announced or actual length exceeds the limit. */
export async function readBytes(
  context: Context<{ Bindings: Partial<HttpBindings> }>,
  bytesMax: number,
  timeoutMs = BODY_TIMEOUT_MS,
): Promise<Uint8Array | null> {
  if (Number(context.req.header("content-length") ?? 0) > bytesMax) return null;
  const socket = context.env?.incoming?.socket;
  const timer = setTimeout(() => void socket?.destroy(), timeoutMs);
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of toChunks(context)) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) return null;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
  }
}

/** Node joins all that has arrived; a web stream would handle each of thousands of small chunks. */
function toChunks({ env, req }: Context<{ Bindings: Partial<HttpBindings> }>): AsyncIterable<Uint8Array> {
  const incoming = env?.incoming;
  if (incoming !== undefined) return incoming.iterator({ destroyOnReturn: false });
  return (req.raw.body ?? []) as AsyncIterable<Uint8Array>;
}
