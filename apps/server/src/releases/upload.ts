import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { RELEASE_BYTES_MAX } from "@holo/protocol/release-terms.ts";
import type { Database, Queries } from "../platform/database/database.ts";
import { transact } from "../platform/database/transaction.ts";
import type { Draft, FileFacts, Files } from "../platform/files/files.ts";
import { randomUUID } from "../platform/runtime.ts";
import type { Time } from "../platform/time/time.ts";
import { type DeclaredRelease, type InspectRefusal, inspect } from "./inspect/inspect.ts";
import { readDraft } from "./inspect/read-at.ts";
import { type Pace, type ReceiveRefusal, receive, UPLOAD_PACE } from "./receive.ts";
import { type IsAdmin, isVersion, type RecordReleaseEvent, type Release, toFileKey, toFileName } from "./release.ts";
import { findVersion, lockReleases, removeOldest, saveRelease } from "./store.ts";

export interface UploadOrder extends DeclaredRelease {
  readonly actorId: PlayerId;
  /** As declared. */
  readonly sizeBytes: number;
  readonly body: ReadableStream<Uint8Array>;
}

export type UploadRefusal =
  | "bad_version"
  | "release_too_large"
  | "uploads_busy"
  | "storage_full"
  | ReceiveRefusal
  | InspectRefusal
  | "access_denied"
  | "version_taken";

export interface UploadsDeps {
  readonly database: Database;
  readonly time: Time;
  readonly files: Files;
  readonly isAdmin: IsAdmin;
  readonly recordAuditEvent: RecordReleaseEvent;
  /** SHA-256 digests of the Android app's certificates, AB:CD:..; empty: any is accepted. */
  readonly androidCertificates: readonly string[];
  /** Default: `UPLOAD_PACE`. */
  readonly pace?: Pace;
}

const UPLOADS_MAX = 2;
/** Full, over a quota, over a limit, or read-only. */
const UNWRITABLE: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS"]);
const KEPT_MAX = 20;

/** The detail of the audit event, which the auditor compares with the row. */
function formatUpload({ sizeBytes, sha256 }: FileFacts): string {
  return `${sizeBytes} bytes, SHA-256 ${sha256}`;
}

export function openUploads(deps: UploadsDeps): (order: UploadOrder) => Promise<Result<Release, UploadRefusal>> {
  const { database, time, files, isAdmin, recordAuditEvent, pace = UPLOAD_PACE } = deps;
  let uploads = 0;

  async function decide(
    reading: Queries,
    actorId: PlayerId,
    build: Pick<Release, "platform" | "version" | "sha256">,
  ): Promise<Result<Release | null, "access_denied" | "version_taken">> {
    if (!(await isAdmin(reading, actorId))) return refuse("access_denied");
    const found = await findVersion(reading, build);
    if (found === null) return ok(null);
    return found.isKept && found.release.sha256 === build.sha256 ? ok(found.release) : refuse("version_taken");
  }

  async function add(release: Release): Promise<Result<Release, "access_denied" | "version_taken">> {
    return await transact(database, async (tx, afterCommit) => {
      await lockReleases(tx);
      const decided = await decide(tx, release.uploadedBy, release);
      if (!decided.ok) return decided;
      if (decided.value !== null) return ok(decided.value);
      const { uploadedBy: playerId, uploadedAt: at } = release;
      const detail = formatUpload(release);
      const auditEventId = await recordAuditEvent(tx, {
        playerId,
        action: "release_added",
        subject: toFileName(release),
        detail,
        at,
      });
      await saveRelease(tx, release, auditEventId);
      const removed = await removeOldest(tx, release.platform, { keptMax: KEPT_MAX, at });
      afterCommit(() => {
        for (const id of removed) void removeFile(deps, id);
      });
      return ok(release);
    });
  }

  /** Stores the file of a release again if it was lost. */
  async function putBack(draft: Draft, { id }: Release, facts: FileFacts): Promise<void> {
    const firstByte = await files.read(toFileKey(id), { first: 0, last: 0 });
    await firstByte?.next();
    // Closes the file or the connection.
    await firstByte?.return();
    if (firstByte === null) await draft.save(toFileKey(id), facts);
  }

  async function receiveInto(order: UploadOrder): Promise<Result<Release, UploadRefusal>> {
    const draft = await files.openDraft();
    try {
      const received = await receive(draft, order.body, { sizeBytes: order.sizeBytes, pace });
      if (!received.ok) return received;
      const inspected = await inspect(readDraft(draft.handle), order.sizeBytes, order, deps.androidCertificates);
      if (!inspected.ok) return inspected;
      const build = { ...received.value, platform: order.platform, version: inspected.value };
      // Checked before storing, which may take long, and again in the row's transaction.
      const decided = await decide(database.kysely, order.actorId, build);
      if (!decided.ok) return decided;
      if (decided.value !== null) {
        await putBack(draft, decided.value, received.value);
        return ok(decided.value);
      }
      const id = randomUUID();
      await draft.save(toFileKey(id), received.value);
      const release = { ...build, id, uploadedBy: order.actorId, uploadedAt: time.now(), isCurrent: false };
      // If this throws, the commit may have succeeded; the sweep removes the file if it did not.
      const added = await add(release);
      if (!added.ok || added.value.id !== id) await removeFile(deps, id);
      return added;
    } finally {
      await draft.discard();
    }
  }

  return async (order) => {
    if (order.version !== null && !isVersion(order.version)) return refuse("bad_version");
    if (order.sizeBytes > RELEASE_BYTES_MAX) return refuse("release_too_large");
    if (uploads >= UPLOADS_MAX) return refuse("uploads_busy");
    uploads += 1;
    try {
      return await receiveInto(order);
    } catch (err) {
      // Staff can act on this one, so it must not look like a fault of the server.
      if (!UNWRITABLE.has(String((err as NodeJS.ErrnoException).code))) throw err;
      database.log.error({ err }, "an uploaded build could not be stored");
      return refuse("storage_full");
    } finally {
      uploads -= 1;
    }
  };
}

async function removeFile({ files, database }: UploadsDeps, id: string): Promise<void> {
  try {
    await files.remove(toFileKey(id));
  } catch (err) {
    database.log.warn({ err }, "an unused file could not be removed; the next sweep tries again");
  }
}
