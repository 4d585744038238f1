import { randomUUID } from "node:crypto";
import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import { RELEASE_BYTES_MAX } from "@holo/protocol/release-views.ts";
import type { Database, Queries } from "../platform/database.ts";
import type { FileFacts, Files } from "../platform/files/files.ts";
import type { Time } from "../platform/time.ts";
import { transact } from "../platform/transaction.ts";
import { type Claim, type InspectRefusal, inspect } from "./inspect.ts";
import { type Pace, type ReceiveRefusal, receive, UPLOAD_PACE } from "./receive.ts";
import { type IsAdmin, isVersion, type RecordReleaseAct, type Release, toFileKey, toFileName } from "./release.ts";
import { clearCurrent, findVersion, lockReleases, removeOldest, saveRelease } from "./store.ts";

/** A build as an admin sends it. */
export interface UploadOrder extends Claim {
  readonly actorId: PlayerId;
  /** As it was said in advance. */
  readonly sizeBytes: number;
  readonly body: ReadableStream<Uint8Array>;
}

export type UploadRefusal =
  | "bad_version"
  | "release_too_large"
  | "uploads_busy"
  | ReceiveRefusal
  | InspectRefusal
  | "access_denied"
  | "version_taken";

export interface UploadsOptions {
  readonly database: Database;
  readonly time: Time;
  readonly files: Files;
  readonly isAdmin: IsAdmin;
  readonly recordAct: RecordReleaseAct;
  /** Left out, `UPLOAD_PACE`. */
  readonly pace?: Pace;
  /** Called once another release is current. */
  readonly onPublished: () => void;
}

const UPLOADS_MAX = 2;
/** 4 GB a platform at the very most. */
const KEPT_MAX = 20;

/** What an act says of a new release; the auditor holds both together. */
function formatUpload({ sizeBytes, sha256 }: FileFacts): string {
  return `${sizeBytes} bytes, SHA-256 ${sha256}`;
}

/** How a build comes to be a release: received, looked at, kept, published. */
export function openUploads(options: UploadsOptions): (order: UploadOrder) => Promise<Result<Release, UploadRefusal>> {
  const { database, time, files, isAdmin, recordAct, pace = UPLOAD_PACE, onPublished } = options;
  let uploads = 0;

  /** Why a build that has arrived cannot be kept, or the release that it is already. */
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

  async function publish(release: Release): Promise<Result<Release, "access_denied" | "version_taken">> {
    return await transact(database, async (tx, afterCommit) => {
      await lockReleases(tx);
      const decided = await decide(tx, release.uploadedBy, release);
      if (!decided.ok) return decided;
      if (decided.value !== null) return ok(decided.value);
      const { uploadedBy: playerId, uploadedAt: at } = release;
      const detail = formatUpload(release);
      const actId = await recordAct(tx, {
        playerId,
        act: "release_uploaded",
        subject: toFileName(release),
        detail,
        at,
      });
      await clearCurrent(tx, release.platform);
      await saveRelease(tx, release, actId);
      const removed = await removeOldest(tx, release.platform, { keptMax: KEPT_MAX, at });
      afterCommit(() => {
        onPublished();
        for (const id of removed) void removeFile(id);
      });
      return ok(release);
    });
  }

  async function receiveInto(order: UploadOrder): Promise<Result<Release, UploadRefusal>> {
    const draft = await files.openDraft();
    try {
      const received = await receive(draft, order.body, { sizeBytes: order.sizeBytes, pace });
      if (!received.ok) return received;
      const inspected = await inspect(draft.handle, order.sizeBytes, order);
      if (!inspected.ok) return inspected;
      const build = { ...received.value, platform: order.platform, version: inspected.value };
      // Asked before the file goes to where files are kept, which may take long, and once more when it is there.
      const decided = await decide(database.kysely, order.actorId, build);
      if (!decided.ok) return decided;
      if (decided.value !== null) return ok(decided.value);
      const id = randomUUID();
      await draft.keep(toFileKey(id), received.value);
      const release = { ...build, id, uploadedBy: order.actorId, uploadedAt: time.now(), isCurrent: true };
      // Where this throws it may have been committed all the same: then the sweep knows whose the file is.
      const published = await publish(release);
      if (!published.ok || published.value.id !== id) await removeFile(id);
      return published;
    } finally {
      await draft.discard();
    }
  }

  async function removeFile(id: string): Promise<void> {
    try {
      await files.remove(toFileKey(id));
    } catch (err) {
      database.log.warn({ err }, "a file that nobody is offered could not be removed; the next sweep tries again");
    }
  }

  return async (order) => {
    if (order.version !== null && !isVersion(order.version)) return refuse("bad_version");
    if (order.sizeBytes > RELEASE_BYTES_MAX) return refuse("release_too_large");
    if (uploads >= UPLOADS_MAX) return refuse("uploads_busy");
    uploads += 1;
    try {
      return await receiveInto(order);
    } finally {
      uploads -= 1;
    }
  };
}
