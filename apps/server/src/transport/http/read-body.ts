import type { Context } from "hono";

/** The raw body; null if its announced or actual length exceeds the limit. */
export async function readBytes(context: Context, bytesMax: number): Promise<Uint8Array | null> {
  if (Number(context.req.header("content-length") ?? 0) > bytesMax) return null;
  const { body } = context.req.raw;
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body as ReadableStream<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
