import type { PlayerId } from "@holo/kernel/ids.ts";
import { ok, type Result, refuse } from "@holo/kernel/result.ts";
import type { ReleaseView } from "@holo/protocol/releases.ts";
import { transact } from "../platform/database/transaction.ts";
import type { ByteRange, Files } from "../platform/files/files.ts";
import { isSignedBy } from "./inspect/android-certificates.ts";
import { readStored } from "./inspect/read-at.ts";
import { isFileName, RELEASES_FOLDER, type Release, toFileKey, toFileName, toReleaseView } from "./release.ts";
import {
  clearCurrent,
  findCurrent,
  findStored,
  findStoredByName,
  loadCurrent,
  loadStored,
  lockReleases,
  saveCurrent,
} from "./store.ts";
import { openUploads, type UploadOrder, type UploadRefusal, type UploadsDeps } from "./upload.ts";

export interface Download {
  readonly release: ReleaseView;
  /** Streams the content or a range with back-pressure. Throws if the file is lost. */
  read(range?: ByteRange): Promise<AsyncGenerator<Uint8Array, void>>;
}

export interface Releases {
  loadCurrent(): Promise<readonly ReleaseView[]>;
  /** All stored releases, newest first. */
  loadStored(): Promise<readonly ReleaseView[]>;
  /**
   * Receives, inspects and stores a build and records an audit event. The current release stays. A
   * repeated file only replaces a lost one; a refused or interrupted upload leaves nothing behind.
   */
  upload(order: UploadOrder): Promise<Result<ReleaseView, UploadRefusal>>;
  /**
   * Makes a stored release current and records an audit event. Refuses an Android app with another
   * certificate, and if `insteadOf` is not the current one: the admin saw another.
   */
  makeCurrent(actorId: PlayerId, change: CurrentChange): Promise<Result<ReleaseView, CurrentRefusal>>;
  findDownload(fileName: string): Promise<Download | null>;
  sweep(): Promise<void>;
}

interface CurrentChange {
  readonly id: string;
  /** The id of the current release as the admin saw it; null for none. */
  readonly insteadOf: string | null;
}

type CurrentRefusal = "access_denied" | "unknown_release" | "foreign_release" | "current_release_changed";

const CURRENT_CACHE_MS = 5_000;
/** A stored file gets its row within moments, or never. */
const ORPHAN_FILE_GRACE_MS = 60 * 60_000;

export type ReleasesDeps = UploadsDeps;

/**
 * False if it is an Android app that none of these certificates signs. Throws if its file is lost.
 */
export async function isSignedRelease(
  files: Files,
  { id, platform, sizeBytes }: Release,
  androidCertificates: readonly string[],
): Promise<boolean> {
  if (platform !== "android") return true;
  return await isSignedBy(androidCertificates, readStored(files, toFileKey(id)), sizeBytes);
}

export function openReleases(deps: ReleasesDeps): Releases {
  const { database, time, files, isAdmin, recordAuditEvent, androidCertificates } = deps;
  const queries = database.kysely;
  let cached: { readonly views: Promise<readonly ReleaseView[]>; readonly sinceMs: number } | null = null;
  const clearCache = (): void => {
    cached = null;
  };
  const upload = openUploads(deps);

  return {
    loadCurrent() {
      const nowMs = time.monotonicMs();
      if (cached === null || nowMs - cached.sinceMs > CURRENT_CACHE_MS) {
        const views = loadCurrent(queries).then((current) => current.map(toReleaseView));
        cached = { views, sinceMs: nowMs };
        // A failed load is not cached.
        views.catch(clearCache);
      }
      return cached.views;
    },

    loadStored: async () => (await loadStored(queries)).map(toReleaseView),

    async upload(order) {
      const uploaded = await upload(order);
      return uploaded.ok ? ok(toReleaseView(uploaded.value)) : uploaded;
    },

    async makeCurrent(actorId, { id, insteadOf }) {
      // Reads the storage, which no transaction waits for.
      const chosen = await findStored(queries, id);
      const isSigned = chosen !== null && (await isSignedRelease(files, chosen, androidCertificates));
      return await transact(database, async (tx, afterCommit) => {
        await lockReleases(tx);
        if (!(await isAdmin(tx, actorId))) return refuse("access_denied");
        const release = await findStored(tx, id);
        if (release === null) return refuse("unknown_release");
        if (release.isCurrent) return ok(toReleaseView(release));
        if (!isSigned) return refuse("foreign_release");
        const before = await findCurrent(tx, release.platform);
        if ((before?.id ?? null) !== insteadOf) return refuse("current_release_changed");
        await clearCurrent(tx, release.platform);
        await saveCurrent(tx, id);
        const detail = before === null ? "" : `Before: ${toFileName(before)}`;
        const event = { action: "release_made_current", subject: toFileName(release), detail, at: time.now() } as const;
        await recordAuditEvent(tx, { playerId: actorId, ...event });
        afterCommit(clearCache);
        return ok(toReleaseView({ ...release, isCurrent: true }));
      });
    },

    async findDownload(fileName) {
      const release = isFileName(fileName) ? await findStoredByName(queries, fileName) : null;
      if (release === null) return null;
      return {
        release: toReleaseView(release),
        async read(range) {
          const content = await files.read(toFileKey(release.id), range);
          if (content === null) throw new Error(`the file of ${fileName} is lost`);
          return content;
        },
      };
    },

    async sweep() {
      await files.sweepDrafts();
      const kept = await files.list(RELEASES_FOLDER);
      const wanted = new Set((await loadStored(queries)).map(({ id }) => toFileKey(id)));
      const orphans = kept.filter(
        ({ key, storedAt }) => !wanted.has(key) && time.now() - storedAt > ORPHAN_FILE_GRACE_MS,
      );
      for (const { key } of orphans) await files.remove(key);
    },
  };
}
