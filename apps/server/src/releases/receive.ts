import { createHash } from "node:crypto";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Draft, FileFacts } from "../platform/files/files.ts";
import { clearTimeout, performance, setTimeout } from "../platform/runtime.ts";

/** The minimum upload speed: `bytes` in each `spanMs`. */
export interface Pace {
  readonly bytes: number;
  readonly spanMs: number;
}

/**
 * 2 KiB/s over half a minute: slower than bad mobile networks, but stops clients that stall on
 * purpose.
 */
export const UPLOAD_PACE: Pace = { bytes: 64 * 1024, spanMs: 30_000 };

export type ReceiveRefusal = "upload_cut_off" | "upload_stalled";

/**
 * Streams the body into the draft with back-pressure and returns its size and hash. A body of
 * another length was cut off. Throws if the draft cannot be written.
 */
export async function receive(
  draft: Draft,
  body: ReadableStream<Uint8Array>,
  { sizeBytes, pace }: { readonly sizeBytes: number; readonly pace: Pace },
): Promise<Result<FileFacts, ReceiveRefusal>> {
  const digest = createHash("sha256");
  const reader = body.getReader();
  let received = 0;
  let spanBytes = 0;
  let spanEndsMs = performance.now() + pace.spanMs;
  try {
    for (;;) {
      const read = await readUntil(reader, spanEndsMs);
      if (!read.ok) return read;
      const chunk = read.value;
      if (chunk === null) break;
      received += chunk.byteLength;
      if (received > sizeBytes) return refuse("upload_cut_off");
      digest.update(chunk);
      await writeWhole(draft, chunk);
      spanBytes += chunk.byteLength;
      if (spanBytes >= pace.bytes) {
        spanBytes = 0;
        spanEndsMs = performance.now() + pace.spanMs;
      }
    }
  } finally {
    // Stops a refused sender; no effect after the end of the body.
    await reader.cancel().catch(() => undefined);
  }
  return received === sizeBytes ? ok({ sizeBytes, sha256: digest.digest("hex") }) : refuse("upload_cut_off");
}

async function readUntil(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  untilMs: number,
): Promise<Result<Uint8Array | null, ReceiveRefusal>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result<never, ReceiveRefusal>>((resolve) => {
    timer = setTimeout(() => resolve(refuse("upload_stalled")), untilMs - performance.now());
  });
  const read = reader.read().then(
    ({ done, value }) => ok(done ? null : value),
    // The connection ended; the rest will not arrive.
    () => refuse("upload_cut_off"),
  );
  try {
    return await Promise.race([read, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function writeWhole({ handle }: Draft, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.byteLength) {
    written += (await handle.write(chunk, written, chunk.byteLength - written)).bytesWritten;
  }
}
