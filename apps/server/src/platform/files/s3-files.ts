import { openAsBlob } from "node:fs";
import { assert } from "@holo/kernel/assert.ts";
import { AwsClient } from "aws4fetch";
import { clearTimeout, setTimeout } from "../runtime.ts";
import { openDrafts } from "./drafts.ts";
import { type Files, type FilesLocation, isFileKey, type StoredFile } from "./files.ts";

/** Until the response begins. The body has no limit: its reader sets the pace. */
const ANSWER_MS = 30_000;
const KEEP_MS = 10 * 60_000;
const RETRIES = 3;

/**
 * Files in an S3-compatible bucket. A draft is a local file; the store accepts it under its
 * SHA-256, all or nothing.
 */
export function openS3Files(place: Extract<FilesLocation, { type: "s3" }>): Files {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey, draftsFolder } = place;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: RETRIES });
  const drafts = openDrafts(draftsFolder);
  const bucketUrl = `${endpoint}/${bucket}`;
  const toUrl = (key: string): string => {
    assert(isFileKey(key), `${key} is no key of a file`);
    return `${bucketUrl}/${prefix}${key}`;
  };

  /** Throws on every refusal except 404. */
  async function ask(url: string, init: RequestInit, patienceMs = ANSWER_MS): Promise<Response> {
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Error("the file store did not answer in time")), patienceMs);
    try {
      const answer = await client.fetch(url, { ...init, signal: patience.signal });
      if (answer.ok || answer.status === 404) return answer;
      await answer.body?.cancel();
      throw new Error(`the file store answered ${answer.status} to ${init.method}`);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async openDraft() {
      const draft = await drafts.open();
      return {
        handle: draft.handle,
        async save(key, { sizeBytes, sha256 }) {
          const body = await openAsBlob(draft.path);
          assert(body.size === sizeBytes, "a draft is kept whole");
          const headers = { "content-type": "application/octet-stream", "x-amz-content-sha256": sha256 };
          const answer = await ask(toUrl(key), { method: "PUT", headers, body }, KEEP_MS);
          await answer.body?.cancel();
          if (!answer.ok) throw new Error("the file store has no such bucket");
        },
        discard: draft.discard,
      };
    },

    async read(key, range) {
      const headers = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` };
      const answer = await ask(toUrl(key), { method: "GET", headers });
      if (answer.status === 404) {
        await answer.body?.cancel();
        return null;
      }
      assert(answer.body !== null, "the store answers with what is read");
      assert(answer.status === (range === undefined ? 200 : 206), "the store answers with the part that was asked for");
      return readChunks(answer.body);
    },

    async remove(key) {
      const answer = await ask(toUrl(key), { method: "DELETE" });
      await answer.body?.cancel();
    },

    async list(folder) {
      const listed: StoredFile[] = [];
      const query = new URLSearchParams({ "list-type": "2", prefix: `${prefix}${folder}/` });
      for (;;) {
        const answer = await ask(`${bucketUrl}?${query}`, { method: "GET" });
        const { files, more } = parseListing(await answer.text());
        if (!answer.ok) throw new Error("the file store has no such bucket");
        listed.push(...files.map((file) => ({ ...file, key: file.key.slice(prefix.length) })));
        if (more === null) return listed.filter(({ key }) => isFileKey(key));
        query.set("start-after", more);
      }
    },

    sweepDrafts: drafts.sweep,
  };
}

async function* readChunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of body) yield chunk;
}

/** Parses the XML listing and the key after which it continues. Our keys need no XML escaping. */
function parseListing(xml: string): { readonly files: readonly StoredFile[]; readonly more: string | null } {
  const files = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, content = ""]) => ({
    key: /<Key>([^<]+)<\/Key>/.exec(content)?.[1] ?? "",
    storedAt: Date.parse(/<LastModified>([^<]+)<\/LastModified>/.exec(content)?.[1] ?? ""),
  }));
  const isTruncated = /<IsTruncated>true<\/IsTruncated>/.test(xml);
  return { files, more: isTruncated ? (files.at(-1)?.key ?? null) : null };
}
