import { createHash } from "node:crypto";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { Draft, FileFacts } from "../platform/files/files.ts";

/** How fast a file has to come at least: so many bytes in each span. */
export interface Pace {
  readonly bytes: number;
  readonly spanMs: number;
}

/** 2 KiB a second over half a minute: a bad connection of our players' country is faster, who holds ours open on purpose is not. */
export const UPLOAD_PACE: Pace = { bytes: 64 * 1024, spanMs: 30_000 };

export type ReceiveRefusal = "upload_cut_off" | "upload_stalled";

/**
 * Writes what comes into the draft, as fast as the disk takes it, and knows its size and hash at the end. A body that is not as long as it
 * was said to be has been cut off. Throws where the draft cannot be written.
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
    // Nothing more is wanted of a sender who was refused; one who has sent everything does not notice.
    await reader.cancel().catch(() => undefined);
  }
  return received === sizeBytes ? ok({ sizeBytes, sha256: digest.digest("hex") }) : refuse("upload_cut_off");
}

/** The next of the body; null at its end. */
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
    // Whatever ended the connection: the rest of the file will not come.
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
